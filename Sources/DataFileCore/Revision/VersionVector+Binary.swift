internal import FleeceLite

// A vector's bytes:
//
//   00 | time₁ source₁ | time₂ source₂ | …
//
// time₁ is a varint of the time, packed; each later one is a varint of the step from it to the
// time before, packed. Packed is t·2 + 1, or t / 2¹⁵ if the low 16 bits, the counter, are zero.
// A source is a byte and then as many bytes as its low 7 bits say, none for this database; its
// high bit marks the current version and those merged into it.
extension VersionVector {
    /// Whether a `version` column holds a vector; a revision of a tree begins with its generation.
    static func isVector(_ bytes: [UInt8]) -> Bool { bytes.first == 0 }

    /// Reads a `version` column.
    ///
    /// Throws `.corruptRevisionData` if it is no well-formed vector.
    public init(binary bytes: [UInt8]) throws {
        let versions = bytes.withUnsafeBytes { Self.versions(in: $0) }
        guard let versions, !versions.isEmpty else {
            throw StoreError(
                .corruptRevisionData, "a version vector of \(bytes.count) bytes is damaged")
        }
        self.init(versions: versions)
    }

    private static func versions(in bytes: UnsafeRawBufferPointer) -> [Version]? {
        guard let base = bytes.baseAddress, bytes.first == 0 else { return nil }
        var versions: [Version] = []
        var position = 1
        while position < bytes.count {
            guard
                let (packed, end) = Varint.read(base, at: position, limit: bytes.count),
                end < bytes.count
            else { return nil }
            let time = unpacked(packed, before: versions.last?.time)
            let length = Int(bytes[end] & 0x7F)
            position = end + 1 + length
            guard LogicalTime.valid.contains(time), length == 0 || length == 16,
                position <= bytes.count
            else { return nil }
            let source = [UInt8](bytes[(end + 1)..<position])
            versions.append(
                Version(
                    time: time, source: source.isEmpty ? .local : .peer(source),
                    isCurrent: bytes[end] & 0x80 != 0))
        }
        return versions
    }

    private static func unpacked(_ packed: UInt64, before: LogicalTime?) -> LogicalTime {
        guard let before else {
            return LogicalTime(rawValue: packed & 1 != 0 ? packed >> 1 : packed << 15)
        }
        let signed = Int64(bitPattern: packed)
        let step = packed & 1 != 0 ? signed >> 1 : signed << 15
        return LogicalTime(rawValue: before.rawValue &- UInt64(bitPattern: step))
    }

    /// The bytes of a `version` column.
    public var binary: [UInt8] {
        var bytes: [UInt8] = []
        // A time of 9 or 10 bytes and a source.
        bytes.reserveCapacity(1 + 28 * versions.count)
        bytes.append(0)
        var before: LogicalTime?
        for version in versions {
            Varint.append(Self.packed(version.time, before: before), to: &bytes)
            before = version.time
            let mark: UInt8 = version.isCurrent ? 0x80 : 0
            switch version.source {
            case .local: bytes.append(mark)
            case .peer(let id):
                bytes.append(mark | UInt8(id.count))
                bytes += id
            }
        }
        return bytes
    }

    private static func packed(_ time: LogicalTime, before: LogicalTime?) -> UInt64 {
        guard let before else {
            let time = time.rawValue
            return time & 0xFFFF != 0 ? time << 1 | 1 : time >> 15
        }
        let step = Int64(bitPattern: before.rawValue &- time.rawValue)
        return UInt64(bitPattern: step & 0xFFFF != 0 ? step << 1 | 1 : step >> 15)
    }
}
