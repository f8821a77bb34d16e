public import FleeceLite

/// The ID of a document's revision: a digest or a version vector, depending on the database.
///
/// ``Document/revisionID`` has this type. Two documents with the same ID and the same revision have
/// the same contents.
///
/// ```swift
/// switch document.revisionID {
/// case .digest(let generation, _): show("change \(generation) of \(document.id)")
/// case .vector(let vector): show("changed by \(vector.count) databases")
/// case nil: show("not a document")
/// }
/// ```
///
/// A digest contains the number of changes before it, but its ancestors are known only from a
/// ``RevisionTree``. A ``VersionVector`` can be compared with another one to find out which is
/// newer, or that they conflict.
///
/// Files of Couchbase Lite 4, and new files, have vectors; see ``Versioning``.
public enum RevisionID: Hashable, Sendable {
    /// Couchbase Lite 2 and 3: a counter and a digest of the contents.
    case digest(generation: UInt64, digest: [UInt8])
    /// Couchbase Lite 4.
    case vector(VersionVector)

    /// Reads a `version` column, or the ID of a tree revision.
    ///
    /// - Parameter bytes: the bytes, which are those of ``binary``.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if it has neither form.
    public init(binary bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { try RevisionID(binary: $0) }
    }

    /// Reads a borrowed `version` column, or the ID of a tree revision.
    ///
    /// - Parameter bytes: the bytes, which are copied as needed.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` if it has neither form.
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

    /// The bytes of a `version` column: a varint generation and the digest, or the vector's bytes.
    ///
    /// The first byte distinguishes both: it is 0 for a vector.
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

    /// The generation of a digest ID in binary form; nil if it is not one.
    static func generation(of bytes: [UInt8]) -> UInt64? {
        bytes.withUnsafeBytes { readGeneration($0)?.generation }
    }

    /// The generation, which is not 0, and the offset of the digest, which has at least one byte.
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
    /// The highest generation that other implementations support.
    static let maximumGeneration = UInt64(Int32.max)

    /// Computes the ID of a new revision: the same edit of the same revision has the same ID in
    /// every database.
    ///
    /// The digest is the SHA-1 of the length of the parent's text in a byte, that text, a byte for
    /// whether the revision is a deletion, and the body as canonical JSON: what LiteCore computes
    /// today. Releases up to 3.1 computed it from the body's Fleece; those digests never have to be
    /// recomputed.
    ///
    /// ```swift
    /// let first = try RevisionID.child(of: nil, isDeleted: false, body: document.properties)
    /// let deletion = try RevisionID.child(of: first, isDeleted: true, body: nil)
    /// ```
    ///
    /// It is only for files with revision trees. The time is proportional to the size of the body.
    ///
    /// - Parameters:
    ///   - parent: the revision that it replaces; nil for a first revision.
    ///   - isDeleted: whether the new revision deletes the document.
    ///   - body: the new properties; nil is the same as no properties.
    /// - Returns: a digest, whose generation is that of the parent plus 1.
    /// - Throws: ``StoreError/Code/badRevisionID`` if the parent is a version vector or has the
    ///   highest generation, ``StoreError/Code/corruptData`` if the body cannot be read.
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
