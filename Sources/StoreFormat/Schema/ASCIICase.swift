extension String {
    /// The string with A to Z in lower case, and nothing else changed: SQLite's case folding.
    package var asciiLowercased: String {
        utf8.contains { (0x41...0x5A).contains($0) } ? String(asciiLowercase: utf8) : self
    }

    /// The string with a to z in upper case, and nothing else changed.
    package var asciiUppercased: String {
        String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
    }

    /// Decodes UTF-8 with A to Z in lower case.
    ///
    /// Inlinable, so that it is specialized for the bytes of each module.
    @inlinable
    package init(asciiLowercase bytes: some Swift.Collection<UInt8>) {
        self = String(
            decoding: bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
