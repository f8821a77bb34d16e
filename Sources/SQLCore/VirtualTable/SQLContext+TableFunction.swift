extension SQLContext {
    /// Registers a table-valued function. `sqlite3_create_module_v2`
    ///
    /// ```swift
    /// try context.registerTableFunction("words", columns: ["word"], parameters: ["text"]) {
    ///     ($0[0].textValue ?? "").split(separator: " ").map { [.text(String($0))] }
    /// }
    /// try context.selectAll(sql: "SELECT word FROM words('to be or not')")
    /// ```
    /// - Parameters:
    ///   - parameters: the names of its parameters, which are also hidden columns.
    ///   - required: how many of them must be given; all unless said otherwise.
    ///   - rows: gets the arguments, null for those that are not given, and gives the rows, each
    ///     with a value for each column. They are asked for one by one: a lazy sequence can be
    ///     endless.
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
