extension SQLContext {
    /// Runs `body` so that all of it happens or nothing: in a transaction of its own, or in a
    /// savepoint of the one that is open.
    func atomically<T>(_ body: () throws -> T) throws -> T {
        guard isInTransaction else { return try transaction(.immediate, body) }
        try exec(sql: "SAVEPOINT \"SQLCore\"")
        do {
            let result = try body()
            try exec(sql: "RELEASE \"SQLCore\"")
            return result
        } catch {
            // SQLite may have ended the transaction by itself, as on a full disk.
            if isInTransaction {
                try? exec(sql: "ROLLBACK TO \"SQLCore\"; RELEASE \"SQLCore\"")
            }
            throw error
        }
    }
}
