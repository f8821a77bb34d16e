internal import FleeceLite
internal import SQLCore
internal import StoreFormat

/// Gathers a file's statistics, in one pass over each table and in constant memory.
struct StatisticsReader {
    let context: SQLContext
    let walBytes: Int

    func run() throws -> FileStatistics {
        let counts = try PageCounts(context)
        return FileStatistics(
            stores: try stores(), trees: try TreeOwners.canTrace ? trees() : nil,
            pageSize: counts.pageSize, pages: counts.pages, freePages: counts.free,
            walBytes: walBytes, sharedKeyCount: try sharedKeyCount())
    }

    private func stores() throws -> [FileStatistics.Store] {
        var stores: [FileStatistics.Store] = []
        for table in try StoreTable.all(in: context) {
            try context.checkCancellation()
            if stores.last?.name != table.store {
                stores.append(FileStatistics.Store(name: table.store))
            }
            try count(table, into: &stores[stores.count - 1])
        }
        return stores
    }

    /// The lengths are in the rows' headers: overflow pages are not read.
    private func count(_ table: StoreTable, into store: inout FileStatistics.Store) throws {
        let expires =
            table.columns.contains("expiration") ? "typeof(expiration)='integer'" : "0"
        let extra = extraLength(table.columns)
        let row = try context.prepare(
            sql: """
                SELECT count(*), count(CASE WHEN flags & 1 THEN 1 END),
                    count(CASE WHEN \(expires) THEN 1 END),
                    ifnull(sum(length(CAST(key AS BLOB))), 0), ifnull(sum(length(body)), 0),
                    ifnull(sum(\(extra)), 0)
                FROM \(table.name.sqlName)
                """)
        guard try row.next() else { return }
        let (all, tombstones) = (Int(row.long(at: 0)), Int(row.long(at: 1)))
        store.liveRecords += table.isTombstone ? 0 : all - tombstones
        store.tombstones += table.isTombstone ? all : tombstones
        store.expiringRecords += Int(row.long(at: 2))
        store.keyBytes += Int(row.long(at: 3))
        store.bodyBytes += Int(row.long(at: 4))
        store.extraBytes += Int(row.long(at: 5))
    }

    /// In some files an upgrade has stored the revisions of tombstones in `expiration`.
    private func extraLength(_ columns: Set<String>) -> String {
        let swapped = "CASE WHEN typeof(expiration)='blob' THEN length(expiration) END"
        return switch (columns.contains("extra"), columns.contains("expiration")) {
        case (true, true): "ifnull(length(extra), \(swapped))"
        case (true, false): "length(extra)"
        case (false, _): "NULL"
        }
    }

    private func trees() throws -> [FileStatistics.Tree] {
        // Not a join: SQLite would scan the whole schema for each tree.
        let names = try SchemaNames(context)
        let rows = try context.selectAll(
            sql: "SELECT name, pageno, pgsize, unused FROM dbstat WHERE aggregate=1 ORDER BY name")
        return rows.map { row in
            let name = row[0].textValue ?? ""
            let table = names.table(ofIndex: name)
            return FileStatistics.Tree(
                name: name, table: table ?? name, isIndex: table != nil,
                pages: Int(clamping: row[1].longValue ?? 0),
                bytes: Int(clamping: row[2].longValue ?? 0),
                unusedBytes: Int(clamping: row[3].longValue ?? 0))
        }
    }

    private func sharedKeyCount() throws -> Int? {
        let state = try StoreTable.info(InfoKey.sharedKeys, in: context)
        return (try? SharedKeys(stored: state))?.count
    }
}
