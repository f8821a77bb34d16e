/// A type-erased virtual table, so that a single pointer type can refer to it.
class TableObject {
    var declaration: String { "" }
    func plan(_ plan: SQLIndexPlan) throws {}
    func makeCursor() throws -> TableCursorObject { TableCursorObject() }
    func drop() throws {}
    func insert(_ values: [SQLValue], rowID: Int64?) throws -> Int64 { 0 }
    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) throws {}
    func delete(rowID: Int64) throws {}
    func begin() throws {}
    func sync() throws {}
    func commit() {}
    func rollback() {}
    func savepoint(_ number: Int) throws {}
    func release(savepoint number: Int) throws {}
    func rollback(toSavepoint number: Int) throws {}
}

/// A type-erased cursor, so that a single pointer type can refer to it.
class TableCursorObject {
    var isAtEnd: Bool { true }
    var rowID: Int64 { 0 }
    func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {}
    func next() throws {}
    func column(at index: Int, _ result: SQLRawCall) throws {}
}

/// Wraps a read-only table.
class ReadableTableObject<Table: SQLVirtualTable>: TableObject {
    let table: Table

    init(_ table: Table) {
        self.table = table
    }

    override var declaration: String { table.declaration }
    override func plan(_ plan: SQLIndexPlan) throws { try table.plan(plan) }
    override func makeCursor() throws -> TableCursorObject {
        TypedTableCursor(try table.makeCursor())
    }
    override func drop() throws { try table.drop() }
}

/// Wraps a writable table.
final class WritableTableObject<Table: SQLWritableVirtualTable>: ReadableTableObject<Table> {
    override func insert(_ values: [SQLValue], rowID: Int64?) throws -> Int64 {
        try table.insert(values, rowID: rowID)
    }
    override func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) throws {
        try table.update(rowID: rowID, to: newRowID, values)
    }
    override func delete(rowID: Int64) throws { try table.delete(rowID: rowID) }
    override func begin() throws { try table.begin() }
    override func sync() throws { try table.sync() }
    override func commit() { table.commit() }
    override func rollback() { table.rollback() }
    override func savepoint(_ number: Int) throws { try table.savepoint(number) }
    override func release(savepoint number: Int) throws { try table.release(savepoint: number) }
    override func rollback(toSavepoint number: Int) throws {
        try table.rollback(toSavepoint: number)
    }
}

private final class TypedTableCursor<Cursor: SQLTableCursor>: TableCursorObject {
    private var cursor: Cursor

    init(_ cursor: Cursor) {
        self.cursor = cursor
    }

    override var isAtEnd: Bool { cursor.isAtEnd }
    override var rowID: Int64 { cursor.rowID }
    override func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {
        try cursor.filter(plan: plan, text: text, arguments)
    }
    override func next() throws { try cursor.next() }
    override func column(at index: Int, _ result: SQLRawCall) throws {
        try cursor.column(at: index, result)
    }
}
