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
        self = try bytes.withUnsafeBytes { try RevisionID(binary: $0) }
    }

    /// Reads a `version` column, or an id of a revision tree, from bytes that are lent.
    ///
    /// Throws `.corruptRevisionData` if it is neither form.
    public init(binary bytes: UnsafeRawBufferPointer) throws {
        if bytes.first == 0 {
            self = .vector(try VersionVector(binary: [UInt8](bytes)))
            return
        }
        guard let (generation, end) = Self.readGeneration(bytes) else {
            throw StoreError(
                .corruptRevisionData, "a revision id of \(bytes.count) bytes is damaged")
        }
        self = .digest(generation: generation, digest: [UInt8](bytes[end...]))
    }

    /// The bytes of a `version` column: a varint generation and the digest, or the vector's.
    public var binary: [UInt8] {
        switch self {
        case .digest(let generation, let digest):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Varint.maximumLength + digest.count)
            Varint.append(generation, to: &bytes)
            bytes.append(contentsOf: digest)
            return bytes
        case .vector(let vector): return vector.binary
        }
    }

    /// The generation of a digest in binary form, nil if it is none.
    static func generation(of bytes: [UInt8]) -> UInt64? {
        bytes.withUnsafeBytes { readGeneration($0)?.generation }
    }

    /// The generation, not 0, and where the digest begins, of which there must be a byte.
    private static func readGeneration(
        _ bytes: UnsafeRawBufferPointer
    ) -> (generation: UInt64, end: Int)? {
        guard let base = bytes.baseAddress,
            let (generation, end) = Varint.read(base, at: 0, limit: bytes.count),
            generation > 0, end < bytes.count
        else { return nil }
        return (generation, end)
    }
}
