import DocumentStore
import SQLCore
import SQLPlus
import StoreTestSupport
import Synchronization
import Testing

/// The faults of `FaultTests`, in the file system below the encrypting one.
@Suite("An I/O error below encryption leaves the file intact, and is reported")
struct EncryptionFaultTests {
    private static let key = EncryptionKey.random()

    private static func options(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = FaultTests.options(access)
        options.encryption = key
        options.cacheKilobytes = 20
        return options
    }

    /// The options for the encrypting file system on top of the one that injects faults.
    private static func faulty(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = options(access)
        options.configuration = .custom(vfs: "fault-router")
        return options
    }

    private static func requireWhole(_ path: String, _ round: FaultRound) throws {
        for _ in 0..<2 {
            let file = try DataFile(path: path, options: options(.readWrite))
            let report = try file.integrityCheck()
            #expect(report.isIntact, "\(round): \(report.findings)")
            try file.read { snapshot in
                try FaultTests.people.forEach(in: snapshot) { _ = try $0.get() }
            }
            file.close()
        }
    }

    private static func template() throws -> TemporaryStore {
        let store = try TemporaryStore(options: options(.create))
        try store.file.write { transaction in
            for number in 0..<10 {
                try FaultTests.save("doc-\(number)", number, in: transaction)
            }
        }
        store.file.close()
        return store
    }

    @Test("in a bulk write of several transactions")
    func bulkWrite() throws {
        let template = try Self.template()
        let acknowledged = Mutex(0)
        let summary = try FaultTests().sweep.run(copying: template.path) { _ in
            acknowledged.withLock { $0 = 0 }
        } workload: { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.faulty(.readWrite))
            defer { file.close() }
            for number in 1...3 {
                try file.write { transaction in
                    for part in 0..<30 {
                        try FaultTests.save("batch-\(number)-\(part)", number, in: transaction)
                    }
                }
                acknowledged.withLock { $0 = number }
            }
        } check: { round in
            let path = round("store.cblite2")
            FaultTests.requireKnown(round.error, round)
            do {
                try Self.requireWhole(path, round)
            } catch {
                Issue.record("\(error): \(round)")
                return
            }
            let least = acknowledged.withLock { $0 }
            let file = try DataFile(path: path, options: Self.options(.readOnly))
            defer { file.close() }
            try file.read { snapshot in
                for number in 1...3 {
                    let found = try (0..<30).filter {
                        try FaultTests.people.get("batch-\(number)-\($0)", in: snapshot) != nil
                    }
                    let isThere = found.count == 30
                    #expect(isThere || found.isEmpty && number > least, "\(number): \(round)")
                }
            }
        }
        FaultTests.note(summary, "an encrypted bulk write")
        #expect(summary.faults > 20)
    }

    @Test("while the key of the database is changed", arguments: ["delete", "wal"])
    func rekey(mode: String) throws {
        let directory = try TemporaryDirectory()
        let (old, new) = (EncryptionKey.random(), EncryptionKey.random())
        let template = try SQLContext(path: directory("a.db"), configuration: .plus(key: old))
        try template.exec(
            sql: """
                PRAGMA journal_mode = \(mode); CREATE TABLE t (a, b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
                INSERT INTO t SELECT i, hex(randomblob(300)) FROM n
                """)
        try template.close()
        let summary = try FaultTests().sweep.run(copying: directory("a.db")) { round in
            let configuration = try SQLiteConfiguration.custom(vfs: "fault-router")
                .encrypted(with: old)
            let context = try SQLContext(path: round("a.db"), configuration: configuration)
            try context.rekey(new)
            try context.close()
        } check: { round in
            var found = 0
            for key in [old, new] {
                let context = try SQLContext(
                    path: round("a.db"), configuration: .plus(key: key))
                do {
                    let sum = try context.selectValue(sql: "SELECT sum(a) FROM t")
                    #expect(sum == .long(1830), "\(round)")
                    let check = try context.selectValue(sql: "PRAGMA integrity_check")
                    #expect(check == .text("ok"), "\(round)")
                    found += 1
                } catch let error as SQLError {
                    #expect(error.encryption == .wrongKeyOrNotADatabase, "\(error): \(round)")
                }
                try context.close()
            }
            #expect(found == 1, "\(round)")
        }
        FaultTests.note(summary, "changing the key, \(mode)")
        #expect(summary.faults > 20)
    }
}
