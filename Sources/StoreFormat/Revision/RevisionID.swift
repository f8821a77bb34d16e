public import FleeceLite

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

extension RevisionID {
    /// The highest generation that other engines can count to.
    static let maximumGeneration = UInt64(Int32.max)

    /// The id of a new revision: the same edit of the same revision gets the same one everywhere.
    ///
    /// The digest is the SHA-1 of the length of the parent's text in a byte, that text, a byte for
    /// whether it deletes, and the body as canonical JSON: what LiteCore computes today. Files of
    /// releases up to 3.1 have digests of the body's Fleece instead, which nobody has to recompute.
    /// - Parameters:
    ///   - parent: the revision that is replaced, nil for a first one.
    ///   - isDeleted: whether the new revision deletes the document.
    ///   - body: the new properties; nil is as good as none.
    ///
    /// Throws `.badRevisionID` if a version vector or the highest generation is to be replaced,
    /// `.corruptData` if the body cannot be read.
    public static func child(
        of parent: RevisionID?, isDeleted: Bool, body: FleeceDictionary?
    ) throws -> RevisionID {
        var generation: UInt64 = 1
        var parentText = ""
        if let parent {
            guard case .digest(let before, _) = parent, before < maximumGeneration else {
                throw StoreError(
                    .badRevisionID, "the revision \(parent) cannot be followed by a digest")
            }
            generation = before + 1
            parentText = parent.description
        }
        let text = parentText.utf8.prefix(255)
        var hash = SHA1()
        hash.add(CollectionOfOne(UInt8(text.count)))
        hash.add(text)
        hash.add(CollectionOfOne(UInt8(isDeleted ? 1 : 0)))
        hash.add(try canonicalJSON(of: body))
        return .digest(generation: generation, digest: hash.digest())
    }

    private static func canonicalJSON(of body: FleeceDictionary?) throws -> [UInt8] {
        guard let body else { return Array("{}".utf8) }
        var writer = JSONWriter(options: .init(canonical: true, maximumBytes: 1 << 28))
        do {
            try writer.write(body, after: [])
        } catch {
            throw StoreError(
                .corruptData, "the body of a new revision cannot be read: \(error)",
                underlying: error)
        }
        return writer.text.utf8
    }
}
