extension RevisionID: CustomStringConvertible {
    /// As Couchbase Lite prints it: `2-0f3a…`, or `18e9f0b79eed0000@*` for the current version.
    public var description: String {
        switch self {
        case .digest(let generation, let digest): "\(generation)-\(Self.hexadecimal(digest))"
        case .vector(let vector): vector.currentText
        }
    }

    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 2 * bytes.count
        }
    }
}

extension RevisionID {
    /// Reads the text of a digest, `2-0f3a…`: a generation from 1 on and hexadecimal digits.
    ///
    /// Throws `.badRevisionID`, also for an id of more than 42 bytes, which other engines do not
    /// read.
    public init(_ text: String) throws {
        if text.utf8.contains(UInt8(ascii: "@")) {
            self = .vector(try VersionVector(text: text))
            return
        }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let generation = Self.decimal(parts[0]),
            let digest = Self.bytes(hexadecimal: parts[1])
        else {
            throw StoreError(
                .badRevisionID,
                "\"\(text.prefix(100))\" is no revision id; one looks like 2-0f3a or "
                    + "18e9f0b79eed0000@*"
            )
        }
        self = .digest(generation: generation, digest: digest)
        guard binary.count <= RevisionTree.maximumIDLength else {
            throw StoreError(
                .badRevisionID,
                "the revision id \"\(text.prefix(100))…\" has \(binary.count) bytes; "
                    + "\(RevisionTree.maximumIDLength) are allowed")
        }
    }

    /// A number without a sign or zeros before it.
    private static func decimal(_ text: Substring.UTF8View) -> UInt64? {
        guard let first = text.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        return UInt64(Substring(text))
    }

    private static func bytes(hexadecimal text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        return high == nil && !bytes.isEmpty ? bytes : nil
    }
}
