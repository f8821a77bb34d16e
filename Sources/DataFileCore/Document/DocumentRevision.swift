public import FleeceLite
public import StoreFormat

/// A revision of a document other than the current one, with its body if that is stored.
///
/// It is what ``DocumentHistory/conflicts()`` returns, and what
/// ``DocumentCollection/resolveConflicts(of:in:_:)`` passes to its closure:
///
/// ```swift
/// for other in try history.conflicts() {
///     show(other.id, other.remotes, other.properties?["age"]?.int ?? 0)
/// }
/// ```
public struct DocumentRevision: Sendable {
    /// The revision's ID.
    public let id: RevisionID
    /// The document's flags in this revision.
    public let flags: DocumentFlags
    /// The properties; nil if it has none, as a deletion, or if they are not stored.
    public let properties: FleeceDictionary?
    /// The numbers of the remotes whose latest revision it is; ``Snapshot/remotes()`` has their
    /// addresses.
    public let remotes: [Int]

    /// Whether the revision deletes the document.
    public var isDeleted: Bool { flags.contains(.deleted) }
}

extension DocumentHistory {
    /// The unmerged revisions that conflict with the current one; their bodies are stored.
    ///
    /// ```swift
    /// let history = try file.read { try people.history(of: "ada", in: $0) }
    /// let isConflicted = try history?.conflicts().isEmpty == false
    /// ```
    ///
    /// The flag ``DocumentFlags/conflicted`` states without reading the history whether there are
    /// any.
    ///
    /// - Throws: ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if one
    ///   of them is damaged.
    public func conflicts() throws -> [DocumentRevision] {
        switch form {
        case .tree(let tree):
            try tree.conflicts.map { try revision($0, of: tree) }
        case .vector(_, let remotes):
            remotes.all.filter { $0.flags.contains(.conflicted) }.map { remote in
                DocumentRevision(
                    id: remote.revisionID, flags: remote.flags.subtracting(.conflicted),
                    properties: remote.properties, remotes: [remote.remote])
            }
        }
    }

    /// The body of a revision as a separate Fleece document.
    ///
    /// Throws `.corruptData`, which names the document.
    package func document(_ body: [UInt8]) throws -> FleeceDocument {
        do {
            return try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
        } catch {
            throw Document.damaged(id, error)
        }
    }

    /// A revision of the tree, by its index.
    func revision(_ index: Int, of tree: RevisionTree) throws -> DocumentRevision {
        let revision = tree.revisions[index]
        let body =
            try index == 0
            ? self.body
            : revision.body.flatMap {
                $0.isEmpty ? nil : try document($0)
            }
        return DocumentRevision(
            id: try RevisionID(binary: revision.id), flags: revision.flags.ofDocument,
            properties: body?.root.dictionary,
            remotes: tree.remotes.filter { $0.revision == index }.map { Int($0.number) })
    }
}
