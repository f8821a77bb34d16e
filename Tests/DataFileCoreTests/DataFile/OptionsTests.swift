import EngineTestSupport
import Logging
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Options")
struct OptionsTests {
    let fixture: EngineFixture

    init() throws {
        fixture = try EngineFixture()
    }

    /// The results of pragmas on a connection of the handle.
    private func pragmas(_ names: [String], _ file: DataFile) throws -> [String] {
        try file.shared.withWriterContext { context in
            try names.map { try context.lines("PRAGMA \($0)").joined() }
        }
    }

    @Test("are applied to each connection, as SQLite reports")
    func settings() throws {
        let names = [
            "synchronous", "cache_size", "mmap_size", "secure_delete", "case_sensitive_like",
            "foreign_keys", "recursive_triggers", "trusted_schema", "journal_mode", "auto_vacuum",
            "page_size", "journal_size_limit",
        ]
        let file = try fixture.open()
        let usual = try pragmas(names, file)
        #expect(
            usual == ["1", "-10240", "0", "0", "", "0", "0", "0", "wal", "2", "4096", "5242880"])
        let readers = try file.read { snapshot in
            try snapshot.connection().context.lines("PRAGMA cache_size")
        }
        #expect(readers == ["-10240"])
        file.close()
        let other = try fixture.open {
            $0.synchronous = .full
            $0.cacheKilobytes = 777
        }
        #expect(try pragmas(["synchronous", "cache_size"], other) == ["2", "-777"])
    }

    @Test("memory is mapped up to the size in the options")
    func mapping() async {
        // In a process of its own: SQLite does without a map where the system has none left, and
        // the other tests of this process map a lot.
        await #expect(processExitsWith: .success) {
            let file = try EngineFixture().open { $0.memoryMapBytes = 1 << 20 }
            let size = try file.shared.withWriterContext { try $0.lines("PRAGMA mmap_size") }
            #expect(size == ["1048576"])
        }
    }

    @Test("LIKE is case-sensitive on readers and the writer")
    func like() throws {
        let file = try fixture.open()
        #expect(
            try file.shared.withWriterContext { try $0.lines("SELECT 'A' LIKE 'a'") } == ["0"])
        #expect(
            try file.read { try $0.connection().context.lines("SELECT 'A' LIKE 'a'") } == ["0"])
    }

    @Test("a new file has the page size of the options", arguments: [512, 1024, 8192, 65_536])
    func pageSize(size: Int) throws {
        var options = DataFileOptions(access: .create)
        options.pageSize = size
        let path = fixture.directory("other.cblite2")
        let file = try DataFile(path: path, options: options)
        try file.write { _ = try KeyStore(.default).set("a", in: $0) }
        file.close()
        let context = try SQLContext(path: path + "/db.sqlite3")
        #expect(try context.lines("PRAGMA page_size") == ["\(size)"])
        #expect(try context.lines("PRAGMA integrity_check") == ["ok"])
    }

    @Test("options are validated before anything is created")
    func limits() throws {
        let changes: [@Sendable (inout DataFileOptions) -> Void] = [
            { $0.pageSize = 0 }, { $0.pageSize = 256 }, { $0.pageSize = 4095 },
            { $0.pageSize = 131_072 }, { $0.pageSize = .min }, { $0.readers = 0 },
            { $0.busyTimeoutMilliseconds = -1 }, { $0.cacheKilobytes = 0 },
            { $0.memoryMapBytes = -1 }, { $0.externalChangeMilliseconds = 0 },
        ]
        let path = fixture.directory("never.cblite2")
        for change in changes {
            var options = DataFileOptions(access: .create)
            change(&options)
            storeError(.invalidParameter) { _ = try DataFile(path: path, options: options) }
            storeError(.invalidParameter) { _ = try DataFile(inMemory: options) }
        }
        #expect(FileSystem.kind(path) == .nothing)
    }

    @Test("the maximum values do no harm")
    func largest() async throws {
        let file = try fixture.open {
            $0.readers = .max
            $0.busyTimeoutMilliseconds = .max
            $0.cacheKilobytes = .max
            $0.memoryMapBytes = .max
            $0.externalChangeMilliseconds = .max
            $0.walWarningPages = .max
        }
        let store = KeyStore(.default)
        let stream = try file.changes(of: store)
        try await file.write { _ = try store.set("a", in: $0) }
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.changes.map(\.key) == ["a"])
        #expect(try await file.read { try store.keys(in: $0) } == ["a"])
    }

    @Test(
        "an older file is not written to with upgrade .never, and with .onFirstWrite at the first")
    func upgrade() throws {
        try fixture.sqlite().exec(sql: "PRAGMA user_version=502")
        let store = KeyStore(.default)
        let never = try fixture.open { $0.upgrade = .never }
        let error = storeError(.cannotUpgradeDatabase) {
            try never.write { _ = try store.set("a", in: $0) }
        }
        #expect(error?.message.contains("has schema 502, older than 503") == true)
        #expect(try never.read { try store.count(in: $0) } == (0, 0))
        never.close()
        #expect(try fixture.rows("PRAGMA user_version") == ["502"])
        let file = try fixture.open()
        #expect(try file.read { try store.count(in: $0) } == (0, 0))
        #expect(try fixture.rows("PRAGMA user_version") == ["502"], "reading does not upgrade")
        try file.write { _ = try store.set("a", in: $0) }
        #expect(try fixture.rows("PRAGMA user_version") == ["503"])
    }
}
