extension Collection {
    /// Deletes a document: a tombstone takes its place.
    ///
    /// - Returns: what was saved; nil if there is no such document, or it is deleted already.
    ///
    /// Throws `.unsupported` if its history is of a kind that this version cannot carry on.
    public func delete(_ id: String, in transaction: Transaction) throws -> Saved? {
        try requireExistence(in: transaction)
        guard let old = try keyStore.get(id, in: transaction), !old.flags.contains(.deleted) else {
            return nil
        }
        let version = try transaction.newVersion(after: try old.carriedVector(), id: id)
        let update = RecordUpdate(
            version: version.binary, body: nil, flags: .deleted,
            sequence: try transaction.nextSequence(keyStore.name))
        // The new row first: if its place is taken nothing has been done yet.
        let isMoved =
            try keyStore.insert(
                id, update, dead: true, expiration: old.expiration, in: transaction)
            && keyStore.remove(old, in: transaction)
        guard isMoved else { throw StoreError.lostRow(id) }
        return Saved(id: id, version, update.sequence, isNew: false)
    }

    /// Removes a document or tombstone without a trace in the collection.
    ///
    /// - Returns: whether there was one.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        guard let old = try keyStore.get(id, content: .metadata, in: transaction) else {
            return false
        }
        guard try keyStore.remove(old, in: transaction) else { throw StoreError.lostRow(id) }
        try transaction.countPurge(keyStore.name, dead: old.isInDeadTable)
        return true
    }
}
