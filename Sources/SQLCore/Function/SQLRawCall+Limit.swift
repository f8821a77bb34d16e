import CSQLite

extension SQLRawCall {
    /// How many bytes a text or blob of this connection may have. `SQLITE_LIMIT_LENGTH`
    public var lengthLimit: Int {
        Int(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1))
    }
}
