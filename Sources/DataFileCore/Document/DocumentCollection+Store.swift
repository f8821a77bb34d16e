internal import FleeceLite
package import StoreFormat

extension DocumentCollection {
    /// Writes a revision, replacing an existing document.
    func store(
        _ id: String, _ new: NewRevision, in transaction: Transaction
    ) throws -> Saved {
        if let saved = try storeFirst(id, new, in: transaction) { return saved }
        let old = try keyStore.get(id, in: transaction)
        transaction.expectsNewDocuments = old == nil
        return try store(id, new, over: old, in: transaction)
    }

    /// The usual case of an import, in one statement; nil if the ID exists, or in other cases.
    private func storeFirst(
        _ id: String, _ new: NewRevision, in transaction: Transaction
    ) throws -> Saved? {
        guard transaction.expectsNewDocuments,
            try transaction.writtenVersioning() == .versionVectors,
            try !keyStore.tables(in: transaction).hasTombstones(in: transaction.connection())
        else { return nil }
        return try storePlain(id, new, after: nil, .absent, in: transaction)
    }

    /// Writes a revision over a row that was read in this transaction; nil if it did not exist.
    func store(
        _ id: String, _ new: NewRevision, over old: Record?, in transaction: Transaction
    ) throws -> Saved {
        let versioning = try transaction.writtenVersioning()
        let vector = try old?.plainVector()
        let isBare = old?.isBareTombstone ?? true
        if vector != nil || isBare && versioning == .versionVectors {
            let saved = try storePlain(
                id, new, after: vector, .state(of: old),
                wasDeleted: old?.flags.contains(.deleted) ?? false, in: transaction)
            guard let saved else { throw StoreError.lostRow(id) }
            return saved
        }
        var history =
            try old.map { try DocumentHistory($0, sharedKeys: transaction.sharedKeys) }
            ?? DocumentHistory(newTree: id, sharedKeys: new.sharedKeys)
        if versioning == .versionVectors { history = try history.upgradedToVector() }
        let isNew = history.revisionID == nil || history.isDeleted
        try history.add(new, maximumDepth: transaction.maximumTreeDepth()) {
            try transaction.newTime(after: $0, id: id)
        }
        return try write(history, isNew: isNew, over: old, in: transaction)
    }

    /// Writes a revision to a row that only has a vector and a body; nil if the row is not as
    /// expected or, if compared, has another version than `old`.
    func storePlain(
        _ id: String, _ new: NewRevision, after old: VersionVector?,
        _ expectation: RecordUpdate.Expectation, wasDeleted: Bool = false,
        comparesVersion: Bool = false, in transaction: Transaction
    ) throws -> Saved? {
        let vector = try transaction.newVersion(after: old, id: id)
        let result = try vector.withBinary { version in
            try (comparesVersion ? old : nil).withOptionalBinary { oldVersion in
                let row = RowContent(
                    version: version, body: new.body, extra: nil, flags: new.flags,
                    oldVersion: oldVersion)
                return try keyStore.put(id, row, expecting: expectation, in: transaction)
            }
        }
        guard case .saved(let sequence, let subsequence) = result else { return nil }
        return Saved(
            id: id, revisionID: .vector(vector), sequence: sequence, subsequence: subsequence,
            isNew: old == nil || wasDeleted, isPlain: true)
    }

    /// Writes a history over a row that was read in this transaction; nil if it did not exist.
    @discardableResult
    package func write(
        _ history: DocumentHistory, isNew: Bool = false, over old: Record?,
        keepsSequence: Bool = false, in transaction: Transaction
    ) throws -> Saved {
        // Trees are never written in the form of Couchbase Lite 2.
        _ = try transaction.writtenVersioning()
        let row = try history.row()
        let result = try row.withContent {
            try keyStore.put(
                history.id, $0, expecting: .state(of: old), keepsSequence: keepsSequence,
                in: transaction)
        }
        guard case .saved(let sequence, let subsequence) = result,
            let revisionID = row.revisionID
        else { throw StoreError.lostRow(history.id) }
        return Saved(
            id: history.id, revisionID: revisionID, sequence: sequence, subsequence: subsequence,
            isNew: isNew, isPlain: false)
    }
}

extension VersionVector? {
    /// Lends the bytes of a `version` column.
    @inline(__always)
    fileprivate func withOptionalBinary<T>(
        _ body: (UnsafeRawBufferPointer?) throws -> T
    ) rethrows -> T {
        guard let self else { return try body(nil) }
        return try self.withBinary { try body($0) }
    }
}

extension StoreError {
    /// A row that was read in this transaction no longer exists, or its sequence is taken.
    static func lostRow(_ id: String) -> StoreError {
        StoreError(
            .conflict,
            "document \"\(id)\" could not be stored: its row changed or its sequence is taken")
    }
}
