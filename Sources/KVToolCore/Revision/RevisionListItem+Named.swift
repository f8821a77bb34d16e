package import DocumentStore

extension RevisionListItem {
    /// Returns the revision whose ID is, or begins with, this text.
    ///
    /// - Throws: `.notFound` if it does not exist, or its body is not stored; `.badRevisionID` if
    ///   the prefix is ambiguous.
    package static func named(
        _ text: String, of document: Document, in collection: DocumentCollection,
        _ snapshot: Snapshot
    ) throws -> RevisionListItem {
        guard let history = try collection.history(of: document.id, in: snapshot) else {
            throw StoreError(.notFound, "document \"\(Text.line(document.id))\" no longer exists")
        }
        return try named(text, of: history.revisionList(), document.id)
    }

    /// Returns the revision whose ID is, or begins with, this text; its body must be stored.
    package static func named(
        _ text: String, of all: [RevisionListItem], _ documentID: String
    ) throws -> RevisionListItem {
        let found = all.filter { $0.id.description == text }
        let candidates =
            found.isEmpty && !text.isEmpty
            ? all.filter { $0.id.description.hasPrefix(text) } : found
        let document = "document \"\(Text.line(documentID))\""
        guard let revision = candidates.first else {
            throw StoreError(.notFound, "\(document) has no revision \(Text.line(text))")
        }
        guard candidates.count == 1 else {
            throw StoreError(
                .badRevisionID,
                "\(document) has \(candidates.count) revisions that begin with \(Text.line(text))")
        }
        guard revision.isCurrent || revision.bodySize != nil || revision.isDeleted else {
            throw StoreError(
                .notFound,
                "the body of revision \(revision.id) of \(document) is not stored; use revs to see "
                    + "which ones are"
            )
        }
        return revision
    }

    /// The properties; an empty dictionary if there are none.
    package func value() throws -> FleeceValue {
        if let properties { return properties.value }
        return try FleeceDocument(json: "{}").root
    }
}

/// Draws the lines from each revision to its children.
///
///     1-a
///     2-b
///     ├─ 3-c
///     └─ 3-d
///        4-e
package enum RevisionDrawing {
    /// The prefix of each revision; a parent precedes its children.
    package static func prefixes(parents: [Int?]) -> [String] {
        var children = [Int?: [Int]]()
        for (index, parent) in parents.enumerated() { children[parent, default: []].append(index) }
        var prefixes: [String] = []
        // The prefixes of the descendants of each.
        var continuations: [String] = []
        for (index, parent) in parents.enumerated() {
            let before = parent.map { continuations[$0] } ?? ""
            let siblings = children[parent] ?? []
            guard parent != nil, siblings.count > 1 else {
                prefixes.append(before)
                continuations.append(before)
                continue
            }
            let isLast = siblings.last == index
            prefixes.append(before + (isLast ? "└─ " : "├─ "))
            continuations.append(before + (isLast ? "   " : "│  "))
        }
        return prefixes
    }
}
