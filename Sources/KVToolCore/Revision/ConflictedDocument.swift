package import DocumentStore

/// A document of which a file has several revisions that do not descend from each other, as
/// replication keeps them.
package struct ConflictedDocument: Sendable {
    /// One of the revisions.
    package struct Side: Sendable {
        /// `local` for the current revision, `remote` for the only other one; of several others,
        /// the ID.
        package let name: String
        package let revision: RevisionListItem

        package var id: RevisionID { revision.id }
        package var isDeleted: Bool { revision.isDeleted }
    }

    package let collection: CollectionName
    package let id: String
    /// The current revision first.
    package let sides: [Side]
    /// The nearest revision from which all sides descend; nil if the file does not have it.
    package let ancestor: RevisionListItem?
    /// The side that wins if the last writer does.
    package let latest: Side

    /// Reads a document; nil if it has no conflict.
    ///
    /// - Parameter isLater: whether a revision wins against another one.
    /// - Throws: `.notFound` if the document does not exist, `.corruptData` or
    ///   `.corruptRevisionData` if it is damaged.
    package init?(
        _ id: String, in collection: DocumentCollection, _ snapshot: Snapshot,
        isLater: (RevisionID, RevisionID) -> Bool
    ) throws {
        guard let history = try collection.history(of: id, in: snapshot) else {
            throw StoreError(.notFound, MissingDocument.message(id, collection.name))
        }
        let list = try history.revisionList()
        let others = list.indices.filter { list[$0].isUnresolved && !list[$0].isCurrent }
        guard let current = list.firstIndex(where: \.isCurrent), !others.isEmpty else { return nil }
        self.collection = collection.name
        self.id = id
        let local = Side(name: Self.local, revision: list[current])
        sides =
            [local]
            + others.map { index in
                let other = list[index]
                let name = others.count == 1 ? Self.remote : other.id.description
                return Side(name: name, revision: other)
            }
        ancestor = try history.commonAncestor()
        latest = sides.dropFirst().reduce(local) { isLater($1.id, $0.id) ? $1 : $0 }
    }

    package static let local = "local"
    package static let remote = "remote"

    /// The current revision.
    package var current: Side { sides[0] }
    /// The revisions other than the current one.
    package var others: [Side] { Array(sides.dropFirst()) }

    /// The properties of the ancestor; nil if they are not known.
    package var ancestorProperties: FleeceDictionary? {
        ancestor.flatMap { $0.isDeleted ? nil : $0.properties }
    }

    /// The ID of the document, and its collection unless that is the default one.
    package var title: String {
        "\"\(id)\"" + (collection == .default ? "" : " of \(collection)")
    }
}
