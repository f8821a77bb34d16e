extension DocumentCollection {
    /// The result of saving a batch of documents: how many were saved, and which were not because
    /// of a conflict.
    public struct BatchResult: Sendable {
        /// The number of saved documents.
        public internal(set) var saved = 0
        /// The IDs of documents that were changed after they were read, and were not saved, in the
        /// order of the batch. Empty if the handler resolves all conflicts.
        public internal(set) var conflicts: [String] = []
    }

    /// Saves a sequence of documents, which may be lazy, in one transaction.
    ///
    /// ```swift
    /// let batch = try file.write { transaction in
    ///     try people.save(
    ///         contentsOf: (1...5000).lazy.map { MutableDocument(nil, ["number": .int($0)]) },
    ///         onConflict: .lastWriteWins, in: transaction, every: 1000
    ///     ) { count in show("\(count) documents") }
    /// }
    /// if !batch.conflicts.isEmpty { show("not saved", batch.conflicts) }
    /// ```
    ///
    /// A transaction for each document would be several times slower, and much slower where each
    /// commit is synced. The documents themselves are not updated; to change them again, read them.
    ///
    /// - Parameters:
    ///   - documents: new or changed documents.
    ///   - onConflict: how to handle documents that were changed after they were read; by default
    ///     they are skipped.
    ///   - transaction: the transaction to save in.
    ///   - interval: the number of documents between two calls of `progress`; 1000 by default.
    ///   - progress: called with the number of processed documents, also at the end; an error that
    ///     it throws ends the batch.
    /// - Returns: the number of saved documents, and the conflicts.
    /// - Throws: what `progress` and the handler throw, and as saving one document does. The whole
    ///   transaction is rolled back if the error is passed on.
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
    /// ```swift
    /// let count = try file.write { transaction in
    ///     try orders.save(
    ///         contentsOf: (1...1000).lazy.map { number in
    ///             ("order-\(number)", Order(customer: "ada", total: 9.5, number: number))
    ///         }, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - values: pairs of an ID, nil to generate one, and a value; may be a lazy sequence.
    ///   - transaction: the transaction to save in.
    ///   - interval: the number of values between two calls of `progress`; 1000 by default.
    ///   - progress: called with the number of written values, also at the end; an error that it
    ///     throws ends the batch.
    /// - Returns: the number of written values.
    /// - Throws: what `progress` throws, and as saving one value does. The whole transaction is
    ///   rolled back if the error is passed on.
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
    /// Writes a value whose `id` is the document's ID, replacing an existing document.
    ///
    /// ```swift
    /// struct Country: Codable, Sendable, Identifiable { var id: String, people: Int }
    /// let countries = DocumentCollection(.default).of(Country.self)
    /// _ = try file.write { try countries.save(Country(id: "ch", people: 9_000_000), in: $0) }
    /// ```
    ///
    /// The property `id` is stored in the document, too. Throws as ``save(_:id:in:)`` does.
    public func save(_ value: Value, in transaction: Transaction) throws -> DocumentCollection.Saved
    {
        try save(value, id: value.id, in: transaction)
    }
}
