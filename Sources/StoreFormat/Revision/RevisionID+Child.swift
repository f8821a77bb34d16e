public import FleeceLite

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
