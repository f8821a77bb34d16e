extension KeyStore {
    /// Deletes the store with all that belongs to it: its records, tombstones and indexes. What
    /// stays is the count of its sequences: a store of the same name that is made later goes on
    /// from there, so that nobody who remembers a sequence misses its changes.
    ///
    /// - Returns: whether there was such a store.
    ///
    /// Throws `.invalidParameter` for the stores of the default collection and of `info`, which
    /// every file has.
    @discardableResult
    public func delete(in transaction: Transaction) throws -> Bool {
        try transaction.wrapping(name) {
            let session = try transaction.writing()
            transaction.endReaders()
            if let tables = try session.storeTables(name) { try transaction.keepCounts(tables) }
            session.forgetSchema(of: name)
            transaction.state.recovered.forget(name)
            transaction.deletedStores.insert(name)
            defer { session.forgetSchema(of: name) }
            guard try StoreSchema.delete(name, in: session.context) else { return false }
            try transaction.forgetGoneIndexes()
            return true
        }
    }
}
