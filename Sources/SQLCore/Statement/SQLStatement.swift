internal import CSQLite

/// A compiled statement. Bind its parameters, step through its rows, and run it again.
///
/// ```swift
/// let insert = try context.prepare(sql: "INSERT INTO t VALUES (?, ?)")
/// for (number, name) in rows { try insert.update(parameters: [.long(number), .text(name)]) }
/// ```
/// A statement retains its connection, and is closed when it is deinitialized.
public final class SQLStatement {
    /// The `sqlite3_stmt *`; nil once closed, which SQLite treats as a statement without
    /// parameters, columns and rows.
    private(set) var handle: OpaquePointer?
    private let connection: SQLConnection
    /// The parameters that have not been bound yet.
    private var unbound: UnboundParameters
    /// Whether all parameters are bound; checked at every step.
    private var isBound: Bool

    /// Compiles the only statement of `sql`; `SQLContext.exec(sql:)` runs several.
    convenience init(connection: SQLConnection, sql: String) throws {
        let script = try SQLScript(sql)
        var position = 0
        guard let compiled = try script.prepare(connection, at: &position, isPersistent: true)
        else {
            throw SQLError(code: .misuse, message: "the SQL contains no statement", sql: sql)
        }
        self.init(connection: connection, compiled: compiled)
        guard script.isBlank(from: position) else {
            throw SQLError(
                code: .misuse, message: "one statement at a time", sql: sql, offset: position)
        }
    }

    /// Wraps a statement that was compiled on the connection.
    init(connection: SQLConnection, compiled: OpaquePointer) {
        self.connection = connection
        handle = compiled
        unbound = UnboundParameters(of: compiled)
        isBound = unbound.isEmpty
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Closes the statement; a second call does nothing. `sqlite3_finalize`
    public func close() {
        sqlite3_finalize(handle)
        handle = nil
        isBound = true
    }

    /// Whether `close()` has been called.
    public var isClosed: Bool { handle == nil }

    /// Steps to the next row. `sqlite3_step`
    ///
    /// At the end and after an error the statement is reset, so that it can be bound and run again.
    ///
    /// - Returns: Whether there is a row; false at the end.
    /// - Throws: ``SQLError``: `.range` if a parameter has not been bound.
    public func next() throws -> Bool {
        guard isBound else { throw unboundError() }
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE {
            sqlite3_reset(handle)
            return false
        }
        throw stepError(code)
    }

    /// Binds all parameters, runs the statement to its end and resets it. Rows are discarded.
    public func update(parameters: [SQLValue] = []) throws {
        try connection.cancellation?.check()
        try bind(parameters: parameters)
        while try next() {}
    }

    /// Resets the statement so that it can run again; parameters stay bound. `sqlite3_reset`
    public func reset() {
        sqlite3_reset(handle)
    }

    /// Clears all bindings: the parameters are `NULL`, and must be bound before the next run.
    /// `sqlite3_clear_bindings`
    public func clearBindings() {
        guard handle != nil else { return }
        sqlite3_clear_bindings(handle)
        unbound = UnboundParameters(of: handle)
        isBound = unbound.isEmpty
    }

    /// The SQL text of the statement. `sqlite3_sql`
    public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// The SQL text with the bound values in place of the parameters. `sqlite3_expanded_sql`
    public var expandedSQL: String {
        guard let text = sqlite3_expanded_sql(handle) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// Whether the statement does not change the database. `sqlite3_stmt_readonly`
    public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Whether the statement has been stepped and is not at its end. `sqlite3_stmt_busy`
    public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }
}

extension SQLStatement {
    /// Records that an existing parameter has been bound.
    @inline(__always)
    func noteBound(_ index: Int) {
        if !isBound { noteFirstBinding(index) }
    }

    private func noteFirstBinding(_ index: Int) {
        unbound.remove(index)
        isBound = unbound.isEmpty
    }

    @inline(never)
    private func stepError(_ code: Int32) -> SQLError {
        guard handle != nil else { return closedError() }
        let error = SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        sqlite3_reset(handle)
        return error
    }

    private func unboundError() -> SQLError {
        let index = unbound.first
        return SQLError(
            code: .range,
            message: "parameter \(parameterName(at: index) ?? "\(index)") is not bound",
            sql: sql)
    }

    func closedError() -> SQLError {
        SQLError(code: .misuse, message: "the SQLStatement is closed")
    }
}

/// The parameters of a statement that have not been bound yet; SQLite would treat them as `NULL`.
struct UnboundParameters {
    /// One bit for each of the first 64 parameters.
    private var low: UInt64 = 0
    /// The other parameters; nil if there are none.
    private var high: Set<Int>?

    /// All parameters of a statement.
    init(of statement: OpaquePointer?) {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count > 0 else { return }
        // With numbered parameters (`?5`), lower numbers need not exist.
        if Self.hasNumber(statement, count) {
            for index in 1...count where sqlite3_bind_parameter_name(statement, Int32(index)) != nil
            {
                insert(index)
            }
            return
        }
        low = count >= 64 ? .max : (1 << UInt64(count)) - 1
        if count > 64 { high = Set(65...count) }
    }

    private static func hasNumber(_ statement: OpaquePointer?, _ index: Int) -> Bool {
        guard let name = sqlite3_bind_parameter_name(statement, Int32(index)) else { return false }
        return UInt8(bitPattern: name[0]) == UInt8(ascii: "?")
    }

    var isEmpty: Bool { low == 0 && high == nil }

    /// The lowest of them.
    var first: Int { low == 0 ? high?.min() ?? 0 : low.trailingZeroBitCount + 1 }

    private mutating func insert(_ index: Int) {
        if index <= 64 {
            low |= 1 << UInt64(index - 1)
        } else {
            high = (high ?? []).union([index])
        }
    }

    /// Removes an existing parameter that has been bound.
    mutating func remove(_ index: Int) {
        if index <= 64 {
            low &= ~(1 << UInt64(index - 1))
        } else {
            high?.remove(index)
            if high?.isEmpty ?? false { high = nil }
        }
    }
}
