internal import FleeceLite

/// A revision of a document, in the form of its database: a digest or a version vector.
public enum RevisionID: Hashable, Sendable {
    /// Couchbase Lite 2 and 3: a counter and a digest of the contents.
    case digest(generation: UInt64, digest: [UInt8])
    /// Couchbase Lite 4.
    case vector(VersionVector)

    /// Reads a `version` column, or an id of a revision tree.
    ///
    /// Throws `.corruptRevisionData` if it is neither form.
    public init(binary bytes: [UInt8]) throws {
        if VersionVector.isVector(bytes) {
            self = .vector(try VersionVector(binary: bytes))
            return
        }
        let generation = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { Varint.read($0, at: 0, limit: bytes.count) }
        }
        guard let generation, generation.end < bytes.count else {
            throw StoreError(
                .corruptRevisionData, "a revision id of \(bytes.count) bytes is damaged")
        }
        self = .digest(
            generation: generation.value, digest: [UInt8](bytes[generation.end...]))
    }
}

extension RevisionID: CustomStringConvertible {
    /// As Couchbase Lite prints it: `2-0f3a…`, or `18e9f0b79eed0000@*` for the current version.
    public var description: String {
        switch self {
        case .digest(let generation, let digest): "\(generation)-\(Self.hexadecimal(digest))"
        case .vector(let vector): vector.currentText
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
