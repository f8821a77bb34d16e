import Foundation
import SQLCore
import SQLPlus
import SampleData
import StoreTestSupport
import Testing

/// The same statements on an encrypted database and on a plain one.
///
/// Both reserve the same number of bytes in each page, so that their pages are the same, too.
private final class Pair {
    let directory: TemporaryDirectory
    let paths: [String]
    /// The key of the first database.
    private(set) var keyText: String
    private(set) var key: EncryptionKey
    /// The connections of each database, which alternate.
    private(set) var contexts: [[SQLContext]] = []
    /// The statements that were run, for the message of a difference.
    private(set) var log: [String] = []

    init(_ directory: TemporaryDirectory, _ name: String) throws {
        self.directory = directory
        paths = [directory(name + "-encrypted.db"), directory(name + "-plain.db")]
        keyText = Self.makeKey()
        key = try EncryptionKey(keyText)
        try open()
    }

    private static func makeKey() -> String {
        let digits = Array("0123456789abcdef")
        return "x'" + String((0..<64).map { _ in digits.randomElement() ?? "0" }) + "'"
    }

    private func context(_ side: Int, _ path: String) throws -> SQLContext {
        if side == 0 { return try SQLContext(path: path, configuration: .plus(key: key)) }
        let context = try SQLContext(path: path)
        try context.reserve(bytes: 80)
        return context
    }

    func open() throws {
        contexts = try paths.indices.map { side in
            try (0..<2).map { _ in try context(side, paths[side]) }
        }
    }

    func close() throws {
        for side in contexts { for context in side { try context.close() } }
        contexts = []
    }

    func note(_ text: String) { log.append(text) }

    /// Runs a statement on both; the outcomes must be the same.
    func run(_ connection: Int, _ sql: String) -> Bool {
        log.append("\(connection): \(sql)")
        let found = contexts.map { side in Self.outcome(side[connection], sql) }
        guard found[0] != found[1] else { return true }
        log.append("encrypted: \(found[0])\nplain: \(found[1])")
        return false
    }

    static func outcome(_ context: SQLContext, _ sql: String) -> Outcome {
        Outcome {
            try context.selectAll(sql: sql).map { row in
                row.map(\.shown).joined(separator: "|")
            }.joined(separator: "\n")
        }
    }

    /// Closes, changes the key of the encrypted database, and opens again.
    func rekey() throws {
        log.append("rekey")
        try close()
        keyText = Self.makeKey()
        let new = try EncryptionKey(keyText)
        let context = try context(0, paths[0])
        try context.rekey(new)
        try context.close()
        key = new
        try open()
    }

    /// The content for a connection that opens the files in their current state on disk.
    func crash() throws -> Bool {
        log.append("crash")
        var states: [[Outcome]] = []
        for (side, path) in paths.enumerated() {
            let copy = directory("crash-\(side).db")
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: copy + suffix)
                guard suffix != "-shm", FileManager.default.fileExists(atPath: path + suffix)
                else { continue }
                try FileCopy.copy(path + suffix, copy + suffix)
            }
            let context = try context(side, copy)
            states.append(Self.checks.map { Self.outcome(context, $0) })
            try context.close()
        }
        guard states[0] == states[1] else {
            log.append("after the crash: \(states[0]), plain: \(states[1])")
            return false
        }
        return true
    }

    static let checks = [
        "PRAGMA integrity_check",
        "SELECT name, sql FROM sqlite_master ORDER BY name",
        "SELECT count(*), sum(i), sum(length(v)), max(v), sum(n) FROM t0",
        "SELECT count(*), sum(i), sum(length(v || '')), min(v), sum(n) FROM t1",
        "SELECT count(*), sum(i), sum(length(v || '')), min(v), sum(n) FROM t2",
        "SELECT v, n, count(*) FROM t0 GROUP BY v, n ORDER BY v DESC, n LIMIT 20",
        "PRAGMA page_count", "PRAGMA freelist_count", "PRAGMA page_size", "PRAGMA auto_vacuum",
    ]

    func check(_ connection: Int) -> Bool {
        guard run(connection, Self.checks[0]) else { return false }
        // Other busy errors depend on the pages that were read: sectors have another size.
        let busy = contexts.map { Self.outcome($0[connection], Self.checks[0]) }
        guard busy[0] != .failed(.busy, nil) else { return true }
        return Self.checks.allSatisfy { run(connection, $0) }
    }
}

