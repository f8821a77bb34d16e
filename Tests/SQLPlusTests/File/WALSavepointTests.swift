import SQLCore
import SQLPlus
internal import StorePlatform
import StoreTestSupport
import Testing

/// After ROLLBACK TO a connection overwrites pages that it has written to the WAL.
@Suite("A crash in a transaction after ROLLBACK TO")
struct WALSavepointTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private static let filling = """
        PRAGMA journal_mode = wal; PRAGMA cache_size = 5;
        CREATE TABLE t (a INTEGER PRIMARY KEY, b, c);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
        INSERT INTO t SELECT i, printf('%0400d', i), 0 FROM n
        """

    /// Spills pages that are then rolled back, and after that other pages.
    private static let change = """
        BEGIN IMMEDIATE; SAVEPOINT s; INSERT INTO t SELECT a + 1000, b, 5 FROM t; ROLLBACK TO s;
        UPDATE t SET c = 1, b = b || 'x'; INSERT INTO t SELECT a + 2000, b, 2 FROM t; COMMIT
        """

    /// The content of a file, as one string.
    private func state(_ path: String) throws -> String {
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        defer { try? context.close() }
        let check = try context.selectValue(sql: "PRAGMA integrity_check")?.textValue ?? ""
        let rows = try context.selectValue(
            sql: "SELECT count(*) || ' ' || sum(a) || ' ' || sum(c) || ' ' || sum(length(b)) FROM t"
        )
        return "\(rows?.textValue ?? "") \(check)"
    }

    private static let before = "60 1830 0 24000 ok"
    private static let after = "120 123660 180 48120 ok"

    @Test(
        "leaves what was committed before, at whichever write it comes",
        arguments: ["normal", "exclusive"])
    func crash(lockingMode: String) throws {
        let vfs = try HookVFS.registered()
        let path = directory("a.db")
        let context = try SQLContext(
            path: path, configuration: .plus(key: key, over: vfs.name))
        try context.exec(sql: "PRAGMA locking_mode = \(lockingMode); \(Self.filling)")
        let copies = Locked<[String]>([])
        vfs.onCall { [directory] operation, kind in
            guard operation == .write, kind == .wal else { return nil }
            copies.withLock { copies in
                let copy = directory("\(copies.count).db")
                try? FileCopy.copy(path, copy)
                try? FileCopy.copy(path + "-wal", copy + "-wal")
                copies.append(copy)
            }
            return nil
        }
        try context.exec(sql: Self.change)
        vfs.onCall(nil)
        let found = try copies.withLock { $0 }.map(state)
        #expect(found.count > 20)
        #expect(Set(found) == [Self.before])
        try context.close()
        #expect(try state(path) == Self.after)
    }
}
