internal import SQLCore

extension KeyStore {
    /// Makes the store, with a table for tombstones if it is a collection's; nothing if the file
    /// has it already.
    ///
    /// Throws `.invalidParameter` for a name that no store can have, or whose tables' names are
    /// taken.
    public func create(in transaction: Transaction) throws {
        try transaction.wrapping(name) {
            let session = try transaction.writing()
            guard try session.storeTables(name) == nil else { return }
            try StoreSchema.create(name, in: session.context)
            session.forgetSchema(of: name)
        }
    }

    /// Deletes the store with all that belongs to it: its records, tombstones and indexes.
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
            session.forgetSchema(of: name)
            transaction.state.recovered.forget(name)
            transaction.deletedStores.insert(name)
            defer { session.forgetSchema(of: name) }
            return try StoreSchema.delete(name, in: session.context)
        }
    }
}
