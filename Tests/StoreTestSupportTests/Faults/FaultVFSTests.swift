import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

@Suite("FaultVFS")
struct FaultVFSTests {
    let directory: TemporaryDirectory
    let vfs: FaultVFS

    init() throws {
        directory = try TemporaryDirectory()
        vfs = try FaultVFS.registered()
        vfs.setSkipsSyncs(true)
    }

    private func work(_ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA journal_mode = wal; CREATE TABLE IF NOT EXISTS t (a)")
        for number in 0..<3 {
            try context.exec(sql: "INSERT INTO t VALUES (\(number))")
        }
        try context.exec(sql: "PRAGMA wal_checkpoint(truncate)")
    }

    @Test("points are numbered over all operations, and the same operations have the same points")
    func points() throws {
        var counts: [[FaultOperation: Int]] = []
        for name in ["a.db", "b.db"] {
            vfs.resetCounts()
            let context = try vfs.open(directory(name))
            try work(context)
            try context.close()
            counts.append(
                FaultOperation.allCases.reduce(into: [:]) { $0[$1] = vfs.count(of: $1) })
        }
        #expect(counts[0] == counts[1])
        #expect(FaultOperation.allCases.map(vfs.count).reduce(0, +) == vfs.pointCount)
        for operation in FaultOperation.allCases {
            #expect(vfs.count(of: operation) > 0, "\(operation)")
        }
        #expect(vfs.fault == nil)
    }

    @Test("a fault contains the call, the file, and the number of the point")
    func description() throws {
        let context = try vfs.open(directory("a.db"))
        try context.exec(sql: "PRAGMA journal_mode = wal; CREATE TABLE t (a)")
        vfs.resetCounts()
        vfs.fail(.write)
        #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO t VALUES (1)") }
        let fault = try #require(vfs.fault)
        #expect(fault.operation == .write)
        #expect(fault.kind == .wal)
        #expect(fault.path?.hasSuffix("/a.db-wal") == true)
        #expect(fault.code == .writeFailed)
        #expect(fault.bytesWritten == 0)
        #expect((2...vfs.pointCount).contains(fault.point))
        #expect("\(fault)".contains("write of wal"))
        vfs.heal()
        try context.exec(sql: "INSERT INTO t VALUES (1)")
        #expect(vfs.fault == fault)
        vfs.resetCounts()
        #expect(vfs.fault == nil)
    }

