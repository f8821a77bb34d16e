import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("The translation of SQLite's errors")
struct ErrorTableTests {
    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
        let code: SQLResultCode
        let domain: StoreError.Domain
        let number: Int
        var testDescription: String { "\(code)" }

        init(_ code: Int32, _ domain: StoreError.Domain, _ number: Int) {
            self.code = SQLResultCode(rawValue: code)
            self.domain = domain
            self.number = number
        }
    }

    /// SQLite's result codes, extended ones included, and the error domains.
    static let rows = [
        Row(3, .liteCore, 14), Row(8, .liteCore, 14), Row(8 | 5 << 8, .liteCore, 14),
        Row(5, .liteCore, 16), Row(5 | 2 << 8, .liteCore, 16), Row(6, .liteCore, 16),
        Row(7, .liteCore, 13), Row(10, .liteCore, 12), Row(10 | 1 << 8, .liteCore, 12),
        Row(11, .liteCore, 15), Row(11 | 1 << 8, .liteCore, 15), Row(13, .posix, 28),
        Row(14, .liteCore, 11), Row(26, .liteCore, 20), Row(15, .sqlite, 15),
        Row(1, .sqlite, 1), Row(21, .sqlite, 21), Row(19 | 8 << 8, .sqlite, 19 | 8 << 8),
    ]

    let fixture: EngineFixture
    let vfs: HookVFS
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        vfs = try HookVFS.registered()
    }

    private func open() throws -> DataFile {
        try fixture.open(.readWrite) {
            $0.configuration = .custom(vfs: vfs.name)
            $0.busyTimeoutMilliseconds = 20
        }
    }

    private func expect(_ error: StoreError?, is row: Row) {
        #expect(error?.domain == row.domain && error?.code == row.number, "\(error as Any)")
        #expect(error?.message.contains(fixture.path) == true, "it says which file")
        #expect(error?.underlying is SQLError)
    }

    @Test("each error is translated as in the table", arguments: rows)
    func translation(row: Row) throws {
        let error = StoreError(SQLError(code: row.code, message: "why"), path: fixture.path)
        expect(error, is: row)
    }

    @Test(
        "each error, returned by the file system for a read",
        arguments: rows.filter { ![1, 21, 19].contains($0.code.primary.rawValue) })
    func reading(row: Row) throws {
        let file = try open()
        vfs.fail([.read], of: .mainDatabase, with: row.code)
        expect(storeError { try file.read { _ = try store.keys(in: $0) } }, is: row)
        vfs.onCall(nil)
        #expect(try file.read { try store.keys(in: $0) } == [])
    }

    @Test(
        "each error, returned by the file system for a commit",
        arguments: rows.filter { [10, 13, 7, 8].contains($0.code.primary.rawValue) })
    func committing(row: Row) throws {
        let file = try open()
        vfs.fail([.write], of: .wal, with: row.code)
        expect(storeError { try file.write { _ = try store.set("a", in: $0) } }, is: row)
        vfs.onCall(nil)
        file.close()
        #expect(try fixture.liveRows() == [])
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test("a full disk is reported with the file, and nothing was changed")
    func full() throws {
        let file = try open()
        vfs.fail([.write], of: .wal, with: .full)
        let error = storeError { try file.write { _ = try store.set("a", in: $0) } }
        #expect(error?.message == "the disk is full; \(fixture.path) was not changed")
    }

    @Test("a corrupt page is reported with the table being read")
    func corruptPage() throws {
        let file = try fixture.open()
        try file.write { transaction in
            for number in 0..<2000 { try store.set("k\(number)", "body", in: transaction) }
        }
        file.close()
        let root = try #require(
            Int(try fixture.rows("SELECT rootpage FROM sqlite_master WHERE name='kv_default'")[0]))
        // Written by another process: this one may hold the file's locks.
        let outcome = try ChildProcess.run([
            "sh", "-c",
            "printf '\\377\\377\\377\\377' | dd of=\"$0\" bs=1 seek=$1 conv=notrunc",
            fixture.path + "/db.sqlite3", "\((root - 1) * 4096)",
        ])
        #expect(outcome.status == 0, "\(outcome.output)")
        let damaged = try fixture.open(.readOnly)
        let error = storeError(.corruptData) {
            _ = try damaged.read { try store.keys(.init { $0.order = .unsorted }, in: $0) }
        }
        #expect(error?.message.contains("the table kv_default of \(fixture.path)") == true)
        #expect(error?.message.contains("restore it from a backup") == true)
        storeError(.corruptData) { _ = try damaged.read { try store.get("k1", in: $0) } }
    }

    @Test("a missing file is not found, whatever the access", arguments: [false, true])
    func missing(isReadOnly: Bool) throws {
        let path = fixture.directory("none.cblite2")
        let options = DataFileOptions(access: isReadOnly ? .readOnly : .readWrite)
        let error = storeError(.notFound) { _ = try DataFile(path: path, options: options) }
        #expect(error?.message == "\(path) does not exist")
        #expect(FileSystem.kind(path) == .nothing)
    }
}