extension SQLValue {
    fileprivate var shown: String {
        switch self {
        case .long(let value): String(value)
        case .real(let value): String(value)
        case .text(let value): value
        case .blob(let value): "\(value.count) bytes"
        case .null: "nil"
        }
    }
}

/// A program of random statements.
private struct Program {
    var random: SeededGenerator
    let pair: Pair
    private var savepoints = 0

    init(seed: UInt64, _ directory: TemporaryDirectory) throws {
        random = SeededGenerator(seed: seed)
        pair = try Pair(directory, "p\(seed)")
    }

    private mutating func setUp() -> Bool {
        let size = random.pick([1024, 1024, 2048, 4096, 8192, 32_768, 65_536])
        let statements = [
            "PRAGMA page_size = \(size)",
            "PRAGMA auto_vacuum = \(random.pick(["none", "none", "full", "incremental"]))",
            "PRAGMA encoding = '\(random.pick(["UTF-8", "UTF-8", "UTF-16le"]))'",
            "CREATE TABLE t0 (i INTEGER PRIMARY KEY, v, n)",
            "CREATE TABLE t1 (i, v, n, PRIMARY KEY (v, i)) WITHOUT ROWID",
            "CREATE TABLE t2 (i INTEGER PRIMARY KEY, v, n)", "CREATE INDEX x0 ON t0 (v)",
            "CREATE INDEX x2 ON t2 (n, v)",
        ]
        for statement in statements where !pair.run(0, statement) { return false }
        guard pair.check(1) else { return false }
        guard pair.run(0, "PRAGMA journal_mode = \(random.pick(Self.modes))") else { return false }
        return (0..<2).allSatisfy { connection in
            settings().allSatisfy { pair.run(connection, $0) }
        }
    }

    private static let modes = ["delete", "truncate", "persist", "wal", "wal", "memory"]

    private mutating func settings() -> [String] {
        [
            "PRAGMA cache_size = \(2 + random.below(19))",
            "PRAGMA cache_spill = \(random.pick(["on", "on", "1", "5", "off"]))",
            "PRAGMA temp_store = \(random.pick(["file", "memory"]))",
            "PRAGMA synchronous = \(random.pick(["off", "normal", "full"]))",
            "PRAGMA secure_delete = \(random.pick(["on", "off", "fast"]))",
            "PRAGMA wal_autocheckpoint = \(random.pick([0, 1, 10, 1000]))",
        ]
    }

    /// Runs the program; nil, or the statements up to the difference.
    mutating func run(steps: Int) throws -> [String]? {
        guard setUp() else { return pair.log }
        for number in 0..<steps {
            guard try step() else { return pair.log }
            if number % 6 == 5 {
                guard pair.check(random.below(2)) else { return pair.log }
            }
        }
        for connection in 0..<2 { _ = pair.run(connection, "ROLLBACK") }
        guard pair.check(0) else { return pair.log }
        try pair.close()
        return nil
    }

