extension String {
    /// The string with lower-case letters in place of those from A to Z, as SQLite compares names.
    package var asciiLowercased: String {
        utf8.contains { (0x41...0x5A).contains($0) } ? String(asciiLowercase: utf8) : self
    }

    /// The string with upper-case letters in place of those from a to z.
    package var asciiUppercased: String {
        String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// A string of bytes, with lower-case letters in place of those from A to Z.
    package init(asciiLowercase bytes: some Swift.Collection<UInt8>) {
        self = String(
            decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
