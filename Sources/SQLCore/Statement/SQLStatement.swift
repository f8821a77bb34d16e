import CSQLite

/// A compiled statement: bind its parameters, step through its rows, reset, and again.
///
/// It keeps its connection open, and is closed when it goes out of scope.
public final class SQLStatement {
    /// The `sqlite3_stmt *`.
    let handle: OpaquePointer
    private let connection: SQLConnection

    /// Compiles the first statement of `sql`, which must be the only one.
    init(connection: SQLConnection, sql: String) throws {
        let database = try connection.requireHandle()
        var compiled: OpaquePointer?
        var sql = sql
        let (code, rest) = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { text in
                var tail: UnsafePointer<CChar>?
                let code = sqlite3_prepare_v3(
                    database, text.baseAddress, Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
                let used = tail.map { $0 - (text.baseAddress ?? $0) } ?? text.count
                return (code, text.dropFirst(used).contains { !isBlank($0) })
            }
        }
        guard code == SQLITE_OK else { throw SQLError(handle: database, code: code, sql: sql) }
        guard let compiled, !rest else {
            sqlite3_finalize(compiled)
            throw SQLError(code: .misuse, message: "one statement is expected", sql: sql)
        }
        self.connection = connection
        handle = compiled
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Steps to the next row; false when there is none. `sqlite3_step`
    ///
    /// After false or an error the statement is reset, so that it can be bound and run again.
    public func next() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(handle)
            return false
        }
        let error = SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        sqlite3_reset(handle)
        throw error
    }

    /// Makes it ready to run again; parameters stay bound. `sqlite3_reset`
    public func reset() {
        sqlite3_reset(handle)
    }

    /// The text it was compiled from. `sqlite3_sql`
    public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}

/// White space and semicolons may follow a statement.
private func isBlank(_ character: CChar) -> Bool {
    let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0x3B]
    return blanks.contains(UInt8(bitPattern: character))
}
