internal import CSQLite

extension SQLContext {
    /// Registers a table-valued function. `sqlite3_create_module_v2`
    ///
    /// ```swift
    /// let parameters = ["text"]
    /// try database.registerTableFunction("words", columns: ["word"], parameters: parameters) {
    ///     let words = ($0[0].textValue ?? "").split(separator: " ")
    ///     return words.map { [SQLValue.text(String($0))] }
    /// }
    /// let words = try database.selectAll(sql: "SELECT word FROM words('to be or not')")
    /// ```
    /// Its arguments can be columns of other tables: `FROM mail, words(mail.subject)` calls it for
    /// each row.
    ///
    /// A lazy sequence computes only the rows that the statement reads:
    ///
    /// ```swift
    /// let two = ["start", "step"]
    /// try database.registerTableFunction("series", columns: ["n"], parameters: two, required: 1) {
    ///     let step = $0[1].longValue ?? 1
    ///     let numbers = sequence(first: $0[0].longValue ?? 0) { $0 + step }
    ///     return numbers.lazy.map { [SQLValue.long($0)] }
    /// }
    /// let five = try database.selectAll(sql: "SELECT n FROM series(10) LIMIT 5")
    /// ```
    /// For a table with indexes, or one that can be written, implement a ``SQLVirtualTable``; for
    /// one that must be fast, a ``SQLRawTableFunction``. See <doc:VirtualTables>.
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL. A module with this name is replaced.
    ///   - columns: The names of the columns.
    ///   - parameters: The names of the parameters, which are also hidden columns.
    ///   - required: The number of required parameters; all by default.
    ///   - rows: Receives the arguments, `.null` for omitted ones, and returns the rows, each with
    ///     a value for each column; missing values are `NULL`. Rows are requested one by one, so a
    ///     lazy sequence can be infinite. An error becomes the error of the statement.
    /// - Throws: ``SQLError``: `.misuse` for an empty name or on a closed context.
    public func registerTableFunction<Rows: Sequence>(
        _ name: String, columns: [String], parameters: [String], required: Int? = nil,
        rows: @escaping ([SQLValue]) throws -> Rows
    ) throws where Rows.Element == [SQLValue] {
        let shape = TableParameters(
            columns: columns, parameters: parameters, required: required ?? parameters.count)
        try registerVirtualTable(name) { _ in FunctionTable(shape: shape, rows: rows) }
    }
}

private final class FunctionTable<Rows: Sequence>: SQLVirtualTable
where Rows.Element == [SQLValue] {
    static var kind: SQLVirtualTableKind { .eponymousOnly }

    let shape: TableParameters
    let rows: ([SQLValue]) throws -> Rows

    init(shape: TableParameters, rows: @escaping ([SQLValue]) throws -> Rows) {
        self.shape = shape
        self.rows = rows
    }

    var declaration: String { shape.declaration }
    func plan(_ plan: SQLIndexPlan) throws { try shape.plan(plan) }
    func makeCursor() -> FunctionCursor<Rows> { FunctionCursor(table: self) }
}

private struct FunctionCursor<Rows: Sequence>: SQLTableCursor where Rows.Element == [SQLValue] {
    unowned let table: FunctionTable<Rows>
    private var arguments: [SQLValue] = []
    private var rows: Rows.Iterator?
    private var row: [SQLValue]?
    private(set) var rowID: Int64 = 0

    init(table: FunctionTable<Rows>) {
        self.table = table
    }

    mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {
        self.arguments = table.shape.parameters.indices.map { arguments.value(at: $0) }
        rows = try table.rows(self.arguments).makeIterator()
        rowID = 0
        next()
    }

    mutating func next() {
        row = rows?.next()
        rowID += 1
    }

    var isAtEnd: Bool { row == nil }

    func column(at index: Int, _ result: SQLRawCall) {
        let columns = table.shape.columns.count
        if index < columns {
            guard let row, row.indices.contains(index) else { return }
            result.setResult(row[index])
        } else if arguments.indices.contains(index - columns) {
            result.setResult(arguments[index - columns])
        }
    }
}

/// The columns of a table-valued function. Its parameters are hidden columns: `f(1, 2)` is
/// equivalent to `f WHERE p0 = 1 AND p1 = 2`.
struct TableParameters {
    /// The columns that are not parameters; they come first.
    let columns: [String]
    let parameters: [String]
    /// The number of required parameters.
    let required: Int

    /// `CREATE TABLE x("a", "b", "p0" HIDDEN)`
    var declaration: String {
        let all = columns.map(\.sqlName) + parameters.map { $0.sqlName + " HIDDEN" }
        return "CREATE TABLE x(\(all.joined(separator: ", ")))"
    }

