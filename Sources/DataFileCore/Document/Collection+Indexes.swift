internal import StoreFormat

extension Collection {
    /// Makes an index, and fills it with what the collection has; nothing if there is the same one.
    ///
    /// An index of the same name and another definition is made anew. SQLite, and triggers of the
    /// collection's table, keep it current from then on.
    ///
    /// Costs a pass over all documents, in the transaction: nobody else writes meanwhile.
    ///
    /// - Parameter progress: called every now and then, on this thread, in the middle of a
    ///   statement: the transaction cannot be used in it. False ends the making with a
    ///   `CancellationError`, and nothing of it is left.
    /// - Returns: whether anything was made.
    ///
    /// Throws `.notFound` if there is no such collection; `.invalidQuery` for expressions that
    /// have no meaning in an index; `.invalidParameter` for a name that another index has, or that
    /// cannot be one.
    @discardableResult
    public func createIndex(
        _ spec: IndexSpec, in transaction: Transaction,
        progress: ((IndexProgress) -> Bool)? = nil
    ) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.createIndex(spec, in: transaction, progress: progress)
    }

    /// Deletes an index, with the tables that no other index uses.
    ///
    /// - Returns: whether the collection had such an index.
    @discardableResult
    public func deleteIndex(_ name: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.deleteIndex(name, in: transaction)
    }

    /// Makes an index anew from the documents, for one that has been found wrong or that was
    /// written with another platform's order of texts.
    ///
    /// Throws `.notFound` if the collection has no such index, `.unsupported` for one of vectors
    /// or whose definition the file does not say, `CancellationError` if `progress` is false.
    public func rebuildIndex(
        _ name: String, in transaction: Transaction, progress: ((IndexProgress) -> Bool)? = nil
    ) throws {
        try requireExistence(in: transaction)
        try keyStore.rebuildIndex(name, in: transaction, progress: progress)
    }

    /// The collection's indexes, sorted by name.
    public func indexes(in snapshot: Snapshot) throws -> [IndexInfo] {
        try requireExistence(in: snapshot)
        return try snapshot.indexes().filter { $0.keyStore == keyStore.name }
    }
}
