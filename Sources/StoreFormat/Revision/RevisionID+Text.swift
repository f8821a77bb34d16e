internal import StorePlatform

extension RevisionID: CustomStringConvertible {
    /// The text in Couchbase Lite's form: `2-0f3a…`, or `18e9f0b79eed0000@*` for the current
    /// version.
    ///
    /// A digest can be read again with ``init(_:)``. Of a vector, only the first version is
    /// included; see ``VersionVector/text``.
    public var description: String {
        switch self {
        case .digest(let generation, let digest): "\(generation)-\(Hexadecimal.encoded(digest))"
        case .vector(let vector): vector.currentText
        }
    }
}

extension RevisionID {
    /// Reads the text of a revision ID: a digest such as `2-0f3a…`, or a version vector.
    ///
    /// ```swift
    /// let digest = try RevisionID("2-0f3a")
    /// let version = try RevisionID("18e9f0b79eed0000@*")
    /// ```
    ///
    /// - Parameter text: a generation starting at 1, `-` and hexadecimal digits; or, if it contains
    ///   `@`, the text of a ``VersionVector``.
    /// - Throws: ``StoreError/Code/badRevisionID``, also for an ID of more than 42 bytes, which
    ///   other implementations do not read.
    public init(_ text: String) throws {
        if text.utf8.contains(UInt8(ascii: "@")) {
            self = .vector(try VersionVector(text: text))
            return
        }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let generation = Self.decimal(parts[0]),
            let digest = Hexadecimal.decoded(parts[1]), !digest.isEmpty
        else {
            throw StoreError(
                .badRevisionID,
                "\"\(text.prefix(100))\" is not a revision id, such as 2-0f3a or "
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

    /// A decimal number without a sign or leading zeros.
    private static func decimal(_ text: Substring.UTF8View) -> UInt64? {
        guard let first = text.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(first)
        else { return nil }
        return UInt64(Substring(text))
    }
}
