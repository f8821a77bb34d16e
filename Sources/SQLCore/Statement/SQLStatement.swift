internal import CSQLite

/// A compiled statement: bind its parameters, step through its rows, reset, and again.
///
/// ```swift
/// let insert = try context.prepare(sql: "INSERT INTO t VALUES (?, ?)")
/// for (number, name) in rows { try insert.update(parameters: [.long(number), .text(name)]) }
/// ```
/// It keeps its connection open, and is closed when it goes out of scope.
public final class SQLStatement {
    /// The `sqlite3_stmt *`; nil once closed, which SQLite takes for a statement without
    /// parameters, columns and rows.
    private(set) var handle: OpaquePointer?
    private let connection: SQLConnection
    /// The parameters that have not been bound yet.
    private var unbound: UnboundParameters
    /// Whether there are none: looked at for every step.
    private var isBound: Bool

    /// Compiles the only statement of `sql`; `SQLContext.exec(sql:)` runs several.
    convenience init(connection: SQLConnection, sql: String) throws {
        let script = try SQLScript(sql)
        var place = 0
        guard let compiled = try script.prepare(connection, at: &place, isKept: true) else {
            throw SQLError(code: .misuse, message: "there is no statement in it", sql: sql)
        }
        self.init(connection: connection, compiled: compiled)
        guard script.isBlank(from: place) else {
            throw SQLError(
                code: .misuse, message: "one statement at a time", sql: sql, offset: place)
        }
    }

    /// Takes a statement that was compiled on the connection.
    init(connection: SQLConnection, compiled: OpaquePointer) {
        self.connection = connection
        handle = compiled
        unbound = UnboundParameters(of: compiled)
        isBound = unbound.isEmpty
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Closes it; a second call does nothing. `sqlite3_finalize`
    public func close() {
        sqlite3_finalize(handle)
        handle = nil
        isBound = true
    }

    /// Whether `close()` has been called.
    public var isClosed: Bool { handle == nil }

    /// Steps to the next row; false when there is none. `sqlite3_step`
    ///
    /// After false or an error the statement is reset, so that it can be bound and run again.
    ///
    /// Throws `SQLError`; `.range` if a parameter has never been bound.
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

    /// Binds all parameters, runs to the end, and is ready to run again. Rows are passed over.
    public func update(parameters: [SQLValue] = []) throws {
        try connection.cancellation?.check()
        try bind(parameters: parameters)
        while try next() {}
    }

    /// Makes it ready to run again; parameters stay bound. `sqlite3_reset`
    public func reset() {
        sqlite3_reset(handle)
    }

    /// Binds `NULL` to all parameters, which count as not bound then. `sqlite3_clear_bindings`
    public func clearBindings() {
        guard handle != nil else { return }
        sqlite3_clear_bindings(handle)
        unbound = UnboundParameters(of: handle)
        isBound = unbound.isEmpty
    }

    /// The text it was compiled from. `sqlite3_sql`
    public var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// The text with the bound values in place of the parameters. `sqlite3_expanded_sql`
    public var expandedSQL: String {
        guard let text = sqlite3_expanded_sql(handle) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    /// Whether it leaves the database as it is. `sqlite3_stmt_readonly`
    public var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Whether it has been stepped and is not at its end. `sqlite3_stmt_busy`
    public var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }
}

extension SQLStatement {
    /// Notes that a parameter, which exists, has been bound.
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

/// Which parameters of a statement have not been bound yet: SQLite would take them for null.
struct UnboundParameters {
    /// A bit for each of the first 64.
    private var low: UInt64 = 0
    /// The others; nil if there are none.
    private var high: Set<Int>?

    /// All parameters of a statement.
    init(of statement: OpaquePointer?) {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count > 0 else { return }
        // Where parameters have numbers of their own (`?5`), not all numbers below are there.
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

    /// The first of them.
    var first: Int { low == 0 ? high?.min() ?? 0 : low.trailingZeroBitCount + 1 }

    private mutating func insert(_ index: Int) {
        if index <= 64 {
            low |= 1 << UInt64(index - 1)
        } else {
            high = (high ?? []).union([index])
        }
    }

    /// Notes that a parameter, which exists, has been bound.
    mutating func remove(_ index: Int) {
        if index <= 64 {
            low &= ~(1 << UInt64(index - 1))
        } else {
            high?.remove(index)
            if high?.isEmpty ?? false { high = nil }
        }
    }
}