    /// Passes the leading parameters that have a value to `filter`, in order.
    func plan(_ plan: SQLIndexPlan) throws {
        var given: [SQLIndexPlan.Constraint?] = Array(repeating: nil, count: parameters.count)
        for constraint in plan.constraints where constraint.comparison == .equal {
            let index = constraint.column - columns.count
            guard given.indices.contains(index), given[index] == nil else { continue }
            // The right side comes from a table that is read later: this join order is impossible.
            guard constraint.isUsable else { throw impossible("the value is not known") }
            given[index] = constraint
        }
        let passed = given.prefix { $0 != nil }.compactMap(\.self)
        guard passed.count >= required, given.dropFirst(passed.count).allSatisfy({ $0 == nil })
        else { throw impossible("a parameter is missing") }
        for (position, constraint) in passed.enumerated() {
            plan.pass(constraint, at: position, isExact: true)
        }
        plan.number = passed.count
        // The more arguments, the cheaper the plan.
        plan.cost = 10 * Double(1 + parameters.count - passed.count)
        plan.rows = 100
    }

    private func impossible(_ reason: String) -> SQLError {
        SQLError(code: .constraint, message: reason)
    }
}

extension SQLContext {
    /// Registers a module of virtual tables. `sqlite3_create_module_v2`
    ///
    /// ```swift
    /// final class Numbers: SQLVirtualTable {
    ///     static var kind: SQLVirtualTableKind { .eponymous }
    ///     var declaration: String { "CREATE TABLE x(n INTEGER)" }
    ///     func plan(_ plan: SQLIndexPlan) { plan.cost = 100 }
    ///     func makeCursor() -> NumberCursor { NumberCursor() }
    /// }
    /// struct NumberCursor: SQLTableCursor {
    ///     var rowID: Int64 = 0
    ///     var isAtEnd: Bool { rowID >= 100 }
    ///     mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) { rowID = 0 }
    ///     mutating func next() { rowID += 1 }
    ///     func column(at index: Int, _ result: SQLRawCall) { result.setResult(rowID) }
    /// }
    /// try database.registerVirtualTable("numbers") { _ in Numbers() }
    /// let sum = try database.selectValue(sql: "SELECT sum(n) FROM numbers")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name in `CREATE VIRTUAL TABLE t USING name(…)`. A module with the same name
    ///     is replaced.
    ///   - make: Creates the object of a table. An error that it throws becomes the error of the
    ///     statement.
    /// - Throws: ``SQLError``: `.misuse` for an empty name or on a closed context.
    public func registerVirtualTable<Table: SQLVirtualTable>(
        _ name: String, _ make: @escaping (SQLTableConnection) throws -> Table
    ) throws {
        let module = TableModule(
            kind: Table.kind, trust: Table.trust, isWritable: false,
            isShadowName: Table.isShadowName
        ) { ReadableTableObject(try make($0)) }
        try register(module: name, module.functions, module)
    }

    /// Registers a module of writable virtual tables. `sqlite3_create_module_v2`
    ///
    /// - Parameters:
    ///   - name: The name in `CREATE VIRTUAL TABLE t USING name(…)`. A module with the same name is
    ///     replaced.
    ///   - make: Creates the object of a table. An error that it throws becomes the error of the
    ///     statement.
    /// - Throws: ``SQLError``: `.misuse` for an empty name or on a closed context.
    public func registerVirtualTable<Table: SQLWritableVirtualTable>(
        _ name: String, _ make: @escaping (SQLTableConnection) throws -> Table
    ) throws {
        let module = TableModule(
            kind: Table.kind, trust: Table.trust, isWritable: true,
            isShadowName: Table.isShadowName
        ) { WritableTableObject(try make($0)) }
        try register(module: name, module.functions, module)
    }

    /// Removes a module of virtual tables; its tables that are in use continue to work.
    /// `sqlite3_create_module_v2`
    ///
    /// Statements that need the module fail afterwards with `no such module`.
    ///
    /// - Parameter name: The name of the module, also that of a table-valued function.
    public func removeVirtualTable(_ name: String) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_module_v2(handle, name, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    func register(
        module name: String, _ functions: UnsafePointer<sqlite3_module>, _ object: AnyObject
    ) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        // SQLite releases the object through the last argument even if registering fails.
        let code = sqlite3_create_module_v2(
            handle, name, functions, Unmanaged.passRetained(object).toOpaque(), releaseObject)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}
