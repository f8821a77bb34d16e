package import SQLCore

/// Stands in for the extension that makes vector indexes, so that a database with one of another
/// program can be written to.
///
/// Without a module of its name neither the triggers of the index work, which means no document can
/// be changed or deleted, nor can its table be dropped. The stub takes what the triggers write and
/// keeps nothing: the index falls behind until its maker rebuilds it. The tables in which the
/// extension keeps its vectors are ordinary ones and stay as they are.
package enum VectorSearchStub {
    /// The module's name, as the schema has it.
    static let moduleName = "vectorsearch"

    /// Registers the module, and the functions that triggers of vector indexes call.
    package static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerVirtualTable(moduleName) { _ in VectorSearchTable() }
        try VectorFunctions.register(in: context, functions)
    }
}

/// A table that takes every row and has none.
private final class VectorSearchTable: SQLWritableVirtualTable {
    /// Triggers write to it, also where the schema is not trusted: it does nothing.
    static var trust: SQLVirtualTableTrust { .innocuous }

    var declaration: String { "CREATE TABLE x(docid INTEGER, vector, bucket INTEGER, distance)" }

    func plan(_ plan: SQLIndexPlan) {
        plan.cost = 1
        plan.rows = 0
    }

    func makeCursor() -> NoRows { NoRows() }

    func insert(_ values: [SQLValue], rowID: Int64?) -> Int64 { rowID ?? 0 }
    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) {}
    func delete(rowID: Int64) {}
}

private struct NoRows: SQLTableCursor {
    mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) {}
    mutating func next() {}
    var isAtEnd: Bool { true }
    func column(at index: Int, _ result: SQLRawCall) {}
    var rowID: Int64 { 0 }
}
