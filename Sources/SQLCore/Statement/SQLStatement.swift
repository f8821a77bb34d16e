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
    /// What it does to caches of the database, counted each time it starts.
    private let effect: StatementEffect
    /// Whether it can be stepped at once: all parameters are bound, and it has no effect that is
    /// counted.
    private var isReady: Bool

    /// Compiles the only statement of `sql`; `SQLContext.exec(sql:)` runs several.
    convenience init(connection: SQLConnection, sql: String) throws {
        let script = try SQLScript(sql)
        var position = 0
        guard let compiled = try script.prepare(connection, at: &position, isPersistent: true)
        else {
            throw SQLError(code: .misuse, message: "the SQL contains no statement", sql: sql)
        }
        self.init(connection: connection, compiled: compiled.handle, compiled.effect)
        guard script.isBlank(from: position) else {
            throw SQLError(
                code: .misuse, message: "one statement at a time", sql: sql, offset: position)
        }
    }

    /// Wraps a statement that was compiled on the connection.
    private init(
        connection: SQLConnection, compiled: OpaquePointer, _ effect: StatementEffect
    ) {
        self.connection = connection
        self.effect = effect
        handle = compiled
        unbound = UnboundParameters(of: compiled)
        isReady = unbound.isEmpty && effect == .none
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
        isReady = true
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
        if !isReady { try requireReady() }
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
        isReady = unbound.isEmpty && effect == .none
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
        if !isReady { noteFirstBinding(index) }
    }

    private func noteFirstBinding(_ index: Int) {
        unbound.remove(index)
        isReady = unbound.isEmpty && effect == .none
    }

    @inline(never)
    private func stepError(_ code: Int32) -> SQLError {
        guard handle != nil else { return closedError() }
        let error = SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        sqlite3_reset(handle)
        connection.countRollbackOfSQLite()
        return error
    }

    /// Counts the effect of a statement that has one; throws if a parameter is not bound.
    @inline(never)
    private func requireReady() throws {
        guard unbound.isEmpty else { throw unboundError() }
        if sqlite3_stmt_busy(handle) == 0 { connection.count(effect) }
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

/// The destructor that makes SQLite copy the bytes before the call returns: `SQLITE_TRANSIENT`.
private var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

// Parameters, by position.
extension SQLStatement {
    /// Binds an integer. `sqlite3_bind_int64`
    ///
    /// - Parameters:
    ///   - number: The integer.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ number: Int64, at index: Int) throws {
        try check(sqlite3_bind_int64(handle, Int32(clamping: index), number), index)
    }

    /// Binds a copy of a string. `sqlite3_bind_text64`
    ///
    /// - Parameters:
    ///   - text: The string, which can contain NUL. An empty string is not `NULL`.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ text: String, at index: Int) throws {
        var text = text
        try text.withUTF8 { try bindText(UnsafeRawBufferPointer($0), at: index, transient) }
    }

    /// Binds a copy of bytes as a blob. `sqlite3_bind_blob64`
    ///
    /// ```swift
    /// let insert = try database.prepare(sql: "INSERT INTO image (bytes) VALUES (?)")
    /// let pixels: [UInt8] = [255, 128, 0]
    /// try pixels.withUnsafeBytes { try insert.bind($0, at: 1) }
    /// _ = try insert.next()
    /// ```
    /// - Parameters:
    ///   - bytes: The bytes. An empty blob is not `NULL`.
    ///   - index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bind(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: transient)
    }

    /// Binds bytes without a copy: they must stay valid until the statement is reset or the
    /// parameter is bound again.
    package func bindStatic(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bind(bytes, at: index, lifetime: nil)
    }

    /// Binds UTF-8 bytes as a string without a copy: they must stay valid until the statement is
    /// reset or the parameter is bound again.
    package func bindStaticText(_ bytes: UnsafeRawBufferPointer, at index: Int) throws {
        try bindText(bytes, at: index, nil)
    }

    /// Binds `NULL`. `sqlite3_bind_null`
    ///
    /// It is necessary, since a parameter that was never bound is an error.
    ///
    /// - Parameter index: The position of the parameter, from 1.
    /// - Throws: ``SQLError``: `.range` if the statement has no such parameter.
    public func bindNull(at index: Int) throws {
        try check(sqlite3_bind_null(handle, Int32(clamping: index)), index)
    }

    private func bind(
        _ bytes: UnsafeRawBufferPointer, at index: Int, lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL instead of an empty blob.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(sqlite3_bind_zeroblob(handle, Int32(clamping: index), 0), index)
        }
        try check(
            sqlite3_bind_blob64(
                handle, Int32(clamping: index), start, UInt64(bytes.count), lifetime), index)
    }

    private func bindText(
        _ bytes: UnsafeRawBufferPointer, at index: Int, _ lifetime: sqlite3_destructor_type?
    ) throws {
        // A null pointer would bind NULL instead of an empty string.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return try check(
                sqlite3_bind_text(handle, Int32(clamping: index), "", 0, transient), index)
        }
        try check(
            sqlite3_bind_text64(
                handle, Int32(clamping: index), start.assumingMemoryBound(to: CChar.self),
                UInt64(bytes.count), lifetime, UInt8(SQLITE_UTF8)), index)
    }

    @inline(__always)
    func check(_ code: Int32, _ index: Int) throws {
        guard code == SQLITE_OK else { throw bindError(code, index) }
        noteBound(index)
    }

    @inline(never)
    private func bindError(_ code: Int32, _ index: Int) -> SQLError {
        if isClosed { return closedError() }
        guard code == SQLITE_RANGE else {
            return SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        }
        return SQLError(
            code: .range, message: "there is no parameter \(index), only 1 to \(parameterCount)",
            sql: sql)
    }
}

