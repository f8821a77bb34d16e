import CBaseline
import Foundation
import GRDB
import SQLCore
import SQLTables

/// The SQLite layer, compared with the same work in C and with GRDB.
enum SQLWorkloads {
    static let rowCount = 100_000
    private static let fetchCount = 20_000

    static func groups() -> [[Workload]] {
        // The first one of each is the baseline of the others.
        [steps, functions, insertions, readings, fetches].map { group in
            group.prefix(1) + group.dropFirst().map { $0.beside(group[0].name) }
        } + [[cancellation]]
    }

    static let createTable =
        "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value REAL, kind INTEGER)"
    static let insert = "INSERT INTO item VALUES (?, ?, ?, ?)"
    static let select = "SELECT id, name, value, kind FROM item"
    /// The sum of `Item.sum` over all rows.
    private static let recount =
        "SELECT sum(id + length(name) + CAST(value AS INTEGER) + kind) FROM item"

    /// The expected results of passes, computed without SQLite.
    private enum Expected {
        static let numbers = rowCount * (rowCount + 1) / 2
        static let calls = numbers + rowCount
        static let rows = Item.all.reduce(0) { $0 + $1.sum }
        static let scan = Item.all.reduce(0) { $0 + $1.scanned }
        static let kinds = Item.all.reduce(0) { $0 + Int($1.kind) }

        static func fetched(_ sum: KeyPath<Item, Int>) -> Int {
            (0..<fetchCount).reduce(0) { $0 + Item.all[Int(Item.key($1)) - 1][keyPath: sum] }
        }
    }

    private static func checked(
        _ expected: Int, _ items: Int = rowCount, _ pass: @escaping () throws -> Int
    ) -> Workload.Prepared {
        Workload.Prepared(.items(items)) {
            try Recount.require(pass(), expected, "a pass over rows")
        }
    }

    /// An in-memory database with all rows.
    static func filled() throws -> SQLContext {
        let context = try SQLContext()
        try context.exec(sql: createTable)
        try insertRaw(context)
        return context
    }

    private static func filledInC() throws -> CDatabase {
        let database = try CDatabase()
        try database.exec(createTable)
        try database.insertAll(insert)
        return database
    }

