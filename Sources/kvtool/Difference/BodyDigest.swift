internal import DocumentStore

/// A number by which a patch knows the body that it was made for.
///
/// FNV-1a of 64 bits, of the JSON without spaces whose keys are in the order of their bytes: enough
/// against mistakes, not against somebody who wants to be mistaken for another.
enum BodyDigest {
    /// 16 hexadecimal digits.
    static func text(of body: FleeceValue) throws -> String {
        var writer = JSONWriter(options: JSONWriter.Options(canonical: true))
        try writer.write(body)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in writer.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