// Columns of the current row. One that does not exist is `NULL`. Reading a string as a number, or a
// number as a string, converts by SQLite's rules.
extension SQLStatement {
    /// Returns the storage class of a column of the current row. `sqlite3_column_type`
    ///
    /// Call it before you read the column in another type, since a conversion can change the
    /// result.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func type(at index: Int) -> SQLType {
        SQLType(code: sqlite3_column_type(handle, Int32(clamping: index)))
    }

    /// Whether a column of the current row is `NULL`. `sqlite3_column_type`
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is
    ///   `NULL`.
    public func isNull(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_NULL
    }

    /// Returns a column as an integer; 0 for `NULL`. `sqlite3_column_int64`
    ///
    /// A double is truncated, and a string is converted from its leading digits: `12abc` is 12,
    /// `abc` is 0. Use ``value(at:)`` to detect another type.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is 0.
    public func long(at index: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(clamping: index))
    }

    /// Returns a column as a double; 0 for `NULL`. `sqlite3_column_double`
    ///
    /// An integer is converted, and a string from its leading number.
    ///
    /// - Parameter index: The position of the column, from 0. A column that does not exist is 0.
    public func real(at index: Int) -> Double {
        sqlite3_column_double(handle, Int32(clamping: index))
    }

    /// Returns a column as a string, or nil for `NULL`. `sqlite3_column_text`
    ///
    /// A number is converted to its text, and the bytes of a blob are taken as UTF-8. Invalid UTF-8
    /// is replaced by U+FFFD.
    ///
    /// ```swift
    /// let names = try database.prepare(sql: "SELECT name FROM city")
    /// var all: [String] = []
    /// while try names.next() { if let name = names.text(at: 0) { all.append(name) } }
    /// ```
    /// - Parameter index: The position of the column, from 0. A column that does not exist is nil.
    public func text(at index: Int) -> String? {
        guard let start = sqlite3_column_text(handle, Int32(clamping: index)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Returns the bytes of a column as an array, or nil for `NULL`.
    package func byteArray(at index: Int) -> [UInt8]? {
        isNull(at: index) ? nil : [UInt8](bytes(at: index))
    }

    /// Returns the bytes of a column, which are valid until the next step, reset or conversion;
    /// empty for `NULL`. `sqlite3_column_blob`
    package func bytes(at index: Int) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(handle, Int32(clamping: index))
        let count = Int(sqlite3_column_bytes(handle, Int32(clamping: index)))
        return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }

    /// Whether a column is a blob. `sqlite3_column_type`
    package func isBlob(at index: Int) -> Bool {
        sqlite3_column_type(handle, Int32(clamping: index)) == SQLITE_BLOB
    }
}
