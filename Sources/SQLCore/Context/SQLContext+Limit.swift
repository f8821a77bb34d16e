import CSQLite

extension SQLContext {
    /// Runs `body` while no text, blob or row may be longer; SQLite ends a statement that makes a
    /// longer one with `.tooBig`. `sqlite3_limit`
    ///
    /// - Parameter bytes: the most bytes; SQLite itself knows an upper bound.
    package func withLongestValue<T>(_ bytes: Int, body: () throws -> T) throws -> T {
        let handle = try connection.requireHandle()
        let outer = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: Swift.max(bytes, 1)))
        defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, outer) }
        return try body()
    }
}
