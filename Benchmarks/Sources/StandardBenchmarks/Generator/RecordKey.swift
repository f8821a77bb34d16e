/// The keys of records: a prefix and a hash of the number, so that records inserted one after the
/// other are not neighbors in the order of the keys.
package enum RecordKey {
    /// The key of the record with a number.
    package static func key(_ number: Int) -> String {
        "user" + String(hash(UInt64(number)) & UInt64(Int64.max))
    }

    /// The 64-bit FNV-1a hash of the eight bytes of a number, lowest byte first.
    package static func hash(_ number: UInt64) -> UInt64 {
        hash((0..<8).lazy.map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
    }

    /// The 64-bit FNV-1a hash of bytes.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
