import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Synchronization
import Testing

/// Each access of a workload to the disk fails in turn, once or permanently.
///
/// `STORE_FAULT_STRIDE` is the distance between the tested accesses: 1 tests all of them.
@Suite("An I/O error leaves the file intact, and is reported")
struct FaultTests {
    static let people = DocumentCollection(.default)
    static let store = KeyStore(.default)

    var sweep: FaultSweep {
        var sweep = FaultSweep(stride: TestEnvironment.number("STORE_FAULT_STRIDE", or: 1))
        sweep.tearsWrites = true
        sweep.durations = Fault.Duration.allCases
        sweep.spaces = [0, 1000, 4096, 10_000, 30_000, 100_000]
        return sweep
    }

    static func options(_ access: DataFileOptions.Access) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.maintenance = false
        options.busyTimeoutMilliseconds = 0
        return options
    }

    /// A document of about half a kilobyte.
    static func save(_ id: String, _ number: Int, in transaction: Transaction) throws {
        _ = try people.save(id, in: transaction) {
            try $0.writeJSON(
                #"{"n":\#(number),"text":"\#(String(repeating: "x", count: 500))"}"#)
        }
    }

    /// A template with a number of documents, closed.
    static func template(documents: Int) throws -> TemporaryStore {
        let store = try TemporaryStore()
        try store.file.write { transaction in
            for number in 0..<documents { try save("doc-\(number)", number, in: transaction) }
        }
        store.file.close()
        return store
    }

    /// Checks that the file is intact, opening it twice.
    static func requireWhole(_ path: String, _ round: FaultRound) throws {
        for _ in 0..<2 {
            let file = try DataFile(path: path, options: options(.readWrite))
            let report = try file.integrityCheck()
            #expect(report.isIntact, "\(round): \(report.findings)")
            try file.read { snapshot in
                try people.forEach(in: snapshot) { _ = try $0.get() }
            }
            file.close()
        }
    }

    /// Checks the result of a fault: no error, or an error of the engine for the error of the disk.
    static func requireKnown(_ error: (any Error)?, _ round: FaultRound) {
        guard let error else { return }
        guard let error = error as? StoreError else {
            Issue.record("\(error) is not a StoreError: \(round)")
            return
        }
        let known: [StoreError.Code] = [
            .inputOutput, .cannotOpenFile, .busy, .notWriteable, .corruptData, .notADatabaseFile,
            .wrongFormat, .notFound, .notInTransaction,
        ]
        let isKnown = known.contains { error.has($0) } || error.domain == .posix
        #expect(isKnown, "\(error.domain) \(error.code) \(error): \(round)")
    }

    static func note(_ summary: FaultSweep.Summary, _ workload: String) {
        Figures.note(
            "faults in \(workload): \(summary.points) points, \(summary.faults) faults, "
                + "\(summary.survived) of them without an error")
    }

    // MARK: Workloads

    @Test("in a bulk write of several transactions")
    func bulkWrite() throws {
        let template = try Self.template(documents: 10)
        let acknowledged = Mutex(0)
        let summary = try sweep.run(copying: template.path) { _ in
            acknowledged.withLock { $0 = 0 }
        } workload: { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            for number in 1...4 {
                do {
                    try Self.saveBatch(number, in: file)
                    acknowledged.withLock { $0 = number }
                } catch {
                    try Self.tryAgain(file, round)
                    throw error
                }
            }
        } check: { round in
            let path = round("store.cblite2")
            Self.requireKnown(round.error, round)
            try Self.requireWhole(path, round)
            try Self.requireBatches(atLeast: acknowledged.withLock { $0 }, path, round)
        }
        Self.note(summary, "a bulk write")
        #expect(summary.faults > 20)
    }

    private static func saveBatch(_ number: Int, in file: DataFile) throws {
        try file.write { transaction in
            for part in 0..<30 { try save("batch-\(number)-\(part)", number, in: transaction) }
        }
    }

    /// Checks that after an error the handle either writes or throws an error with the reason.
    private static func tryAgain(_ file: DataFile, _ round: FaultRound) throws {
        do {
            try file.write { try save("again", 0, in: $0) }
            #expect(try file.read { try people.get("again", in: $0) } != nil, "\(round)")
        } catch {
            requireKnown(error, round)
        }
    }

    /// Checks that acknowledged batches are present, and that no batch is present in part.
    private static func requireBatches(
        atLeast acknowledged: Int, _ path: String, _ round: FaultRound
    ) throws {
        let file = try DataFile(path: path, options: options(.readOnly))
        defer { file.close() }
        try file.read { snapshot in
            for number in 1...4 {
                let ids = (0..<30).map { "batch-\(number)-\($0)" }
                let found = try store.get(ids, content: .metadata, in: snapshot)
                    .count { $0 != nil }
                #expect(found == 0 || found == 30, "batch \(number): \(round)")
                if number <= acknowledged { #expect(found == 30, "batch \(number): \(round)") }
            }
        }
    }

    @Test(
        "in the upgrade of an older file", .enabled(if: GoldenFiles.arePresent, "no golden files"),
        arguments: [
            "upgrade_2.7", "db_3_0_0_names_100_with_deleted", "upgrade_3.1_peerCheckpoints",
        ])
    func upgrade(_ name: String) throws {
        let golden = GoldenFiles.file("litecore/\(name).cblite2")
        let before = try Self.rows(golden)
        let summary = try sweep.run(copying: golden) { round in
            let file = try DataFile(
                path: round("\(name).cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            try file.write { transaction in
                try KeyStore(KeyStoreName("notes")).putRaw(
                    RawRecord(body: [1, 2, 3]), for: "note", in: transaction)
            }
        } check: { round in
            Self.requireKnown(round.error, round)
            let path = round("\(name).cblite2")
            try Self.requireWhole(path, round)
            let after = try Self.rows(path)
            #expect(after == before, "\(round)")
            let file = try DataFile(path: path, options: Self.options(.readOnly))
            // Either not upgraded or completely.
            #expect([503, before.schema].contains(file.schemaVersion), "\(round)")
            file.close()
        }
        Self.note(summary, "the upgrade of \(name)")
        #expect(summary.faults > 10)
    }

    /// All documents with their revision, sequence, flags and body, in either table.
    private struct Rows: Equatable {
        let schema: Int
        let documents: [String]

        static func == (left: Rows, right: Rows) -> Bool { left.documents == right.documents }
    }

    private static func rows(_ path: String) throws -> Rows {
        let file = try DataFile(path: path, options: options(.readOnly))
        defer { file.close() }
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        return Rows(
            schema: file.schemaVersion,
            documents: try file.read { snapshot in
                try snapshot.keyStoreNames().filter(\.isCollection).flatMap { name in
                    let records = try KeyStore(name).records(options, in: snapshot)
                    var documents: [String] = []
                    while let record = try records.next() {
                        documents.append(
                            "\(name.rawName) \(record.key) \(record.sequence) "
                                + "\(record.flags.rawValue) \(record.version) "
                                + "\(record.currentBody ?? []) \(record.expiration ?? 0)")
                    }
                    return documents
                }
            })
    }

    @Test("in deleting and expiring")
    func deletion() throws {
        let template = try Self.template(documents: 60)
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            try file.write { transaction in
                for number in 0..<20 {
                    _ = try Self.people.delete("doc-\(number)", in: transaction)
                }
            }
            try file.write { transaction in
                for number in 20..<40 {
                    try Self.store.setExpiration(1000, of: "doc-\(number)", in: transaction)
                }
            }
            _ = try file.write { try Self.store.purgeExpired(at: 1000, in: $0) }
        } check: { round in
            Self.requireKnown(round.error, round)
            let path = round("store.cblite2")
            try Self.requireWhole(path, round)
            let file = try DataFile(path: path, options: Self.options(.readOnly))
            defer { file.close() }
            let (count, purges) = try file.read {
                (try Self.store.count(in: $0), try Self.store.purgeCount(in: $0))
            }
            // One state after each transaction, and no others.
            let states = [(60, 0, 0), (40, 20, 0), (20, 20, 20)]
            #expect(
                states.contains { $0 == (count.live, count.deleted, Int(purges)) },
                "\(count) \(purges): \(round)")
            if round.error == nil { #expect(count == (20, 20), "\(round)") }
        }
        Self.note(summary, "deleting and expiring")
        #expect(summary.faults > 20)
    }

    @Test("in compacting")
    func compaction() throws {
        let template = try Self.template(documents: 200)
        let reopened = try template.reopened()
        try reopened.write { transaction in
            for number in 0..<150 { try Self.store.purge("doc-\(number)", in: transaction) }
        }
        reopened.close()
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            defer { file.close() }
            try file.compact()
        } check: { round in
            Self.requireKnown(round.error, round)
            try Self.requireWhole(round("store.cblite2"), round)
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readOnly))
            #expect(try file.read { try Self.store.count(in: $0) } == (50, 0), "\(round)")
            file.close()
        }
        Self.note(summary, "compacting")
        #expect(summary.faults > 5)
    }

    @Test("in creating a backup")
    func backup() throws {
        let template = try Self.template(documents: 50)
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readOnly))
            defer { file.close() }
            try file.copy(to: round("copy.cblite2"), newUUIDs: true)
        } check: { round in
            Self.requireKnown(round.error, round)
            try Self.requireWhole(round("store.cblite2"), round)
            // The backup is complete or does not exist, and there are no other files.
            let names = try FileManager.default.contentsOfDirectory(atPath: round.directory)
            #expect(names.filter { $0.hasPrefix(".store") } == [], "\(round)")
            if names.contains("copy.cblite2") {
                try Self.requireWhole(round("copy.cblite2"), round)
            } else {
                #expect(round.error != nil, "\(round)")
            }
        }
        Self.note(summary, "a backup")
        #expect(summary.faults > 10)
    }

    @Test("in closing")
    func close() throws {
        let template = try Self.template(documents: 10)
        let opened = Mutex<DataFile?>(nil)
        let summary = try sweep.run(copying: template.path) { round in
            let file = try DataFile(
                path: round("store.cblite2"), options: Self.options(.readWrite))
            try Self.saveBatch(1, in: file)
            opened.withLock { $0 = file }
        } workload: { _ in
            opened.withLock { file in
                file?.close()
                file = nil
            }
        } check: { round in
            #expect(round.error == nil, "\(round)")
            try Self.requireWhole(round("store.cblite2"), round)
            try Self.requireBatches(atLeast: 1, round("store.cblite2"), round)
        }
        Self.note(summary, "closing")
        #expect(summary.faults > 5)
    }
}