    @Test("the code of a fault corresponds to its operation")
    func codes() {
        let codes = Dictionary(
            uniqueKeysWithValues: FaultOperation.allCases.map { ($0, $0.code.rawValue) })
        #expect(
            codes == [
                .open: 14, .read: 266, .write: 778, .sync: 1034, .truncate: 1546, .delete: 2570,
                .access: 3338, .size: 1802, .lock: 3850, .mapSharedMemory: 5386,
                .lockSharedMemory: 5130,
            ])
    }

    /// Which of ten inserts fail if the first of their syncs fails.
    private func failures(_ duration: Fault.Duration) throws -> [Bool] {
        let context = try vfs.open(directory("\(duration).db"))
        try context.exec(sql: "CREATE TABLE t (a)")
        vfs.resetCounts()
        try context.exec(sql: "INSERT INTO t VALUES (0)")
        let points = vfs.pointCount
        // One insert has the same points each time: find its first sync.
        for point in 1...points {
            vfs.resetCounts()
            vfs.fail(point: point, duration)
            let results = (0..<3).map { number in
                (try? context.exec(sql: "INSERT INTO t VALUES (\(number))")) == nil
            }
            let fault = vfs.fault
            vfs.heal()
            if fault?.operation == .sync { return results }
        }
        return []
    }

    @Test("a fault has the specified duration")
    func durations() throws {
        #expect(try failures(.once) == [true, false, false])
        #expect(try failures(.alike) == [true, true, true])
        #expect(try failures(.forGood) == [true, true, true])
        // Reading needs no sync, so it fails only if the disk fails completely.
        let context = try vfs.open(directory("read.db"))
        try context.exec(sql: "CREATE TABLE t (a)")
        for (duration, isReadable) in [(Fault.Duration.alike, true), (.forGood, false)] {
            vfs.resetCounts()
            vfs.fail(.sync)
            #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO t VALUES (1)") }
            let point = try #require(vfs.fault?.point)
            vfs.heal()
            vfs.resetCounts()
            vfs.fail(point: point, duration)
            #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO t VALUES (1)") }
            #expect(vfs.fault?.operation == .sync)
            let row = try? context.selectValue(sql: "SELECT count(*) FROM t")
            #expect((row != nil) == isReadable, "\(duration)")
            vfs.heal()
        }
    }

    @Test("a torn write has written the first half when it fails")
    func tornWrite() throws {
        let context = try vfs.open(directory("a.db"))
        try context.exec(sql: "PRAGMA journal_mode = wal; CREATE TABLE t (a)")
        vfs.resetCounts()
        vfs.fail(.write)
        _ = try? context.exec(sql: "INSERT INTO t VALUES (1)")
        let point = try #require(vfs.fault?.point)
        vfs.heal()
        let before = try #require(FileSize.of(directory("a.db-wal")))
        vfs.resetCounts()
        vfs.fail(point: point, .once, isTorn: true)
        #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO t VALUES (1)") }
        // The first write of a WAL frame is its header of 24 bytes.
        #expect(vfs.fault?.bytesWritten == 12)
        #expect(FileSize.of(directory("a.db-wal")) == before + 12)
        vfs.heal()
        try context.exec(sql: "INSERT INTO t VALUES (2)")
        #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(2))
    }

    @Test("a full disk is a fault at the write that found no space")
    func fullDisk() throws {
        let context = try vfs.open(directory("a.db"))
        try context.exec(sql: "CREATE TABLE t (a)")
        vfs.setSpaceLeft(100)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (randomblob(9000))")
        }
        #expect(error?.code == .full)
        #expect(vfs.fault?.operation == .write)
        #expect(vfs.fault?.code == .full)
        vfs.heal()
        try context.exec(sql: "INSERT INTO t VALUES (randomblob(9000))")
    }

    @Test("the files below the watched directory are affected, and no others")
    func watching() throws {
        try vfs.watch(directory.path)
        let other = try TemporaryDirectory()
        let outside = try SQLContext(path: other("a.db"), flags: [.readWrite, .create])
        try outside.exec(sql: "CREATE TABLE t (a)")
        #expect(vfs.pointCount == 0)
        let options = DataFileOptions(access: .create)
        let file = try DataFile(path: directory("a.cblite2"), options: options)
        #expect(vfs.count(of: .write) > 0)
        #expect(vfs.openPaths.contains { $0.hasSuffix("a.cblite2/db.sqlite3") })
        vfs.fail(.write)
        #expect(throws: StoreError.self) {
            try file.write { transaction in
                _ = try DocumentCollection(.default).save("a", in: transaction) {
                    try $0.writeJSON("{}")
                }
            }
        }
        try outside.exec(sql: "INSERT INTO t VALUES (1)")
        vfs.heal()
        file.close()
        #expect(vfs.openPaths == [])
        vfs.unwatch()
        vfs.resetCounts()
        try DataFile(path: directory("a.cblite2")).close()
        #expect(vfs.pointCount == 0)
    }

    @Test("when no directory is watched any more, connections use the system's file system again")
    func defaultAgain() throws {
        try vfs.watch(directory.path)
        // Another one that is registered in the meantime must not become the default.
        let other = try FaultVFS.registered()
        other.fail(.open)
        vfs.fail(.open)
        #expect(throws: SQLError.self) {
            try SQLContext(path: directory("a.db"), flags: [.readWrite, .create]).userVersion = 1
        }
        vfs.unwatch()
        let context = try SQLContext(path: directory("b.db"), flags: [.readWrite, .create])
        try context.exec(sql: "CREATE TABLE t (a)")
        #expect(other.pointCount == 0)
        other.unregister()
        vfs.unregister()
    }
}
