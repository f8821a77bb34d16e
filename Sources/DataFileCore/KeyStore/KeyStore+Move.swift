internal import SQLCore

extension KeyStore {
    /// Moves a record or tombstone into another store, where it gets a new sequence; its
    /// expiration goes along. In its old store it counts as purged.
    ///
    /// - Parameters:
    ///   - newKey: its key there; nil for the one it has.
    ///   - expectation: the state that it must be in; nil for any.
    /// - Returns: the sequence that it has got; `.conflict` if it is not as expected, is not there,
    ///   or the other store has a record of the key.
    ///
    /// Throws `.notFound` if the file lacks one of the stores, `.invalidParameter` for a move
    /// within a store or into one that has no table for the tombstone.
    public func move(
        _ key: String, to target: KeyStore, as newKey: String? = nil,
        expecting expectation: RecordUpdate.Expectation? = nil, in transaction: Transaction
    ) throws -> PutResult {
        guard target != self else {
            throw StoreError(
                .invalidParameter, "\"\(key)\" cannot be moved into the store that it is in")
        }
        // Rows are read and written whole: other columns than these there are none.
        guard let record = try get(key, in: transaction) else { return .conflict }
        if let expectation, expectation != .revision(of: record) { return .conflict }
        let isTombstone = record.flags.contains(.deleted)
        let targetTables = try target.tables(in: transaction)
        guard !isTombstone || targetTables.dead != nil else {
            throw StoreError(
                .invalidParameter,
                "the tombstone \"\(key)\" cannot be moved: \(target.name.rawName) keeps none")
        }
        let update = RecordUpdate(
            newKey ?? key, version: record.version, body: record.body, extra: record.extra,
            flags: record.flags, expecting: .absent)
        let result = try target.put(update, in: transaction)
        guard case .saved = result else { return .conflict }
        if let expiration = record.expiration {
            try target.setExpiration(expiration, of: update.key, in: transaction)
        }
        try purge(key, in: transaction)
        return result
    }
}
