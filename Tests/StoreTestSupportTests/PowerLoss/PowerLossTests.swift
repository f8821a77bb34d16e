import DocumentStore
import Foundation
import SQLCore
import StoreTestSupport
import Testing

@Suite("PowerLossSweep")
struct PowerLossTests {
    /// How many images of a database were damaged, or lacked acknowledged transactions.
    private func losses(
        mode: String, synchronous: String
    ) throws -> (images: Int, damaged: Int, lacking: Int) {
        let directory = try TemporaryDirectory()
        let template = try SQLContext(path: directory("t.db"), flags: [.readWrite, .create])
        try template.exec(
            sql: """
                PRAGMA page_size = 1024; PRAGMA journal_mode = \(mode);
                CREATE TABLE t (a INTEGER PRIMARY KEY, b UNIQUE)
                """)
        try template.close()
        var acknowledged = 0
        var (damaged, lacking) = (0, 0)
        let images = try PowerLossSweep(seed: 5).run(copying: directory("t.db")) { round in
            acknowledged = 0
            let context = try SQLContext(path: round("t.db"), flags: .readWrite)
            try context.exec(sql: "PRAGMA synchronous = \(synchronous); PRAGMA cache_size = 5")
            for number in 1...4 {
                try context.transaction(.immediate) {
                    for part in 0..<3 {
                        try context.exec(
                            sql: "INSERT INTO t VALUES (?, hex(randomblob(200)))",
                            parameters: [.long(Int64(number * 10 + part))])
                    }
                }
                acknowledged = number
            }
            try context.exec(sql: "PRAGMA wal_checkpoint(truncate)")
        } check: { image in
            let context = try SQLContext(path: image("t.db"), flags: .readWrite)
            let check = try? context.selectValue(sql: "PRAGMA integrity_check")
            if check != .text("ok") {
                damaged += 1
                return
            }
            let rows = try? context.selectValue(sql: "SELECT count(*) FROM t")
            let found: Int? = rows.flatMap {
                if case .long(let count) = $0 { Int(count) } else { nil }
            }
            let count = found ?? 0
            if count % 3 != 0 { damaged += 1 }
            if count < acknowledged * 3 { lacking += 1 }
        }
        return (images, damaged, lacking)
    }

    @Test(
        "a database that syncs at each commit loses nothing",
        arguments: [("wal", "full"), ("delete", "extra")])
    func full(mode: String, synchronous: String) throws {
        let losses = try losses(mode: mode, synchronous: synchronous)
        #expect(losses.images > 200)
        #expect(losses.damaged == 0)
        #expect(losses.lacking == 0)
    }

    @Test(
        "without a sync of the WAL, or of a journal's directory, the latest commits may be lost",
        arguments: [("wal", "normal"), ("delete", "full")])
    func normal(mode: String, synchronous: String) throws {
        let losses = try losses(mode: mode, synchronous: synchronous)
        #expect(losses.damaged == 0)
        #expect(losses.lacking > 0)
    }

    @Test("a database that never syncs is detected as damaged")
    func off() throws {
        let losses = try losses(mode: "delete", synchronous: "off")
        #expect(losses.damaged > 0)
    }

    @Test(
        "a data file is intact in every image, and has all acknowledged transactions if it syncs",
        arguments: [DataFileOptions.Synchronous.normal, .full])
    func dataFile(synchronous: DataFileOptions.Synchronous) throws {
        let store = try TemporaryStore()
        try FaultSweepTests.save(["old"], in: store.file)
        store.file.close()
        var sweep = PowerLossSweep(seed: 11)
        sweep.stride = 3
        var acknowledged: Set<String> = []
        let images = try sweep.run(copying: store.path) { round in
            acknowledged = ["old"]
            var options = DataFileOptions(access: .readWrite)
            options.synchronous = synchronous
            options.maintenance = false
            let file = try DataFile(path: round("store.cblite2"), options: options)
            for ids in [["a1", "a2"], ["b1", "b2"]] {
                try FaultSweepTests.save(ids, in: file)
                acknowledged.formUnion(ids)
            }
            file.close()
        } check: { image in
            let found = try FaultSweepTests.ids(image("store.cblite2"))
            let sure = synchronous == .full ? acknowledged : ["old"]
            #expect(found.isSuperset(of: sure), "\(image)")
            #expect(found.contains("a1") == found.contains("a2"), "\(image)")
            #expect(found.contains("b1") == found.contains("b2"), "\(image)")
            #expect(found.contains("a1") || !found.contains("b1"), "\(image)")
        }
        #expect(images > 50)
    }

    @Test("the same seed generates the same images")
    func seeds() throws {
        func images(seed: UInt64) throws -> [[UInt8]] {
            var images: [[UInt8]] = []
            try PowerLossSweep(seed: seed).run { round in
                let context = try SQLContext(path: round("t.db"), flags: [.readWrite, .create])
                try context.exec(sql: "PRAGMA synchronous = off; CREATE TABLE t (a)")
                try context.exec(sql: "INSERT INTO t VALUES ('some text')")
            } check: { image in
                let data = FileManager.default.contents(atPath: image("t.db")) ?? Data()
                images.append(Array(data))
            }
            return images
        }
        let one = try images(seed: 1)
        #expect(one == (try images(seed: 1)))
        #expect(one != (try images(seed: 2)))
    }
}
