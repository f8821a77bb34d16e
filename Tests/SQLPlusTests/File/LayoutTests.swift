import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

/// SQLite would rebuild the file, and overwrite the end of each page.
@Suite("Pages without space for encryption")
struct LayoutTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory("a.db") }

    /// 400 rows, of which many have bytes at the end of their page.
    private func make(_ mode: String) throws {
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.exec(
            sql: """
                PRAGMA journal_mode = \(mode);
                CREATE TABLE t (i INTEGER PRIMARY KEY, v); CREATE INDEX x ON t (v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
                INSERT INTO t SELECT i, printf('%0' || (i % 700 + 10) || 'd', i) FROM n
                """)
        try context.close()
    }

    private func expectWhole(
        _ context: SQLContext, _ mode: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let queries = [
            "SELECT count(*) || ' ' || sum(length(v)) || ' ' || sum(v) FROM t",
            "SELECT count(*) FROM t INDEXED BY x WHERE v > ''", "PRAGMA integrity_check",
            "PRAGMA page_size", "PRAGMA journal_mode",
        ]
        let found = try queries.map { try context.selectValue(sql: $0) }
        let expected: [SQLValue] = [
            .text("400 84200 80200"), .long(400), .text("ok"), .long(4096), .text(mode),
        ]
        #expect(found == expected, sourceLocation: location)
    }

    /// The database is unchanged for another connection, and can be written.
    private func expectUnharmed(
        _ mode: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try expectWhole(context, mode, location)
        try context.exec(sql: "UPDATE t SET v = v || 'x' WHERE i % 2 = 0; VACUUM")
        let sum = try context.selectValue(sql: "SELECT sum(length(v)) FROM t")
        #expect(sum == .long(84_400), sourceLocation: location)
        let check = try context.selectValue(sql: "PRAGMA integrity_check")
        #expect(check == .text("ok"), sourceLocation: location)
        try context.close()
    }

    @Test(
        "VACUUM keeps the page size, whatever PRAGMA page_size has set",
        arguments: [512, 1024, 8192, 65_536], ["delete", "wal"])
    func askedForLater(size: Int, mode: String) throws {
        try make(mode)
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.exec(sql: "PRAGMA page_size = \(size); VACUUM")
        try expectWhole(context, mode)
        try context.close()
        try expectUnharmed(mode)
    }

    @Test(
        "VACUUM is refused if another page size was set before the key",
        arguments: [512, 1024, 2048, 8192, 65_536], [0, 5])
    func askedForBefore(size: Int, cache: Int) throws {
        try make("delete")
        let context = try SQLContext(path: path, configuration: .plus)
        try context.exec(sql: "PRAGMA page_size = \(size)")
        try context.key(key)
        if cache > 0 { try context.exec(sql: "PRAGMA cache_size = \(cache)") }
        let error = #expect(throws: SQLError.self) { try context.selectAll(sql: "VACUUM") }
        #expect(error?.encryption == .fixedPageSize, "\(String(describing: error))")
        try expectWhole(context, "delete")
        try context.close()
        try expectUnharmed("delete")
    }

    @Test("in WAL mode VACUUM keeps the page size, as SQLite does itself")
    func askedForBeforeWithLog() throws {
        try make("wal")
        let context = try SQLContext(path: path, configuration: .plus)
        try context.exec(sql: "PRAGMA page_size = 8192")
        try context.key(key)
        try context.exec(sql: "VACUUM")
        try expectWhole(context, "wal")
        try context.close()
        try expectUnharmed("wal")
    }

    @Test(
        "VACUUM is refused if it would change the number of reserved bytes",
        arguments: [96, 200, 255], ["delete", "truncate", "wal"])
    func otherReserve(bytes: Int, mode: String) throws {
        try make(mode)
        let kept = mode == "wal" ? "wal" : "delete"
        for cache in [-2000, 5] {
            let context = try SQLContext(path: path, configuration: .plus(key: key))
            try context.exec(sql: "PRAGMA cache_size = \(cache)")
            try context.reserve(bytes: bytes)
            let error = #expect(throws: SQLError.self) { try context.selectAll(sql: "VACUUM") }
            #expect(error?.encryption == .noSpaceInPages, "\(String(describing: error))")
            try expectWhole(context, kept)
            try context.close()
        }
        try expectUnharmed(kept)
    }

    @Test("fewer reserved bytes than encryption needs are refused", arguments: [0, 16, 79])
    func smallerReserve(bytes: Int) throws {
        try make("delete")
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.reserve(bytes: bytes)
        try context.exec(sql: "VACUUM")
        try expectWhole(context, "delete")
        try context.close()
        try expectUnharmed("delete")
    }

    @Test(
        "a new database is not created with another number of reserved bytes",
        arguments: ["delete", "wal"])
    func newDatabase(mode: String) throws {
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.reserve(bytes: 100)
        let error = #expect(throws: SQLError.self) {
            _ = try context.selectAll(sql: "PRAGMA journal_mode = \(mode)")
            _ = try context.selectAll(sql: "CREATE TABLE t (a)")
        }
        #expect(error?.encryption == .noSpaceInPages, "\(String(describing: error))")
        try context.close()
        #expect(try FileCopy.size(path) == 0)
        try make(mode)
        try expectUnharmed(mode)
    }

    @Test("a refused statement in a script has the same error as alone")
    func script() throws {
        try make("delete")
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.reserve(bytes: 100)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "SELECT 1; VACUUM; SELECT 2")
        }
        #expect(error?.code == .misuse)
        #expect(error?.encryption == .noSpaceInPages, "\(String(describing: error))")
        #expect(error?.offset == 10)
    }
}
