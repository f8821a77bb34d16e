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
}
