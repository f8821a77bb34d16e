internal import SQLCore

extension KeyStore {
    /// Removes a record or tombstone without a trace; it counts as a purge.
    ///
    /// - Parameter expectation: the state that the record must be in; nil for any.
    /// - Returns: whether there was such a record.
    ///
    /// Throws `.invalidParameter` for what the engine itself keeps in `info`.
    @discardableResult
    public func purge(
        _ key: String, expecting expectation: RecordUpdate.Expectation? = nil,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.wrapping(name) {
            try requireNotOfEngine(key)
            let session = try transaction.writing()
            let tables = try tables(in: transaction)
            var isPurged = false
            for isDead in [false, true] where !isDead || tables.dead != nil {
                // A damaged file can have a key in both tables: neither may stay.
                if isDead, try !tables.hasTombstones(in: session) { continue }
                guard
                    try remove(key, expectation, dead: isDead, tables, session)
                else { continue }
                if isDead { tables.purges.dead += 1 } else { tables.purges.live += 1 }
                isPurged = true
            }
            if isPurged { transaction.note(.purged, key, 0, tables) }
            return isPurged
        }
    }

    private func remove(
        _ key: String, _ expectation: RecordUpdate.Expectation?, dead isDead: Bool,
        _ tables: StoreTables, _ session: Session
    ) throws -> Bool {
        switch expectation {
        case .absent: return false
        case nil: return try tables.remove(key, dead: isDead, in: session)
        case .revision(let sequence, let subsequence):
            let statement = try tables.statement(.removeExpected, dead: isDead, in: session) {
                "DELETE FROM \($0.name) WHERE key=? AND \(RecordColumns.isExpected(2))"
            }
            try statement.bind(sequence, at: 2)
            try statement.bind(Int64(subsequence), at: 3)
            return try tables.run(statement, key: key, at: 1, in: session)
        }
    }
}
