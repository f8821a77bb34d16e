internal import StoreFormat

extension KeyStore {
    /// Moves a record that is alive into another store, where it gets a new sequence; its
    /// expiration goes along. In its old store it counts as purged.
    ///
    /// - Parameters:
    ///   - newKey: its key there; nil for the one it has.
    ///   - expectation: the state that it must be in; nil for any.
    /// - Returns: the sequence that it has got; `.conflict` if it is not as expected, or the other
    ///   store has a record or tombstone of the key; nil if there is no such record, or it is a
    ///   tombstone.
    ///
    /// Throws `.notFound` if the file lacks one of the stores, `.invalidParameter` for a move
    /// within a store.
    public func move(
        _ key: String, to target: KeyStore, as newKey: String? = nil,
        expecting expectation: RecordUpdate.Expectation? = nil, in transaction: Transaction
    ) throws -> PutResult? {
        guard target != self else {
            throw StoreError(
                .invalidParameter, "\"\(key)\" cannot be moved into the store that it is in")
        }
        try requireNotOfEngine(key)
        guard let record = try get(key, in: transaction), !record.flags.contains(.deleted) else {
            return nil
        }
        if let expectation, expectation != .revision(of: record) { return .conflict }
        let update = RecordUpdate(
            newKey ?? key, version: record.version, body: record.body, extra: record.extra,
            flags: record.flags, expecting: .absent)
        // All of it or nothing, also if the caller goes on after an error.
        return try transaction.savepoint {
            let result = try target.put(update, in: transaction)
            guard case .saved = result else { return .conflict }
            if let expiration = record.expiration {
                try target.setExpiration(expiration, of: update.key, in: transaction)
            }
            try purge(key, in: transaction)
            return result
        }
    }
}
