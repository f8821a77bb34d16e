import CSQLite

extension SQLError {
    /// The error that `handle` has just met.
    ///
    /// - Parameter start: where in `sql` the statement begins that was at fault.
    init(handle: OpaquePointer?, code: Int32, sql: String? = nil, from start: Int = 0) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A connection keeps the code of its latest failure: use it only if it is this one.
        let isLatest = extended & 0xFF == code & 0xFF
        let latest = isLatest ? handle.flatMap { sqlite3_errmsg($0) } : nil
        let hasKey = sql.map(SQLRedaction.mayHoldKey) ?? false
        // SQLite's message may have parts of the statement in it.
        let text = (hasKey ? nil : latest) ?? sqlite3_errstr(code)
        let message = text.map { String(cString: $0) } ?? "unknown error"
        let offset = isLatest ? handle.map { Int(shim_error_offset($0)) } ?? -1 : -1
        self.init(
            code: SQLResultCode(rawValue: isLatest ? extended : code),
            message: message,
            sql: hasKey ? SQLRedaction.statementWithKey : sql,
            offset: sql == nil || offset < 0 ? nil : start + offset,
            cause: handle.flatMap { Self.cause($0, isLatest ? extended : code) })
    }

    /// What a file says of the failure; only of codes that files return.
    private static func cause(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY,
            SQLITE_MISUSE:
            SQLFile.takeFailure(handle, code)
        default: nil
        }
    }
}
