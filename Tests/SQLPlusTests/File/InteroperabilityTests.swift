import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

/// Passphrase, raw key, raw key with a salt.
private let keys = [
    "correct horse ' battery",
    "x'2dd29ca851e7b56e4697b0e1f08507293d761a05ce4d1b628663f411a8086d99'",
    "x'2dd29ca851e7b56e4697b0e1f08507293d761a05ce4d1b628663f411a8086d99"
        + "98483c6eb40b6c31a448c22a66ded3b5'",
]
private let pageSizes = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]

@Suite("SQLCipher 4", .enabled(if: SQLCipher.isInstalled))
struct InteroperabilityTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let fill = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO t SELECT i, hex(randomblob(150)) FROM n
        """

    private func open(_ path: String, _ key: String) throws -> SQLContext {
        try SQLContext(path: path, configuration: .plus(key: EncryptionKey(key)))
    }

    @Test("reads what we wrote", arguments: keys, pageSizes)
    func readsOurs(key: String, pageSize: Int) throws {
        let path = directory("ours.db")
        let context = try open(path, key)
        try context.exec(sql: "PRAGMA page_size = \(pageSize); CREATE TABLE t (a, b)")
        try context.exec(sql: Self.fill)
        try context.close()
        let rows = try SQLCipher.run(
            path, key, before: ["PRAGMA cipher_page_size = \(pageSize)"],
            "SELECT count(*), sum(a), sum(length(b)) FROM t", "PRAGMA integrity_check",
            "PRAGMA cipher_integrity_check", "PRAGMA page_size")
        #expect(rows == "500|125250|150000\nok\n\(pageSize)")
    }

    @Test("wrote what we read and continue to write", arguments: keys, pageSizes)
    func wrotesTheirs(key: String, pageSize: Int) throws {
        let path = directory("theirs.db")
        let made = try SQLCipher.run(
            path, key, before: ["PRAGMA cipher_page_size = \(pageSize)"],
            "CREATE TABLE t (a, b)", Self.fill)
        #expect(made == "")
        let context = try open(path, key)
        #expect(try context.selectValue(sql: "SELECT sum(a) FROM t") == .long(125_250))
        #expect(try context.selectValue(sql: "PRAGMA page_size") == .long(Int64(pageSize)))
        try context.exec(sql: "UPDATE t SET b = 'ours' WHERE a % 7 = 0")
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        try context.close()
        let rows = try SQLCipher.run(
            path, key, before: ["PRAGMA cipher_page_size = \(pageSize)"],
            "SELECT count(*) FROM t WHERE b = 'ours'", "PRAGMA cipher_integrity_check")
        #expect(rows == "71")
    }

    @Test("left a WAL, which we read", arguments: keys)
    func readsTheirLog(key: String) throws {
        let path = directory("log.db")
        _ = try SQLCipher.run(
            path, key, crash: true, "PRAGMA journal_mode = wal", "CREATE TABLE t (a, b)",
            Self.fill, "UPDATE t SET b = 'log' WHERE a <= 100")
        let context = try open(path, key)
        #expect(
            try context.selectValue(sql: "SELECT count(*) FROM t WHERE b = 'log'") == .long(100))
        #expect(try context.selectValue(sql: "PRAGMA journal_mode") == .text("wal"))
        try context.exec(sql: "UPDATE t SET b = 'more' WHERE a > 400")
        try context.close()
        let rows = try SQLCipher.run(
            path, key, "SELECT b, count(*) FROM t WHERE length(b) < 9 GROUP BY b",
            "PRAGMA cipher_integrity_check")
        #expect(rows == "log|100\nmore|100")
    }

    @Test("reads a WAL that we left", arguments: keys)
    func readsOurLog(key: String) throws {
        let path = directory("ours.db")
        let context = try open(path, key)
        // With a small cache SQLite writes pages to the WAL repeatedly before the commit.
        try context.exec(sql: "PRAGMA journal_mode = wal; PRAGMA cache_size = 5")
        try context.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try context.transaction(.immediate) {
            try context.exec(sql: Self.fill)
            try context.exec(sql: "UPDATE t SET b = 'log' WHERE a <= 100")
            try context.exec(sql: "UPDATE t SET b = b || '!' WHERE a <= 100")
        }
        try context.exec(sql: "DELETE FROM t WHERE a = 500")
        for suffix in ["", "-wal"] {
            try FileCopy.copy(path + suffix, directory("copy.db") + suffix)
        }
        let rows = try SQLCipher.run(
            directory("copy.db"), key, "SELECT count(*), sum(b = 'log!') FROM t",
            "PRAGMA integrity_check", "PRAGMA cipher_integrity_check")
        #expect(rows == "499|100\nok")
        try context.close()
    }

    @Test("left a hot journal, which we play back; and plays back ours", arguments: keys)
    func hotJournals(key: String) throws {
        let path = directory("hot.db")
        let change = ["PRAGMA cache_size = 5", "BEGIN", "UPDATE t SET b = 'lost'"]
        _ = try SQLCipher.run(
            path, key, "CREATE TABLE t (a, b)", Self.fill)
        _ = try SQLCipher.run(path, key, crash: true, change[0], change[1], change[2])
        #expect(try FileCopy.size(path + "-journal") > 50_000)
        let context = try open(path, key)
        #expect(try context.selectValue(sql: "SELECT sum(b = 'lost') FROM t") == .long(0))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))

        for sql in change { try context.exec(sql: sql) }
        for suffix in ["", "-journal"] {
            try FileCopy.copy(path + suffix, directory("copy.db") + suffix)
        }
        let rows = try SQLCipher.run(
            directory("copy.db"), key, "SELECT count(*), sum(b = 'lost') FROM t",
            "PRAGMA cipher_integrity_check")
        #expect(rows == "500|0")
        try context.exec(sql: "ROLLBACK")
        try context.close()
    }
}
