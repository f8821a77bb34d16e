import CBaseline
import DocumentStore
import Foundation
@_spi(Measuring) import QueryFunctions
import SQLCore

/// The document functions used by queries and indexes, compared with a scan in C that only touches
/// the bodies.
enum FunctionWorkloads {
    private static let baseline = "scan: step and touch the body, C"
    private static let body = "SELECT body FROM kv_default"

    static func groups() -> [[Workload]] { [[scan] + queries + indexes] }

    private static var scan: Workload {
        Workload(baseline) {
            _ = try StoreData.get()
            guard let database = baseline_open(StoreData.path(.filled) + "/db.sqlite3"),
                baseline_exec(database, BaselineFile.pragmas) == 0,
                let statement = baseline_prepare(database, body)
            else { throw BenchmarkError(message: "SQLite cannot be opened") }
            var prepared = Workload.Prepared(.items(StoreData.count)) {
                try Recount.require(Int(baseline_scan_blobs(statement)), StoreData.count, baseline)
            }
            prepared.path = { StoreData.path(.filled) }
            return prepared
        }
    }

    private static var queries: [Workload] {
        [
            query("scan, fl_value = ?", "fl_value(body, 'contact.address.state') = 'CA'") {
                $0.contact.address.state == "CA"
            },
            query("scan, fl_value > ?, a number", "fl_value(body, 'age') > 50") { $0.age > 50 },
            query("scan, fl_exists", "fl_exists(body, 'contact.nothing')") { _ in false },
            query("scan, fl_contains", "fl_contains(body, 'likes', 'chess')") {
                $0.likes.contains("chess")
            },
            query("scan, fl_count", "fl_count(body, 'likes') > 2") { $0.likes.count > 2 },
            query("scan, fl_fts_value of an array", "fl_fts_value(body, 'likes') > 'm'") {
                $0.likes.first.map { $0 > "m" } ?? false
            },
            query(
                "scan, EXISTS in fl_each",
                "EXISTS (SELECT 1 FROM fl_each(kv_default.body, 'likes') WHERE value = 'chess')"
            ) { $0.likes.contains("chess") },
        ]
    }

    private static func query(
        _ name: String, _ condition: String, _ isWanted: @escaping (StorePerson) -> Bool
    ) -> Workload {
        Workload(name, baseline: baseline) {
            let expected = try StoreData.get().persons.count(where: isWanted)
            let context = try open(StoreData.path(.filled))
            let statement = try context.prepare(
                sql: "SELECT count(*) FROM kv_default WHERE \(condition)")
            return Workload.Prepared(.items(StoreData.count)) {
                var count: Int64 = 0
                while try statement.next() { count = statement.long(at: 0) }
                return try Recount.require(Int(count), expected, name)
            }
        }
    }

    private static var indexes: [Workload] {
        [
            index(
                "scan, a value index created", "DROP INDEX IF EXISTS i",
                "CREATE INDEX i ON kv_default (fl_value(body, 'contact.address.state'))",
                check: """
                    SELECT count(*) FROM kv_default INDEXED BY i
                    WHERE fl_value(body, 'contact.address.state') = 'CA'
                    """
            ) { $0.contact.address.state == "CA" ? 1 : 0 },
            index(
                "scan, an array index created",
                """
                DROP TABLE IF EXISTS each;
                CREATE TABLE each (docid INTEGER NOT NULL, i INTEGER NOT NULL, body BLOB NOT NULL,
                  CONSTRAINT pk PRIMARY KEY (docid, i))
                """,
                """
                INSERT INTO each (docid, i, body) SELECT new.rowid, _each.rowid, _each.value
                FROM kv_default AS new, fl_each(new.body, 'likes') AS _each
                WHERE (new.flags & 1) = 0;
                CREATE INDEX likes ON each (fl_unnested_value(body))
                """,
                check:
                    "SELECT count(*) FROM each INDEXED BY likes WHERE fl_unnested_value(body) > ''"
            ) { $0.likes.count },
        ]
    }

    /// - Parameters:
    ///   - check: queries the number of matching entries of the index.
    ///   - entries: the number of such entries of a person.
    private static func index(
        _ name: String, _ before: String, _ sql: String, check: String,
        _ entries: @escaping (StorePerson) -> Int
    ) -> Workload {
        Workload(name, baseline: baseline) {
            let expected = try StoreData.get().persons.reduce(0) { $0 + entries($1) }
            let path = "\(StoreData.directory)/\(UUID().uuidString).cblite2"
            try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: path)
            let context = try open(path)
            var prepared = Workload.Prepared(
                .items(StoreData.count), setUp: { try context.exec(sql: before) },
                tearDown: {
                    let found = try context.selectValue(sql: check)?.longValue
                    try Recount.require(found, Int64(expected), name)
                }
            ) {
                try context.transaction { try context.exec(sql: sql) }
                return 1
            }
            prepared.path = { path }
            return prepared
        }
    }

    private static func open(_ path: String) throws -> SQLContext {
        _ = try StoreData.get()
        let context = try SQLContext(path: path + "/db.sqlite3")
        try context.exec(sql: BaselineFile.pragmas)
        let state = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        let keys = try SharedKeys(state: [UInt8](state?.blobValue ?? Data()))
        try context.registerDocumentFunctions(sharedKeys: keys)
        return context
    }
}
