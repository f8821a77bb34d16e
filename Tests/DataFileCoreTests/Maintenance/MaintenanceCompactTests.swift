import EngineTestSupport
import Foundation
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Compacting a database", .timeLimit(.minutes(20)))
struct MaintenanceCompactTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func remove(_ condition: String) throws {
        try fixture.sqlite().exec(sql: "DELETE FROM kv_default WHERE \(condition)")
    }

    @Test("happens automatically once a quarter of the pages is free, and not before")
    func quarter() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 1000)
        try remove("rowid <= 200")
        #expect(try file.compact(isExplicit: false).kind == .skipped)
        #expect(try fixture.sqlite().number("freelist_count") > 0)
        try remove("rowid <= 400")
        let result = try file.compact(isExplicit: false)
        #expect(result.kind == .incremental && result.removedPages > 30 && !result.isWALReset)
        #expect(try fixture.sqlite().number("freelist_count") == 0)
        #expect(try file.read { try fixture.people.count(in: $0) } == (600, 0))
    }

    @Test("happens on request however few pages are free, and truncates the WAL")
    func explicit() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 100)
        try remove("rowid <= 20")
        let result = try file.compact()
        #expect(result.kind == .incremental && result.removedPages > 0 && result.isWALReset)
        #expect(file.size.wal == 0)
        #expect(try fixture.sqlite().number("freelist_count") == 0)
        #expect(file.size.database == (try fixture.sqlite().number("page_count")) * 4096)
        #expect(try file.compact().removedPages == 0)
    }

    @Test("reports that a reader prevents truncating the WAL; everything else is done")
    func reader() throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 100)
        try fixture.open().read { snapshot in
            _ = try fixture.people.count(in: snapshot)
            try remove("rowid <= 20")
            let writer = try fixture.sqlite()
            try writer.setBusyTimeout(milliseconds: 0)
            let result = try Compaction(
                context: writer, path: fixture.path, isExplicit: true
            ).run()
            #expect(result.removedPages > 0 && !result.isWALReset)
        }
    }

    @Test("happens automatically when 10 MB are free, however large the file is")
    func tenMegabytes() throws {
        let context = try fixture.sqlite()
        try context.exec(
            sql: """
                WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 600)
                INSERT INTO kv_default (key, body) SELECT n, zeroblob(100000) FROM r
                """)
        let compaction = Compaction(context: context, path: fixture.path, isExplicit: false)
        try remove("rowid <= 90")
        #expect(try compaction.run().kind == .skipped)
        try remove("rowid <= 110")
        #expect(try compaction.run().kind == .incremental)
    }

    @Test(
        "writes a file of 2.x again that cannot be cut off, once",
        .enabled(if: GoldenFiles.arePresent, "no golden files"))
    func full() throws {
        let path = try fixture.directory.copy(of: GoldenFiles.file("litecore/upgrade_2.7.cblite2"))
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        let before = try fixture.people.keyStore.digest(in: file)
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        #expect(try context.number("auto_vacuum") == 0)
        #expect(try file.compact(isExplicit: false).kind == .skipped)
        #expect(try file.compact().kind == .full)
        let reopened = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        #expect(try reopened.number("auto_vacuum") == 2)
        #expect(try reopened.number("user_version") == 302)
        #expect(try file.integrityCheck().isIntact)
        #expect(try fixture.people.keyStore.digest(in: file) == before)
        #expect(try file.compact().kind == .incremental)
    }

    @Test(
        "names the index that prevents rewriting the file, and changes nothing",
        .enabled(if: GoldenFiles.arePresent, "no golden files"))
    func foreignIndex() throws {
        let path = try fixture.directory.copy(of: GoldenFiles.file("litecore/upgrade_2.7.cblite2"))
        let other = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try other.registerFunction("other_value", argumentCount: 2) { _ in .long(1) }
        try other.exec(sql: "CREATE INDEX byAge ON kv_default (other_value(body, 'age'))")
        try other.close()
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        for call in [{ _ = try file.compact() }, { try file.reindex() }] {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.has(.unsupported) == true)
            #expect(error?.message.contains("byAge") == true)
            #expect(error?.message.contains("other_value") == true)
        }
        #expect(try file.integrityCheck().isIntact)
        #expect(try fixture.people.count(in: file) == (50, 50))
    }

    @Test("fails on a read-only handle")
    func readOnly() throws {
        let error = #expect(throws: StoreError.self) { try fixture.open(.readOnly).compact() }
        #expect(error?.has(.notWriteable) == true)
    }

    @Test("ends when its task is cancelled")
    func cancelled() async throws {
        let file = try fixture.open()
        try fixture.fill(file, count: 100)
        try remove("rowid <= 50")
        let calls: [@Sendable () throws -> Void] = [
            { _ = try file.compact() }, { try file.reindex() }, { _ = try file.integrityCheck() },
            { _ = try file.statistics() },
        ]
        for call in calls {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try call()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(try fixture.sqlite().number("freelist_count") > 0)
    }
}

extension DocumentCollection {
    fileprivate func count(in file: DataFile) throws -> (live: Int, deleted: Int) {
        try file.read { try count(in: $0) }
    }
}

extension KeyStore {
    /// All records as strings, for comparison.
    func digest(in file: DataFile) throws -> [String] {
        try file.read { snapshot in
            var lines: [String] = []
            let records = try records(in: snapshot)
            while let record = try records.next() {
                lines.append(
                    "\(record.key) \(record.sequence) \(record.flags.rawValue) \(record.version) "
                        + "\(record.body ?? []) \(record.extra ?? [])")
            }
            return lines.sorted()
        }
    }
}
