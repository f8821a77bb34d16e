import SQLCore

/// Rows as handled by SkipSQL: each call compiles its statement again. This is SQLCore with its
/// statement cache disabled; since the rest is SQLCore's, it is a lower bound for SkipSQL.
enum PeerOneShots {
    private static let who = "SkipSQL's way, a statement compiled for each"

    static func insertions() -> [Workload] {
        [
            insertion("insert") { try $0.insert($1) },
            insertion("exec") { context, item in
                try context.exec(
                    sql: SQLWorkloads.insert,
                    parameters: [
                        .long(item.id), .text(item.name), .real(item.value), .long(item.kind),
                    ])
            },
        ]
    }

    private static func insertion(
        _ call: String, _ insert: @escaping (SQLContext, Item) throws -> Void
    ) -> Workload {
        let name = "SQL: insert a row of 4 columns, \(who): \(call)"
        return Workload(name, isPeer: true) {
            let context = try SQLContext()
            context.statementCacheCapacity = 0
            try context.exec(sql: SQLWorkloads.createTable)
            return Workload.Prepared(
                .items(SQLWorkloads.rowCount),
                tearDown: { try recount(context, name) }
            ) {
                try context.exec(sql: "DELETE FROM item")
                try context.transaction {
                    for item in Item.all { try insert(context, item) }
                }
                return 1
            }
        }
    }

    private static func recount(_ context: SQLContext, _ name: String) throws {
        let found = try context.selectAll(sql: "SELECT count(*), sum(kind) FROM item").first
        let kinds = Item.all.reduce(0) { $0 + $1.kind }
        guard found == [.long(Int64(Item.all.count)), .long(kinds)] else {
            throw BenchmarkError(message: "\(name): \(found ?? []) rows and sum of kinds")
        }
    }

    static func fetches(count: Int) -> [Workload] {
        [
            fetch("fetch", count) {
                try $0.fetch(Item.self, id: .long($1))?.kind ?? -1
            },
            fetch("selectAll", count) { context, key in
                let sql = SQLWorkloads.select + " WHERE id = ?"
                let row = try context.selectAll(sql: sql, parameters: [.long(key)]).first
                return row?[3].longValue ?? -1
            },
        ]
    }

    private static func fetch(
        _ call: String, _ count: Int, _ kind: @escaping (SQLContext, Int64) throws -> Int64
    ) -> Workload {
        let name = "SQL: fetch a row by its key, \(who): \(call)"
        return Workload(name, isPeer: true) {
            let context = try SQLWorkloads.filled()
            context.statementCacheCapacity = 0
            let expected = (0..<count).reduce(0) { $0 + Item.all[Int(Item.key($1)) - 1].kind }
            return Workload.Prepared(.items(count)) {
                let sum = try (0..<count).reduce(0) { $0 + (try kind(context, Item.key($1))) }
                guard sum == expected else {
                    throw BenchmarkError(message: "\(name): \(sum), not \(expected)")
                }
                return Int(sum)
            }
        }
    }
}
