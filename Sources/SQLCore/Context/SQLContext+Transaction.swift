extension SQLContext {
    /// When a transaction takes its lock.
    public enum TransactionMode: String, Sendable {
        /// At the first read or write.
        case deferred = "BEGIN DEFERRED"
        /// At once, for writing; others may read.
        case immediate = "BEGIN IMMEDIATE"
        /// At once; outside WAL mode others may not even read.
        case exclusive = "BEGIN EXCLUSIVE"
    }

    /// Runs `body` in a transaction: committed if it returns, rolled back if it throws.
    ///
    /// The error of `body` or of the commit is the one thrown, whatever the rollback says.
    public func transaction<T>(
        _ mode: TransactionMode = .deferred, _ body: () throws -> T
    ) throws -> T {
        try exec(sql: mode.rawValue)
        do {
            let result = try body()
            try exec(sql: "COMMIT")
            return result
        } catch {
            rollback()
            throw error
        }
    }

    /// Ends the open transaction, if SQLite has not done so by itself (as on a full disk).
    package func rollback() {
        if isInTransaction { try? exec(sql: "ROLLBACK") }
    }
}
