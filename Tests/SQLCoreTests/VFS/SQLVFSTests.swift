import SQLCore
import StoreTestSupport
import Synchronization
import Testing

@Suite("VFS")
struct SQLVFSTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// Numbers with a filler, so that a few hundred of them need many pages.
    private func insert(_ range: ClosedRange<Int>, into context: SQLContext) throws {
        try context.exec(
            sql: """
                WITH RECURSIVE n(i) AS (
                    SELECT \(range.lowerBound)
                    UNION ALL SELECT i + 1 FROM n WHERE i < \(range.upperBound))
                INSERT INTO t SELECT i, hex(randomblob(300)) FROM n
                """)
    }

    private func count(_ context: SQLContext) throws -> SQLValue? {
        try context.selectValue(sql: "SELECT count(*) || ' ' || sum(a) FROM t")
    }

    @Test(
        "a full disk in the middle of a transaction is an error and loses nothing committed",
        arguments: ["delete", "truncate", "wal"])
    func fullDisk(mode: String) throws {
        let path = directory("\(mode).db")
        let vfs = try FaultVFS.registered()
        let context = try vfs.open(path)
        try context.exec(sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 10")
        try context.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try insert(1...100, into: context)
        for space in [0, 1, 5_000, 40_000, 150_000] as [Int64] {
            vfs.setSpaceLeft(space)
            let error = #expect(throws: SQLError.self) {
                try context.transaction(.immediate) {
                    try context.exec(sql: "DELETE FROM t WHERE a <= 50")
                    try insert(1000...2000, into: context)
                }
            }
            #expect(error.map { SQLResultCode.full ~= $0.code } == true, "\(space) bytes")
            #expect(!context.isInTransaction)
            #expect(try count(context) == .text("100 5050"))
        }
        vfs.heal()
        try context.transaction(.immediate) { try insert(101...200, into: context) }
        try context.close()
        let reopened = try SQLContext(path: path)
        #expect(try count(reopened) == .text("200 20100"))
        #expect(try reopened.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test(
        "a failed operation is the statement's error, and the file is intact afterwards",
        arguments: [
            (FaultOperation.write, SQLResultCode.writeFailed), (.sync, .syncFailed),
            (.read, .readFailed), (.open, .cannotOpen), (.delete, .inputOutput),
            (.lock, .busy),
        ])
    func faults(operation: FaultOperation, code: SQLResultCode) throws {
        let path = directory("t.db")
        let vfs = try FaultVFS.registered()
        do {
            let context = try vfs.open(path)
            try context.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
            try insert(1...100, into: context)
        }
        let context = try vfs.open(path)
        vfs.fail(operation, with: code)
        let error = #expect(throws: SQLError.self) { try insert(101...200, into: context) }
        #expect(error.map { code.primary ~= $0.code } == true)
        vfs.heal()
        #expect(try count(context) == .text("100 5050"))
        try insert(101...200, into: context)
        #expect(try count(context) == .text("200 20100"))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("reads, writes and syncs go through it, including those of journals")
    func counts() throws {
        let vfs = try FaultVFS.registered()
        let context = try vfs.open(directory("t.db"))
        try context.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try insert(1...10, into: context)
        #expect(vfs.count(of: .write) > 2)
        #expect(vfs.count(of: .sync) > 2)
        #expect(vfs.kinds == [.mainDatabase, .mainJournal])
        let deletions = vfs.count(of: .delete)
        #expect(deletions >= 2)
        try context.exec(sql: "PRAGMA journal_mode = wal")
        try insert(11...20, into: context)
        #expect(vfs.kinds.contains(.wal))
        #expect(vfs.count(of: .mapSharedMemory) > 0)
        #expect(vfs.bytesWritten > 8192)
    }

    @Test("two connections share a write-ahead log, and one reads while the other writes")
    func sharedWAL() throws {
        let vfs = try FaultVFS.registered()
        let path = directory("t.db")
        let writer = try vfs.open(path)
        try writer.exec(sql: "PRAGMA journal_mode = wal")
        try writer.exec(sql: "CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        let reader = try vfs.open(path)
        let plain = try SQLContext(path: path)
        try writer.transaction(.immediate) {
            try insert(1...100, into: writer)
            #expect(try count(reader) == .null)
            let error = #expect(throws: SQLError.self) { try insert(200...201, into: reader) }
            #expect(error.map { SQLResultCode.busy ~= $0.code } == true)
        }
        #expect(try count(reader) == .text("100 5050"))
        #expect(try count(plain) == .text("100 5050"))
        #expect(
            try writer.selectAll(sql: "PRAGMA wal_checkpoint(truncate)").first?.first == .long(0))
        try writer.exec(sql: "VACUUM; PRAGMA mmap_size = 1000000")
        #expect(try count(reader) == .text("100 5050"))
    }

    @Test("two VFSs cannot have the same name, and an unregistered one is unknown")
    func names() throws {
        let vfs = try FaultVFS.registered()
        try vfs.register()
        let twin = try FaultVFS(name: vfs.name)
        let misuse = #expect(throws: SQLError.self) { try twin.register() }
        #expect(misuse?.code == .misuse)
        let missing = #expect(throws: SQLError.self) { try FaultVFS(name: "x", over: "missing") }
        #expect(missing?.code == .notFound)
        let context = try vfs.open(directory("t.db"))
        vfs.unregister()
        #expect(throws: SQLError.self) { try vfs.open(directory("u.db")) }
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        #expect(try count(context) == .text("1 1"))
        try vfs.register()
        #expect(try vfs.open(directory("t.db")).selectValue(sql: "SELECT a FROM t") == .long(1))
    }

    @Test("a VFS can stand on another one of ours")
    func stacked() throws {
        let lower = try FaultVFS.registered()
        let upper = try FaultVFS(name: "over-\(lower.name)", over: lower.name)
        try upper.register()
        let context = try upper.open(directory("t.db"))
        try context.exec(
            sql: "PRAGMA journal_mode = wal; CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
        try insert(1...100, into: context)
        #expect(try count(context) == .text("100 5050"))
        for operation in FaultOperation.allCases {
            #expect(upper.count(of: operation) == lower.count(of: operation))
        }
    }

    @Test("a file has the parameters of its URI, and a WAL the file of its database")
    func opening() throws {
        let vfs = try NotingVFS(name: "noting")
        try vfs.register()
        let path = directory("t.db")
        do {
            let context = try SQLContext(
                path: "file:\(path)?vfs=noting&color=blue", flags: [.readWrite, .create, .uri])
            try context.exec(sql: "CREATE TABLE t (a)")
            try context.exec(sql: "PRAGMA journal_mode = wal; INSERT INTO t VALUES (1)")
            try context.exec(sql: "CREATE TEMP TABLE u (a); INSERT INTO u VALUES (1)")
            #expect(NotingFile.living.withLock { $0 } >= 2)
        }
        #expect(NotingFile.living.withLock { $0 } == 0)
        let notes = vfs.notes.withLock { $0 }
        #expect(notes.contains("mainDatabase t.db blue no file"))
        #expect(notes.contains("mainJournal t.db-journal blue file of t.db"))
        #expect(notes.contains("wal t.db-wal blue file of t.db"))
    }

    @Test("what making a file throws is the result of opening it")
    func refusal() throws {
        let vfs = try RefusingVFS(name: "refusing")
        try vfs.register()
        let error = #expect(throws: SQLError.self) {
            try SQLContext(
                path: "file:\(directory("t.db"))?vfs=refusing", flags: [.readWrite, .create, .uri])
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test("several threads write to one file through it, each with its connection")
    func threads() async throws {
        let vfs = try FaultVFS.registered()
        let path = directory("t.db")
        do {
            let context = try vfs.open(path)
            try context.exec(sql: "PRAGMA journal_mode = wal; CREATE TABLE t (a, b)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    let context = try vfs.open(path)
                    try context.setBusyTimeout(milliseconds: 20_000)
                    for number in 0..<25 {
                        try context.exec(
                            sql: "INSERT INTO t VALUES (?, ?)",
                            parameters: [.long(Int64(thread)), .long(Int64(number))])
                    }
                }
            }
            try await group.waitForAll()
        }
        let rows = try vfs.open(path).selectAll(
            sql: "SELECT a, count(*), sum(b) FROM t GROUP BY a ORDER BY a")
        #expect(rows == (0..<4).map { [.long($0), .long(25), .long(300)] })
    }
}
