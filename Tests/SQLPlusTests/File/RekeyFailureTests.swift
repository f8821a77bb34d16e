import SQLCore
import SQLPlus
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("A change of the key that fails, and cannot be undone")
struct RekeyFailureTests {
    let directory: TemporaryDirectory
    let old = EncryptionKey.random()
    let new = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    @Test(
        "leaves a connection that refuses writes, and a file with the old key",
        arguments: ["delete", "wal"])
    func broken(mode: String) throws {
        let vfs = try HookVFS.registered()
        let path = directory("a.db")
        let context = try SQLContext(path: path, configuration: .plus(key: old, over: vfs.name))
        try context.exec(
            sql: """
                PRAGMA journal_mode = \(mode); CREATE TABLE t (a, b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO t SELECT i, printf('%0500d', i) FROM n
                """)
        _ = try context.selectAll(sql: "PRAGMA wal_checkpoint(truncate)")
        let writes = Locked(0)
        vfs.onCall { operation, kind in
            guard operation == .write, kind == .mainDatabase else { return nil }
            return writes.withLock { count in
                count += 1
                return count > 5 ? .inputOutput : nil
            }
        }
        #expect(throws: SQLError.self) { try context.rekey(new) }
        vfs.onCall(nil)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (1000, 'lost')")
        }
        #expect(error?.encryption == .rekeyRollbackFailed)
        #expect(throws: SQLError.self) { try context.rekey(new) }
        try context.close()
        let again = try SQLContext(path: path, configuration: .plus(key: old))
        #expect(try again.selectValue(sql: "SELECT sum(a) FROM t") == .long(5050))
        #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        #expect(try again.selectValue(sql: "PRAGMA journal_mode") == .text(mode))
        try again.exec(sql: "INSERT INTO t VALUES (1000, 'kept')")
        try again.close()
        let last = try SQLContext(path: path, configuration: .plus(key: old))
        #expect(try last.selectValue(sql: "SELECT sum(a) FROM t") == .long(6050))
    }
}
