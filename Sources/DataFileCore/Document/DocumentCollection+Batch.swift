extension DocumentCollection {
    /// The result of saving a batch of documents.
    public struct BatchResult: Sendable {
        /// The number of saved documents.
        public internal(set) var saved = 0
        /// The ids of documents that were changed after they were read, and were not saved.
        public internal(set) var conflicts: [String] = []
    }

    /// Saves a sequence of documents, which may be lazy, in one transaction.
    ///
    /// - Parameters:
    ///   - onConflict: how to handle documents that were changed after they were read.
    ///   - interval: the number of documents between two calls of `progress`.
    ///   - progress: called with the number of processed documents; an error that it throws ends
    ///     the batch.
    ///
    /// Throws what `progress` and the handler throw, and as saving one document does. The whole
    /// transaction is rolled back if the error is passed on.
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
    /// Writes a sequence of values in one transaction, replacing existing documents.
    ///
    /// - Parameters:
    ///   - values: pairs of an id, nil to generate one, and a value; may be a lazy sequence.
    ///   - interval: the number of values between two calls of `progress`.
    ///   - progress: called with the number of written values; an error that it throws ends the
    ///     batch.
    /// - Returns: the number of written values.
    ///
    /// Throws what `progress` throws, and as saving one value does. The whole transaction is rolled
    /// back if the error is passed on.
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
    /// Writes a value whose `id` is the document's id.
    ///
    /// Throws as `save(_:id:in:)` does.
    public func save(_ value: Value, in transaction: Transaction) throws -> DocumentCollection.Saved
    {
        try save(value, id: value.id, in: transaction)
    }
}