    static func filledGRDB() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(sql: createTable)
            for item in Item.all { try item.insert(database) }
        }
        return queue
    }

    private static func insertRaw(_ context: SQLContext) throws {
        let statement = try context.prepare(sql: insert)
        try context.transaction {
            for item in Item.all {
                try statement.bind(item.id, at: 1)
                try statement.bind(item.name, at: 2)
                try statement.bind(.real(item.value), at: 3)
                try statement.bind(item.kind, at: 4)
                _ = try statement.next()
            }
        }
    }

    private static let numbers = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        SELECT i FROM n
        """

    private static var steps: [Workload] {
        [
            Workload("SQL: a step and an integer, C") {
                let database = try CDatabase()
                let statement = database.prepare(numbers)
                return checked(Expected.numbers) { statement.scan() }
            },
            Workload("SQL: a step and an integer, SQLCore") {
                let context = try SQLContext()
                let statement = try context.prepare(sql: numbers)
                return checked(Expected.numbers) {
                    var sum: Int64 = 0
                    while try statement.next() { sum &+= statement.long(at: 0) }
                    return Int(sum)
                }
            },
        ]
    }

    private static func calls(_ name: String) -> String {
        "SELECT sum(\(name)(i)) FROM (\(numbers))"
    }

    private static var functions: [Workload] {
        [
            Workload("SQL: a call of a function, C") {
                let database = try CDatabase()
                database.registerFunction()
                let statement = database.prepare(calls("cplus1"))
                return checked(Expected.calls) { statement.scan() }
            },
            Workload("SQL: a call of a function, raw") {
                let context = try SQLContext()
                try registerRaw(context)
                let statement = try context.prepare(sql: calls("plus1"))
                return checked(Expected.calls) {
                    var sum: Int64 = 0
                    while try statement.next() { sum &+= statement.long(at: 0) }
                    return Int(sum)
                }
            },
            Workload("SQL: a call of a function, of Swift types") {
                let context = try SQLContext()
                try context.registerFunction("plus1") { (number: Int64) in number &+ 1 }
                let statement = try context.prepare(sql: calls("plus1"))
                return checked(Expected.calls) {
                    var sum: Int64 = 0
                    while try statement.next() { sum &+= statement.long(at: 0) }
                    return Int(sum)
                }
            },
        ]
    }

    private static func registerRaw(_ context: SQLContext) throws {
        try context.registerRawFunction("plus1", argumentCount: 1) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.setResult(call.int64(at: 0) &+ 1)
        }
    }

    /// From the cancellation of a task with an endless statement to the end of the task.
    private static var cancellation: Workload {
        Workload("SQL: a runaway statement, from cancel() to its end") {
            let pool = try SQLPool(path: nil as String?)
            let endless = """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT count(*) FROM n
                """
            return Workload.Prepared(.items(1)) {
                let (started, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                let task = Task {
                    _ = try? await pool.read { reader in
                        started.signal()
                        _ = try reader.selectAll(sql: endless)
                    }
                    ended.signal()
                }
                started.wait()
                let start = ContinuousClock.now
                task.cancel()
                ended.wait()
                let time = ContinuousClock.now - start
                guard time < .milliseconds(50) else {
                    throw BenchmarkError(message: "it took \(time)")
                }
                return 1
            }
        }
    }

    private static var insertions: [Workload] {
        [
            Workload("SQL: insert a row of 4 columns, C") {
                let database = try CDatabase()
                try database.exec(createTable)
                return insertion {
                    Int(database.prepare(recount).scan())
                } pass: {
                    try database.exec("DELETE FROM item")
                    try database.insertAll(insert)
                }
            },
            Workload("SQL: insert a row of 4 columns, statement") {
                let context = try SQLContext()
                try context.exec(sql: createTable)
                return insertion(context) {
                    try context.exec(sql: "DELETE FROM item")
                    try insertRaw(context)
                }
            },
            Workload("SQL: insert a row of 4 columns, insertAll") {
                let context = try SQLContext()
                try context.exec(sql: createTable)
                return insertion(context) {
                    try context.exec(sql: "DELETE FROM item")
                    try context.insertAll(Item.all)
                }
            },
            Workload("SQL: insert a row of 4 columns, insert for each") {
                let context = try SQLContext()
                try context.exec(sql: createTable)
                return insertion(context) {
                    try context.exec(sql: "DELETE FROM item")
                    try context.transaction { for item in Item.all { try context.insert(item) } }
                }
            },
            Workload("SQL: insert a row of 4 columns, GRDB record", isPeer: true) {
                let queue = try DatabaseQueue()
                try queue.write { try $0.execute(sql: createTable) }
                return insertion {
                    try queue.read { try Int.fetchOne($0, sql: recount) }
                } pass: {
                    try queue.write { database in
                        try database.execute(sql: "DELETE FROM item")
                        for item in Item.all { try item.insert(database) }
                    }
                }
            },
        ] + PeerOneShots.insertions()
    }

    /// A pass that fills the table, which is counted after it.
    private static func insertion(
        sum: @escaping () throws -> Int?, pass: @escaping () throws -> Void
    ) -> Workload.Prepared {
        Workload.Prepared(
            .items(rowCount),
            tearDown: { try Recount.require(sum(), Expected.rows, "the rows inserted") }
        ) {
            try pass()
            return rowCount
        }
    }

    private static func insertion(
        _ context: SQLContext, _ pass: @escaping () throws -> Void
    ) -> Workload.Prepared {
        insertion {
            try context.selectValue(sql: recount)?.longValue.map { Int($0) }
        } pass: {
            try pass()
        }
    }

    private static var readings: [Workload] {
        [
            Workload("SQL: read a row of 4 columns, C") {
                let database = try filledInC()
                let statement = database.prepare(select)
                return checked(Expected.scan) { statement.scan4() }
            },
            Workload("SQL: read a row of 4 columns, statement") {
                let context = try filled()
                let statement = try context.prepare(sql: select)
                return checked(Expected.rows) {
                    var sum: Int64 = 0
                    while try statement.next() {
                        sum &+=
                            statement.long(at: 0) &+ Int64(statement.text(at: 1)?.utf8.count ?? 0)
                        sum &+= Int64(statement.real(at: 2)) &+ statement.long(at: 3)
                    }
                    return Int(sum)
                }
            },
            Workload("SQL: read a row of 4 columns, fetchAll") {
                let context = try filled()
                return checked(Expected.rows) {
                    try context.fetchAll(Item.self).reduce(0) { $0 &+ $1.sum }
                }
            },
            Workload("SQL: read a row of 4 columns, fetchAll by position") {
                let context = try filled()
                return checked(Expected.rows) {
                    try context.fetchAll(PositionalItem.self).reduce(0) { $0 &+ $1.item.sum }
                }
            },
            Workload("SQL: read a row of 4 columns, selectAll") {
                let context = try filled()
                return checked(Expected.kinds) {
                    try context.selectAll(sql: select).reduce(0) {
                        $0 &+ Int($1[3].longValue ?? -1)
                    }
                }
            },
            Workload("SQL: read a row of 4 columns, GRDB record", isPeer: true) {
                let queue = try filledGRDB()
                return checked(Expected.rows) {
                    try queue.read { try Item.fetchAll($0) }.reduce(0) { $0 &+ $1.sum }
                }
            },
        ]
    }

    private static var fetches: [Workload] {
        [
            Workload("SQL: fetch a row by its key, C") {
                let database = try filledInC()
                let statement = database.prepare(select + " WHERE id = ?")
                return checked(Expected.fetched(\.scanned), fetchCount) {
                    (0..<fetchCount).reduce(0) { $0 &+ statement.fetch(Item.key($1)) }
                }
            },
            Workload("SQL: fetch a row by its key, fetch") {
                let context = try filled()
                return checked(Expected.fetched(\.sum), fetchCount) {
                    try (0..<fetchCount).reduce(0) {
                        let item = try context.fetch(Item.self, id: .long(Item.key($1)))
                        return $0 &+ (item?.sum ?? -1)
                    }
                }
            },
            Workload("SQL: fetch a row by its key, GRDB record", isPeer: true) {
                let queue = try filledGRDB()
                return checked(Expected.fetched(\.sum), fetchCount) {
                    try queue.read { database in
                        try (0..<fetchCount).reduce(0) {
                            $0 &+ (try Item.fetchOne(database, key: Item.key($1))?.sum ?? -1)
                        }
                    }
                }
            },
        ] + PeerOneShots.fetches(count: fetchCount)
    }
}

/// A row, for GRDB and for SQLCore.
struct Item: Sendable {
    var id: Int64
    var name: String
    var value: Double
    var kind: Int64

    static let all: [Item] = (0..<Int64(SQLWorkloads.rowCount)).map {
        Item(id: $0 + 1, name: "row number \($0)", value: Double($0) * 0.5, kind: $0 % 100)
    }

    /// A value that depends on each column.
    var sum: Int { Int(id) + name.utf8.count + Int(value) + Int(kind) }

    /// The sum computed by C, which also reads the first byte of the string.
    var scanned: Int { sum + Int(name.utf8.first ?? 0) }

    /// Keys in a scattered order.
    static func key(_ index: Int) -> Int64 {
        Int64((index &* 7_919) % SQLWorkloads.rowCount) + 1
    }
}

extension Item: SQLCodable {
    private static let id = SQLColumn(name: "id", type: .long, primaryKey: true)
    private static let name = SQLColumn(name: "name", type: .text, nullable: false)
    private static let value = SQLColumn(name: "value", type: .real)
    private static let kind = SQLColumn(name: "kind", type: .long)
    static let table = SQLTable(name: "item", columns: [id, name, value, kind])

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        name = try Self.name.textValueRequired(in: row)
        value = Self.value.realValue(in: row) ?? 0
        kind = Self.kind.longValue(in: row) ?? 0
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.name] = SQLValue(name)
        row[Self.value] = SQLValue(value)
        row[Self.kind] = SQLValue(kind)
    }
}

/// The row, read by position.
struct PositionalItem: SQLPositionalCodable {
    var item: Item

    static let table = Item.table

    init(statement: SQLStatement) throws {
        item = Item(
            id: statement.long(at: 0), name: statement.text(at: 1) ?? "",
            value: statement.real(at: 2), kind: statement.long(at: 3))
    }

    init(row: SQLRow, context: SQLContext) throws {
        item = try Item(row: row, context: context)
    }

    func encode(row: inout SQLRow) throws { try item.encode(row: &row) }
}

extension Item: FetchableRecord, PersistableRecord {
    static var databaseTableName: String { "item" }

    init(row: Row) {
        // By position, which is GRDB's fastest way.
        self.init(id: row[0], name: row[1], value: row[2], kind: row[3])
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = id
        container["name"] = name
        container["value"] = value
        container["kind"] = kind
    }
}

/// A database used through SQLite's C interface alone.
final class CDatabase {
    private let handle: OpaquePointer

    init() throws {
        guard let handle = baseline_open(":memory:") else {
            throw BenchmarkError(message: "SQLite cannot be opened")
        }
        self.handle = handle
    }

    deinit {
        baseline_close(handle)
    }

    func exec(_ sql: String) throws {
        guard baseline_exec(handle, sql) == 0 else { throw BenchmarkError(message: sql) }
    }

    func insertAll(_ sql: String) throws {
        try exec("BEGIN")
        guard prepare(sql).insert4() else { throw BenchmarkError(message: sql) }
        try exec("COMMIT")
    }

    func registerFunction() { _ = baseline_register(handle) }

    func prepare(_ sql: String) -> Statement {
        Statement(database: self, handle: baseline_prepare(handle, sql))
    }

    final class Statement {
        private let database: CDatabase
        private let handle: OpaquePointer?

        fileprivate init(database: CDatabase, handle: OpaquePointer?) {
            self.database = database
            self.handle = handle
        }

        deinit {
            baseline_finalize(handle)
        }

        func insert4() -> Bool { baseline_insert4(handle, Int64(SQLWorkloads.rowCount)) == 0 }
        func scan() -> Int { Int(baseline_scan(handle)) }
        func scan4() -> Int { Int(baseline_scan4(handle)) }
        func fetch(_ id: Int64) -> Int { Int(baseline_fetch(handle, id)) }
    }
}