    private mutating func step() throws -> Bool {
        let connection = random.below(4) == 0 ? 1 : 0
        switch random.below(34) {
        case 0..<8: return pair.run(connection, insertion())
        case 8..<13: return pair.run(connection, change())
        case 13..<16: return pair.run(connection, deletion())
        case 16..<24: return transaction(connection)
        case 24: return pair.run(connection, "VACUUM")
        case 25: return pair.run(connection, "PRAGMA journal_mode = \(random.pick(Self.modes))")
        case 26:
            let mode = random.pick(["passive", "full", "restart", "truncate"])
            return pair.run(connection, "PRAGMA wal_checkpoint(\(mode))")
        case 27: return pair.run(connection, random.pick(settings()))
        case 28: return temporary(connection)
        case 29: return pair.run(connection, "PRAGMA incremental_vacuum(\(random.below(9)))")
        case 30: return schema(connection)
        case 31: return try reopen()
        case 32: return try crash()
        default: return pair.run(connection, "REINDEX")
        }
    }

    private mutating func insertion() -> String {
        let length = random.pick([10, 80, 300, 1500, 9000])
        let count = 1 + random.below(length > 1000 ? 8 : 60)
        let table = random.below(3)
        let names = table == 1 ? "(i, v, n)" : "(v, n)"
        let number = table == 1 ? "i, " : ""
        let start = random.below(100_000)
        return """
            INSERT OR \(random.pick(["IGNORE", "REPLACE", "ABORT"])) INTO t\(table) \(names)
            WITH RECURSIVE n(i) AS
                (SELECT \(start) UNION ALL SELECT i + 1 FROM n WHERE i < \(start + count))
            SELECT \(number)printf('%0\(length)d', i * 7919 % 10007), i % 17 FROM n
            """
    }

    private mutating func change() -> String {
        let table = random.below(3)
        let length = random.pick([5, 100, 700, 5000])
        let part = random.below(13)
        let value = random.pick([
            "v = printf('%0\(length)d', i * 31 % 1009)", "n = n + 1", "v = v || '\(part)', n = 3",
            "v = substr(v, \(length))",
        ])
        return
            "UPDATE OR IGNORE t\(table) SET \(value) WHERE i % 13 = \(part) AND length(v) < 20000"
    }

    private mutating func deletion() -> String {
        let part = random.below(5)
        return random.below(12) == 0
            ? "DELETE FROM t\(random.below(3))"
            : "DELETE FROM t\(random.below(3)) WHERE (i + n) % 5 = \(part)"
    }

    private mutating func transaction(_ connection: Int) -> Bool {
        pair.run(
            connection,
            random.pick([
                "BEGIN", "BEGIN IMMEDIATE", "BEGIN EXCLUSIVE", "COMMIT", "COMMIT", "ROLLBACK",
                "SAVEPOINT s", "SAVEPOINT s", "SAVEPOINT q", "RELEASE s", "ROLLBACK TO s",
                "ROLLBACK TO s", "ROLLBACK TO q", "RELEASE q",
            ]))
    }

    private mutating func temporary(_ connection: Int) -> Bool {
        let name = "temporary\(random.below(2))"
        return [
            "CREATE TEMP TABLE IF NOT EXISTS \(name) (v, n)",
            "INSERT INTO \(name) SELECT v, n FROM t\(random.below(3)) ORDER BY v DESC LIMIT 200",
            "DELETE FROM \(name) WHERE n % 3 = 1",
            "SELECT count(*), sum(length(a.v)) FROM \(name) a JOIN t0 b ON a.n = b.n",
            "SELECT DISTINCT substr(v, 1, 50) FROM \(name) ORDER BY v, n DESC",
        ].allSatisfy { pair.run(connection, $0) }
    }

    private mutating func schema(_ connection: Int) -> Bool {
        let name = "more\(random.below(3))"
        return pair.run(
            connection,
            random.pick([
                "CREATE TABLE \(name) AS SELECT v, n FROM t\(random.below(3))",
                "DROP TABLE IF EXISTS \(name)", "DROP INDEX IF EXISTS x0",
                "CREATE INDEX IF NOT EXISTS x0 ON t0 (v)",
                "ALTER TABLE t2 ADD COLUMN c\(random.below(1000))",
            ]))
    }

