extension DocumentCollection {
    /// What saving many documents did.
    public struct BatchResult: Sendable {
        /// How many were saved.
        public internal(set) var saved = 0
        /// The ids of those that had been changed since they were read, and were not saved.
        public internal(set) var conflicts: [String] = []
    }

    /// Saves many documents in one transaction; they may come from a lazy sequence.
    ///
    /// - Parameters:
    ///   - onConflict: what to do with one that has been changed since it was read.
    ///   - interval: how many documents there are between two calls of `progress`.
    ///   - progress: told how many have been looked at; what it throws ends the batch.
    ///
    /// Throws what `progress` and the handler throw, and as `save` of one does. The whole
    /// transaction is undone if the error is passed on.
    public func save(
        contentsOf documents: some Sequence<MutableDocument>,
        onConflict: ConflictHandler = .failOnConflict, in transaction: Transaction,
        every interval: Int = 1000, progress: (_ count: Int) throws -> Void = { _ in }
    ) throws -> BatchResult {
        var result = BatchResult()
        var count = 0
        for var document in documents {
            let id = document.id
            switch try save(&document, onConflict: onConflict, in: transaction) {
            case .saved: result.saved += 1
            case .conflict: result.conflicts.append(id)
            }
            count += 1
            if count % max(interval, 1) == 0 { try progress(count) }
        }
        if count % max(interval, 1) != 0 { try progress(count) }
        return result
    }
}

extension TypedCollection {
    /// Writes many values in one transaction, over the documents that there are.
    ///
    /// - Parameters:
    ///   - values: pairs of an id, nil to have one made up, and a value; may be a lazy sequence.
    ///   - interval: how many values there are between two calls of `progress`.
    ///   - progress: told how many have been written; what it throws ends the batch.
    /// - Returns: how many were written.
    ///
    /// Throws what `progress` throws, and as `save` of one does. The whole transaction is undone if
    /// the error is passed on.
    @discardableResult
    public func save(
        contentsOf values: some Sequence<(id: String?, value: Value)>,
        in transaction: Transaction, every interval: Int = 1000,
        progress: (_ count: Int) throws -> Void = { _ in }
    ) throws -> Int {
        var count = 0
        for (id, value) in values {
            _ = try save(value, id: id, in: transaction)
            count += 1
            if count % max(interval, 1) == 0 { try progress(count) }
        }
        if count % max(interval, 1) != 0 { try progress(count) }
        return count
    }
}

extension TypedCollection where Value: Identifiable, Value.ID == String {
    /// Writes a value whose own id is the document's.
    ///
    /// Throws as `save(_:id:in:)` does.
    public func save(_ value: Value, in transaction: Transaction) throws -> DocumentCollection.Saved
    {
        try save(value, id: value.id, in: transaction)
    }
}
