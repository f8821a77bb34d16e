import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

@Suite("FaultSweep")
struct FaultSweepTests {
    static let people = DocumentCollection(.default)

    static func save(_ ids: [String], in file: DataFile) throws {
        try file.write { transaction in
            for id in ids {
                _ = try people.save(id, in: transaction) { try $0.writeJSON(#"{"n": 1}"#) }
            }
        }
    }

    /// The ids in a data file, after SQLite has checked it.
    static func ids(_ path: String) throws -> Set<String> {
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        var ids: Set<String> = []
        try file.read { snapshot in
            try people.forEach(in: snapshot) { ids.insert(try $0.get().id) }
        }
        file.close()
        let context = try SQLContext(path: path + "/db.sqlite3")
        let check = try context.selectValue(sql: "PRAGMA integrity_check")
        #expect(check == .text("ok"))
        return ids
    }

    @Test("a data file is intact after a fault at any point, with whole transactions only")
    func dataFile() throws {
        let store = try TemporaryStore()
        try Self.save(["old"], in: store.file)
        store.file.close()
        var acknowledged: Set<String> = []
        var sweep = FaultSweep()
        sweep.tearsWrites = true
        sweep.spaces = [0, 4000, 20_000]
        let summary = try sweep.run(copying: store.path) { round in
            acknowledged = ["old"]
            var options = DataFileOptions(access: .readWrite)
            options.maintenance = false
            let file = try DataFile(path: round("store.cblite2"), options: options)
            for ids in [["a1", "a2"], ["b1", "b2"]] {
                try Self.save(ids, in: file)
                acknowledged.formUnion(ids)
            }
            file.close()
        } check: { round in
            let found = try Self.ids(round("store.cblite2"))
            #expect(found.isSuperset(of: acknowledged), "\(round)")
            #expect(found.contains("a1") == found.contains("a2"), "\(round)")
            #expect(found.contains("b1") == found.contains("b2"), "\(round)")
        }
        #expect(summary.points > 60)
        #expect(summary.rounds >= summary.points)
        #expect(summary.faults == summary.rounds, "\(summary)")
        for operation in [FaultOperation.open, .read, .write, .mapSharedMemory] {
            #expect(summary.operations[operation, default: 0] > 0, "\(operation)")
        }
        #expect(summary.survived < summary.faults)
    }

    @Test("a database that a fault destroys is detected: one without a journal")
    func unsafeDatabase() throws {
        let directory = try TemporaryDirectory()
        let path = directory("t.db")
        let setUp = try SQLContext(path: path, flags: [.readWrite, .create])
        try setUp.exec(
            sql: """
                PRAGMA page_size = 1024;
                CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t (b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                INSERT INTO t SELECT i, hex(randomblob(20)) FROM n
                """)
        try setUp.close()
        for (mode, isSafe) in [("off", false), ("delete", true), ("wal", true)] {
            var broken = 0
            try FaultSweep(stride: 2).run(copying: path) { round in
                let context = try SQLContext(path: round("t.db"), flags: .readWrite)
                try context.exec(sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 5")
                try context.transaction(.immediate) {
                    try context.exec(sql: "UPDATE t SET b = hex(randomblob(40)) WHERE a % 3 = 0")
                }
            } check: { round in
                let context = try SQLContext(path: round("t.db"), flags: .readWrite)
                let check = try? context.selectValue(sql: "PRAGMA integrity_check")
                if check != .text("ok") { broken += 1 }
            }
            #expect((broken == 0) == isSafe, "\(mode): \(broken)")
        }
    }

    @Test(
        "the points before the workload are not counted, and each round has its own directory")
    func preparation() throws {
        var directories: Set<String> = []
        var context: SQLContext?
        let summary = try FaultSweep().run { round in
            directories.insert(round.directory)
            context = try SQLContext(path: round("t.db"), flags: [.readWrite, .create])
            try context?.exec(sql: "CREATE TABLE t (a)")
        } workload: { _ in
            try context?.exec(sql: "INSERT INTO t VALUES (1)")
        } check: { round in
            let count = try context?.selectValue(sql: "SELECT count(*) FROM t")
            #expect(round.error == nil ? count == .long(1) : count != nil, "\(round)")
            try context?.close()
            #expect(round.vfs.openPaths == [], "\(round)")
        }
        #expect(summary.operations[.sync, default: 0] > 0)
        #expect(directories.count == 1 + 2 * summary.points)
        #expect(directories.allSatisfy { FileSize.of($0) == nil })
    }

    @Test("a workload that fails without a fault is an error, and so is a check that throws")
    func errors() throws {
        struct Wrong: Error {}
        #expect(throws: Wrong.self) {
            try FaultSweep().run { _ in
                throw Wrong()
            } check: { _ in
            }
        }
        #expect(throws: Wrong.self) {
            try FaultSweep().run { _ in
            } check: { _ in
                throw Wrong()
            }
        }
    }

    @Test("a stride selects some of the points, starting with the first")
    func stride() throws {
        var tried: [Int] = []
        var sweep = FaultSweep(stride: 5)
        sweep.first = 2
        sweep.durations = [.once]
        let summary = try sweep.run { round in
            let context = try SQLContext(path: round("t.db"), flags: [.readWrite, .create])
            try context.exec(sql: "CREATE TABLE t (a)")
        } check: { round in
            if let fault = round.fault { tried.append(fault.point) }
        }
        #expect(summary.points > 12)
        #expect(tried == Array(Swift.stride(from: 2, through: summary.points, by: 5)))
        tried = []
        sweep.only = [7, 3]
        try sweep.run { round in
            let context = try SQLContext(path: round("t.db"), flags: [.readWrite, .create])
            try context.exec(sql: "CREATE TABLE t (a)")
        } check: { round in
            if let fault = round.fault { tried.append(fault.point) }
        }
        #expect(tried == [7, 3])
    }
}
