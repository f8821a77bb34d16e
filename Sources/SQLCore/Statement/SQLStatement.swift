internal import CSQLite

/// A compiled statement. Bind its parameters, step through its rows, and run it again.
///
/// A statement is compiled once by ``SQLContext/prepare(sql:)`` and can run any number of times,
/// which saves the time of compiling it. It is the way to read a large result, since it has only
/// one row in memory.
///
/// ```swift
/// let cities = try database.prepare(
///     sql: "SELECT name, people FROM city WHERE people > :least")
/// try cities.bind(.long(1_000_000), named: "least")
/// while try cities.next() {
///     use(cities.text(at: 0) ?? "", cities.long(at: 1))
/// }
/// ```
/// A statement that writes runs by ``update(parameters:)``:
///
/// ```swift
/// let insert = try database.prepare(sql: "INSERT INTO city (name, people) VALUES (?, ?)")
/// try database.transaction(.immediate) {
///     try insert.update(parameters: [.text("Kyiv"), .long(2_952_000)])
///     try insert.update(parameters: [.text("Lima"), .null])
/// }
/// ```
/// Parameters are numbered from 1, columns from 0. Values are copied when they are bound, and when
/// they are read. Parameters stay bound when the statement runs again. A parameter that was never
/// bound is an error, not `NULL`.
///
/// From its first row to its end a statement keeps a read transaction open, which prevents a
/// checkpoint from resetting the WAL. Read it to its end, or call ``reset()`` or ``close()``.
///
/// A statement belongs to the thread of its context. It retains the connection, and is closed when
/// it is deinitialized. ``SQLContext/close()`` fails with `.busy` while it is open. See
/// <doc:StatementsAndValues>.
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
    ///
    /// Use it before ``SQLContext/close()`` for statements that are retained. Stepping or binding a
    /// closed statement throws `.misuse`.
    public func close() {
        sqlite3_finalize(handle)
        handle = nil
        isBound = true
    }

    /// Whether ``close()`` has been called. A closed statement has no parameters, columns and rows.
    public var isClosed: Bool { handle == nil }

    /// Steps to the next row. `sqlite3_step`
    ///
    /// At the end and after an error the statement is reset, so that it can be bound and run again.
    ///
    /// The first call after binding runs the statement up to its first row. A statement without a
    /// result, such as an `UPDATE`, runs completely and returns false.
    ///
    /// ```swift
    /// let names = try database.prepare(sql: "SELECT name FROM city ORDER BY name LIMIT 10")
    /// while try names.next() { use(names.text(at: 0) ?? "") }
    /// ```
    /// SQLite reports an interrupt, a lock of another connection and a violated constraint here:
    /// `.interrupted`, `.busy` and `.constraint`.
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
    ///
    /// ```swift
    /// let visit = try database.prepare(sql: "UPDATE page SET visits = visits + 1 WHERE path = ?")
    /// for path in ["/", "/about", "/"] { try visit.update(parameters: [.text(path)]) }
    /// ```
    /// - Parameter parameters: One value for each parameter of the statement.
    /// - Throws: ``SQLError``: `.range` if the number of values is wrong, or the error of the
    ///   statement.
    public func update(parameters: [SQLValue] = []) throws {
        try connection.cancellation?.check()
        try bind(parameters: parameters)
        while try next() {}
    }

    /// Resets the statement so that it can run again; parameters stay bound. `sqlite3_reset`
    ///
    /// Call it when rows remain that are not needed: it ends the read transaction of the statement.
    /// It does not throw; the error of a failed run was thrown by ``next()``.
    public func reset() {
        sqlite3_reset(handle)
    }

    /// Clears all bindings: the parameters are `NULL`, and must be bound before the next run.
    /// `sqlite3_clear_bindings`
    ///
    /// It releases the memory of large values. Cached statements do it after each use.
    public func clearBindings() {
        guard handle != nil else { return }
        sqlite3_clear_bindings(handle)
        unbound = UnboundParameters(of: handle)
        isBound = unbound.isEmpty
    }

    /// The SQL text of the statement. `sqlite3_sql`
    ///
    /// It has the parameters as they were written; see ``expandedSQL``. Empty for a closed
    /// statement.
    public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// The SQL text with the bound values in place of the parameters. `sqlite3_expanded_sql`
    ///
    /// It is meant for debugging: it contains values, which do not belong in a log. Parameters that
    /// are not bound are `NULL`.
    ///
    /// ```swift
    /// let find = try database.prepare(sql: "SELECT * FROM city WHERE name = ?")
    /// try find.bind("Oslo", at: 1)
    /// print(find.expandedSQL)  // SELECT * FROM city WHERE name = 'Oslo'
    /// ```
    public var expandedSQL: String {
        guard let text = sqlite3_expanded_sql(handle) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// Whether the statement does not change the database. `sqlite3_stmt_readonly`
    ///
    /// It is known before the statement runs. `BEGIN`, `COMMIT` and `ATTACH` count as statements
    /// that do not change the database, `BEGIN IMMEDIATE` does not; functions with side effects are
    /// not considered.
    ///
    /// ```swift
    /// let console = try database.prepare(sql: "DELETE FROM city")
    /// guard console.isReadOnly else { return }
    /// ```
    public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Whether the statement has been stepped and is not at its end, so that it keeps a read
    /// transaction open. `sqlite3_stmt_busy`
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
