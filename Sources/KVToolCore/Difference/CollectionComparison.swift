package import DocumentStore

/// Compares two collections side by side, in the order of the IDs, in constant memory.
package struct CollectionComparison {
    /// The number of documents of each kind.
    package struct Counts {
        package var added = 0
        package var removed = 0
        package var changed = 0
        package var same = 0
        package var damaged = 0
        /// Collections that exist in only one database.
        var collections = 0

        package init(
            added: Int = 0, removed: Int = 0, changed: Int = 0, same: Int = 0, damaged: Int = 0,
            collections: Int = 0
        ) {
            self.added = added
            self.removed = removed
            self.changed = changed
            self.same = same
            self.damaged = damaged
            self.collections = collections
        }

        package var differences: Int { added + removed + changed + collections }

        package static func + (left: Counts, right: Counts) -> Counts {
            Counts(
                added: left.added + right.added, removed: left.removed + right.removed,
                changed: left.changed + right.changed, same: left.same + right.same,
                damaged: left.damaged + right.damaged,
                collections: left.collections + right.collections)
        }
    }

    /// A collection of a database.
    package struct Side {
        package let snapshot: Snapshot
        /// The database's path, for errors.
        package let path: String
        package let collection: DocumentCollection

        package init(snapshot: Snapshot, path: String, collection: DocumentCollection) {
            self.snapshot = snapshot
            self.path = path
            self.collection = collection
        }

        package func exists() throws -> Bool { try collection.exists(in: snapshot) }

        fileprivate func document(_ id: String) throws -> ComparedDocument? {
            guard try exists() else { return nil }
            return try collection.keyStore.get(id, content: .all, in: snapshot).map {
                try ComparedDocument(record: $0, sharedKeys: snapshot.requireSharedKeys())
            }
        }
    }

    package let left: Side
    package let right: Side
    let comparison: DocumentComparison
    package private(set) var counts = Counts()

    package init(_ left: Side, _ right: Side, _ comparison: DocumentComparison) {
        self.left = left
        self.right = right
        self.comparison = comparison
    }

    /// Compares all documents that the filter accepts, and the collections themselves.
    ///
    /// Reports a damaged document on standard error and continues.
    package mutating func run(
        _ filter: DocumentFilter, _ body: (DocumentChange) throws -> Void
    ) throws {
        if filter.isByID {
            for id in filter.ids {
                try compare(left.document(id), right.document(id), body)
            }
            return
        }
        try merge(
            DocumentCursor(left.collection, filter, in: left.snapshot),
            DocumentCursor(right.collection, filter, in: right.snapshot), body)
        let (isLeft, isRight) = (try left.exists(), try right.exists())
        if isLeft != isRight {
            let kind = isLeft ? DocumentChange.Kind.removed : .added
            counts.collections += 1
            try body(DocumentChange(collection: left.collection.name, id: nil, kind: kind))
        }
    }

    /// Compares two documents, which may have different IDs.
    ///
    /// - Returns: whether at least one of them exists.
    package mutating func run(
        _ leftID: String, _ rightID: String, _ body: (DocumentChange) throws -> Void
    ) throws -> Bool {
        let (old, new) = (try left.document(leftID), try right.document(rightID))
        try compare(old, new, body)
        return old != nil || new != nil
    }

    private mutating func merge(
        _ olds: DocumentCursor, _ news: DocumentCursor, _ body: (DocumentChange) throws -> Void
    ) throws {
        var (old, new) = (try olds.next(), try news.next())
        while old != nil || new != nil {
            let order = Self.order(old, new)
            try compare(order <= 0 ? old : nil, order >= 0 ? new : nil, body)
            if order <= 0 { old = try olds.next() }
            if order >= 0 { new = try news.next() }
        }
    }

    /// The order of two documents by ID: negative, positive, or 0 for equal IDs.
    private static func order(_ old: ComparedDocument?, _ new: ComparedDocument?) -> Int {
        guard let old else { return 1 }
        guard let new else { return -1 }
        // By bytes, like the order of the collection.
        if old.id.utf8.elementsEqual(new.id.utf8) { return 0 }
        return old.id.utf8.lexicographicallyPrecedes(new.id.utf8) ? -1 : 1
    }

    private mutating func compare(
        _ old: ComparedDocument?, _ new: ComparedDocument?,
        _ body: (DocumentChange) throws -> Void
    ) throws {
        do {
            guard let change = try comparison.compare(old, new, in: left.collection.name) else {
                counts.same += old?.isDeleted == false ? 1 : 0
                return
            }
            switch change.kind {
            case .added: counts.added += 1
            case .removed: counts.removed += 1
            case .changed: counts.changed += 1
            }
            try body(change)
        } catch let error as StoreError where error.has(.corruptData) {
            counts.damaged += 1
            StandardError.current.write(
                "\(left.path), \(right.path): \(error.messageForPeople)", status: .damaged)
        }
    }
}
