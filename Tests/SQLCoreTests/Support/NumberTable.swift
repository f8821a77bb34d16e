import SQLCore

/// Rows in memory, `CREATE TABLE x(a, b)`, shared by the connections' tables of a test.
final class NumberStore {
    var rows: [Int64: [SQLValue]] = [:]
    var saved: [Int: [Int64: [SQLValue]]] = [:]
    var log: [String] = []
    var tables = 0
    var cursors = 0
}

/// A table over a `NumberStore` that finds a row by its rowid.
final class NumberTable: SQLWritableVirtualTable {
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    static var isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)? {
        { name in name.map { String(cString: $0) } == "data" ? 1 : 0 }
    }

    let store: NumberStore

    init(_ connection: SQLTableConnection, _ store: NumberStore) throws {
        if let word = connection.arguments.first, word != "fine" {
            throw Refusal(description: "\(connection.table): \(word) is not fine")
        }
        self.store = store
        store.tables += 1
        store.log.append(
            "\(connection.isCreating ? "create" : "connect") \(connection.database)"
                + ".\(connection.table) using \(connection.module)")
    }

    deinit {
        store.tables -= 1
    }

    var declaration: String { "CREATE TABLE x(a, b)" }

    func plan(_ plan: SQLIndexPlan) throws {
        let rowID = plan.constraints.first {
            $0.column == -1 && $0.comparison == .equal && $0.isUsable
        }
        if let rowID {
            plan.pass(rowID, at: 0, isExact: true)
            plan.number = 1
            plan.setText("a first one")
            plan.setText("by row")
            plan.cost = 1
            plan.rows = 1
            plan.setUnique()
        } else {
            plan.cost = 1000
            plan.rows = 1000
            plan.isOrdered = plan.order.map(\.column) == [-1] && !plan.order[0].isDescending
        }
    }

    func makeCursor() throws -> NumberCursor { NumberCursor(store: store) }

    func drop() throws {
        if store.rows.values.contains([.text("keep"), .null]) {
            throw Refusal(description: "there is something to keep")
        }
        store.log.append("drop")
    }

    func insert(_ values: [SQLValue], rowID: Int64?) throws -> Int64 {
        if values[0] == .text("bad") { throw SQLError(code: .full, message: "no space for it") }
        let rowID = rowID ?? (store.rows.keys.max() ?? 0) + 1
        guard store.rows[rowID] == nil else {
            throw SQLError(code: .constraint, message: "\(rowID) is taken")
        }
        store.rows[rowID] = values
        return rowID
    }

    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) throws {
        store.rows[rowID] = nil
        store.rows[newRowID] = values
    }

    func delete(rowID: Int64) throws { store.rows[rowID] = nil }
    func begin() throws { store.log.append("begin") }
    func sync() throws {
        if store.rows.count > 1000 { throw Refusal(description: "too many rows") }
    }
    func commit() { store.log.append("commit") }
    func rollback() { store.log.append("rollback") }

    func savepoint(_ number: Int) throws { store.saved[number] = store.rows }
    func release(savepoint number: Int) throws {
        store.saved = store.saved.filter { $0.key < number }
    }
    func rollback(toSavepoint number: Int) throws {
        store.rows = store.saved[number] ?? store.rows
        store.log.append("rollback to a savepoint")
    }
}

final class NumberCursor: SQLTableCursor {
    let store: NumberStore
    var keys: ArraySlice<Int64> = []

    init(store: NumberStore) {
        self.store = store
        store.cursors += 1
    }

    deinit {
        store.cursors -= 1
    }

    func filter(plan: Int, text: String?, _ arguments: SQLArguments) throws {
        let all = store.rows.keys.sorted()[...]
        guard plan == 1 else { return keys = all }
        guard text == "by row" else { throw NumberTable.Refusal(description: "no text") }
        let wanted = arguments.value(at: 0)
        keys = all.filter { .long($0) == wanted }[...]
    }

    func next() throws {
        keys.removeFirst()
        if let first = keys.first, store.rows[first]?.first == .text("stop") {
            throw NumberTable.Refusal(description: "stopped at \(first)")
        }
    }

    var isAtEnd: Bool { keys.isEmpty }
    var rowID: Int64 { keys.first ?? 0 }

    func column(at index: Int, _ result: SQLRawCall) throws {
        let value = store.rows[rowID]?[index] ?? .null
        if value == .text("hidden") { throw NumberTable.Refusal(description: "it is hidden") }
        result.setResult(value)
    }
}
