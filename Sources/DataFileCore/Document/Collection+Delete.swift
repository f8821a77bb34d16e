extension Collection {
    /// Deletes a document: a tombstone takes its place.
    ///
    /// - Returns: what was saved; nil if there is no such document, or it is deleted already.
    ///
    /// Throws `.unsupported` if its history is of a kind that this version cannot carry on.
    public func delete(_ id: String, in transaction: Transaction) throws -> Saved? {
        try requireExistence(in: transaction)
        try transaction.requireVersionVectors()
        guard let old = try keyStore.get(id, in: transaction), !old.flags.contains(.deleted) else {
            return nil
        }
        let version = try transaction.newVersion(after: try old.carriedVector(), id: id)
        let update = RecordUpdate(
            id, version: version.binary, body: nil, flags: .deleted,
            expecting: .revision(of: old))
        guard case .saved(let sequence, _) = try keyStore.put(update, in: transaction) else {
            throw StoreError.lostRow(id)
        }
        return Saved(id: id, version, sequence, isNew: false)
    }

    /// Removes a document or tombstone without a trace in the collection.
    ///
    /// - Returns: whether there was one.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.purge(id, in: transaction)
    }
}
