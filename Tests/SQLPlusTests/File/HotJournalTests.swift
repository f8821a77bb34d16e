import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("Rollback journals with the original size of the file")
struct HotJournalTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory("a.db") }

    private func open(_ path: String) throws -> SQLContext {
        try SQLContext(path: path, configuration: .plus(key: key))
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// A journal without records, which SQLite plays back.
    private static func journal(pages: UInt32, pageSize: UInt32) -> [UInt8] {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let fields = [0, 77, pages, 512, pageSize].flatMap(bigEndian)
        return magic + fields + [UInt8](repeating: 0, count: 512 - 28)
    }

    @Test(
        "a small journal does not grow a small file to a large one",
        arguments: [1024, 4096, 65_536],
        [1_000, 4_000_000, 0x7FFF_FFFF, .max] as [UInt32])
    func growth(pageSize: UInt32, pages: UInt32) throws {
        let context = try open(path)
        try context.exec(
            sql: "PRAGMA page_size = \(pageSize); CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        try context.close()
        let before = try FileCopy.bytes(path)
        try FileCopy.write(Self.journal(pages: pages, pageSize: pageSize), path + "-journal")
        let hostile = try open(path)
        let error = #expect(throws: SQLError.self) {
            try hostile.selectValue(sql: "SELECT a FROM t")
        }
        #expect(error?.code.primary == .corrupt, "\(String(describing: error))")
        try hostile.close()
        #expect(try FileCopy.bytes(path) == before)
        try FileCopy.write([], path + "-journal")
        #expect(try open(path).selectValue(sql: "SELECT a FROM t") == .long(1))
    }

    @Test(
        "a journal of a transaction that freed thousands of pages restores the file",
        arguments: [1024, 4096])
    func freedPages(pageSize: Int) throws {
        let vfs = try HookVFS.registered()
        let context = try SQLContext(
            path: path, configuration: .plus(key: key, over: vfs.name))
        try context.exec(
            sql: """
                PRAGMA page_size = \(pageSize); PRAGMA auto_vacuum = incremental;
                CREATE TABLE t (a, b); CREATE TABLE u (a);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO t SELECT i, zeroblob(\(pageSize)) FROM n;
                INSERT INTO u VALUES (7); DELETE FROM t
                """)
        let size = try FileCopy.size(path)
        #expect(size > 3000 * pageSize)
        vfs.onCall { [path, directory] operation, kind in
            guard operation == .sync, kind == .mainDatabase else { return nil }
            for suffix in ["", "-journal"] {
                try? FileCopy.copy(path + suffix, directory("crashed.db") + suffix)
            }
            return nil
        }
        _ = try context.selectAll(sql: "PRAGMA incremental_vacuum")
        vfs.onCall(nil)
        try context.close()
        let crashed = directory("crashed.db")
        #expect(try FileCopy.size(path) < 100 * pageSize)
        let again = try open(crashed)
        #expect(try again.selectValue(sql: "SELECT a FROM u") == .long(7))
        #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        #expect(try FileCopy.size(crashed) == size)
        // Each page is valid, including empty ones.
        let copy = try open(directory("copy.db"))
        try again.backup(to: copy)
        #expect(try copy.selectValue(sql: "SELECT a FROM u") == .long(7))
        try again.close()
    }
}