    private mutating func reopen() throws -> Bool {
        for connection in 0..<2 { _ = pair.run(connection, "ROLLBACK") }
        if random.below(3) == 0 {
            try pair.rekey()
        } else {
            pair.note("reopen")
            try pair.close()
            try pair.open()
        }
        guard pair.check(0), pair.check(1) else { return false }
        return (0..<2).allSatisfy { connection in
            settings().allSatisfy { pair.run(connection, $0) }
        }
    }

    /// A journal in memory does not survive a crash.
    private func crash() throws -> Bool {
        let modes = pair.contexts[1].map { context in
            Pair.outcome(context, "PRAGMA journal_mode")
        }
        let isOpen = pair.contexts[1].contains { $0.isInTransaction }
        guard !isOpen || !modes.contains(.text("memory")) else { return true }
        return try pair.crash()
    }
}

@Suite("An encrypted database is like a plain one")
struct DifferentialTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// `STORE_PROGRAMS` is the number of programs, `STORE_SEED` the first seed.
    @Test("random programs do the same on both, and SQLCipher reads what they leave")
    func programs() throws {
        let first = TestEnvironment.number("STORE_SEED", or: 20_261_123)
        let count = TestEnvironment.number("STORE_PROGRAMS", or: 12)
        print("random programs: STORE_SEED=\(first)")
        for number in 0..<count {
            var program = try Program(seed: UInt64(first + number), directory)
            let found = try program.run(steps: 60)
            if let found {
                Issue.record("STORE_SEED=\(first + number)\n\(found.joined(separator: ";\n"))")
                continue
            }
            if SQLCipher.isInstalled { try expectReadable(program.pair, first + number) }
        }
    }

    @Test(
        "a second connection reads what is only in the WAL",
        arguments: [
            1024, 2048, 4096, 8192, 16_384, 32_768, 65_536,
        ])
    func secondConnection(pageSize: Int) throws {
        let pair = try Pair(directory, "second")
        let statements = [
            "PRAGMA page_size = \(pageSize)", "PRAGMA journal_mode = wal",
            "CREATE TABLE t (a)", "INSERT INTO t VALUES ('first')",
        ]
        for statement in statements { #expect(pair.run(0, statement), "\(pair.log)") }
        #expect(pair.run(1, "SELECT a FROM t"), "\(pair.log)")
        #expect(pair.run(1, "INSERT INTO t VALUES ('second')"), "\(pair.log)")
        #expect(pair.run(0, "SELECT a FROM t"), "\(pair.log)")
        try pair.close()
    }

    @Test(
        "VACUUM after PRAGMA page_size keeps every row, or is refused",
        arguments: [
            (1024, 4096), (4096, 1024), (4096, 65_536), (65_536, 4096), (2048, 512), (8192, 4096),
        ])
    func otherPageSize(from: Int, to: Int) throws {
        let key = EncryptionKey.random()
        let path = directory("vacuum.db")
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.exec(
            sql: """
                PRAGMA page_size = \(from); CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
                INSERT INTO t SELECT i, printf('%0300d', i) FROM n
                """)
        try? context.exec(sql: "PRAGMA page_size = \(to); VACUUM")
        let sql = "SELECT count(*) || ' ' || sum(length(v)) || ' ' || sum(v) FROM t"
        for statement in [sql, "PRAGMA integrity_check"] {
            let expected = statement == sql ? "400 120000 80200" : "ok"
            #expect(Pair.outcome(context, statement) == .text(expected))
        }
        try? context.exec(sql: "UPDATE t SET v = v || 'x' WHERE i % 3 = 0")
        try? context.close()
        let again = try SQLContext(path: path, configuration: .plus(key: key))
        let rows = Pair.outcome(again, "SELECT count(*), sum(length(v)) FROM t")
        #expect(rows == .text("400|120133"))
        #expect(Pair.outcome(again, "PRAGMA integrity_check") == .text("ok"))
        try again.close()
    }

    /// SQLite 3.40.1 by itself loses it, 3.53 does not: frames that follow a rollback to a
    /// savepoint get no salts and checksums until the commit, which continues from another frame.
    @Test("what is committed after ROLLBACK TO is in the WAL", arguments: [true, false])
    func rollbackTo(isFirstInWAL: Bool) throws {
        let key = EncryptionKey.random()
        let context = try SQLContext(path: directory("s.db"), configuration: .plus(key: key))
        try context.exec(
            sql: """
                PRAGMA page_size = 1024; PRAGMA journal_mode = wal; PRAGMA cache_size = 5;
                PRAGMA wal_autocheckpoint = 0; CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                PRAGMA wal_checkpoint(truncate)
                """)
        if !isFirstInWAL { try context.exec(sql: "INSERT INTO t VALUES (0, 'old')") }
        try context.exec(
            sql: """
                BEGIN; SAVEPOINT q;
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                INSERT INTO t SELECT i, printf('%0300d', i) FROM n;
                UPDATE t SET v = v || 'x' WHERE i > 100;
                ROLLBACK TO q; INSERT INTO t VALUES (1000, 'new'); COMMIT
                """)
        for suffix in ["", "-wal"] {
            try FileCopy.copy(directory("s.db") + suffix, directory("copy.db") + suffix)
        }
        let copy = try SQLContext(path: directory("copy.db"), configuration: .plus(key: key))
        #expect(Pair.outcome(copy, "SELECT v FROM t WHERE i = 1000") == .text("new"))
        #expect(Pair.outcome(copy, "PRAGMA integrity_check") == .text("ok"))
        try copy.close()
        #expect(Pair.outcome(context, "SELECT v FROM t WHERE i = 1000") == .text("new"))
        try context.close()
    }

    @Test("a transaction over two databases with different keys is atomic")
    func attached() throws {
        let (first, second) = (EncryptionKey.random(), EncryptionKey.random())
        let context = try SQLContext(path: directory("1.db"), configuration: .plus(key: first))
        try context.exec(sql: "PRAGMA cache_size = 4; CREATE TABLE t (v)")
        try context.attach(path: directory("2.db"), as: "other", key: second)
        try context.exec(sql: "PRAGMA other.cache_size = 4; CREATE TABLE other.u (v)")
        for isCommitted in [true, false, true] {
            try context.exec(
                sql: """
                    BEGIN;
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
                    INSERT INTO t SELECT printf('%0500d', i) FROM n;
                    INSERT INTO u SELECT v FROM t;
                    \(isCommitted ? "COMMIT" : "ROLLBACK")
                    """)
        }
        try context.close()
        for (name, key, sql, count) in [
            ("1.db", first, "SELECT count(*) FROM t", 198),
            ("2.db", second, "SELECT count(*) FROM u", 297),
        ] {
            let again = try SQLContext(path: directory(name), configuration: .plus(key: key))
            #expect(Pair.outcome(again, sql) == .text("\(count)"))
            #expect(Pair.outcome(again, "PRAGMA integrity_check") == .text("ok"))
            try again.close()
        }
    }

    private func expectReadable(_ pair: Pair, _ seed: Int) throws {
        let plain = try SQLContext(path: pair.paths[1])
        let size = try plain.selectValue(sql: "PRAGMA page_size")?.longValue ?? 0
        let sql = "SELECT (SELECT count(*) || ' ' || total(n) FROM t0), count(*) FROM t1"
        let expected = Pair.outcome(plain, sql)
        try plain.close()
        let found = try SQLCipher.run(
            pair.paths[0], pair.keyText, before: ["PRAGMA cipher_page_size = \(size)"],
            "PRAGMA cipher_integrity_check", "PRAGMA integrity_check",
            sql)
        guard case .text(let counts) = expected else {
            Issue.record("\(expected)")
            return
        }
        #expect(found == "ok\n\(counts)", "STORE_SEED=\(seed)")
    }
}
