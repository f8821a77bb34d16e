import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Deleting and renaming a database", .timeLimit(.minutes(20)))
struct DeleteTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private var target: String { fixture.directory("other.cblite2") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted()
    }

    private func expectRefused(_ access: String) throws {
        for call in [
            { try DataFile.delete(path: fixture.path) },
            { try DataFile.rename(path: fixture.path, to: target) },
        ] {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.has(.busy) == true, "\(access)")
        }
        #expect(try names() == ["test.cblite2"])
    }

    @Test("undoing a creation removes the database, with or without its directory, if unused")
    func unmaking() throws {
        let file = try fixture.open(.create)
        let error = #expect(throws: StoreError.self) {
            try DataFile.unmake(path: fixture.path, keepsDirectory: true)
        }
        #expect(error?.has(.busy) == true)
        file.close()
        // It has tables.
        #expect(
            try !DataFile.unmake(path: fixture.path, keepsDirectory: true, onlyUnfilled: true))
        #expect(try DataFile.unmake(path: fixture.path, keepsDirectory: true))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path) == [])
        #expect(try !DataFile.unmake(path: fixture.path, keepsDirectory: false))
        #expect(try names() == ["test.cblite2"])
        // As a full disk leaves it: the first page, and no table.
        let unfilled = try SQLContext(
            path: fixture.path + "/db.sqlite3", flags: [.readWrite, .create, .noMutex])
        try unfilled.exec(sql: "PRAGMA journal_mode=wal")
        try unfilled.close()
        #expect(
            try DataFile.unmake(path: fixture.path, keepsDirectory: false, onlyUnfilled: true))
        #expect(try names() == [])
    }

    @Test("is rejected while this process has it open, in any way")
    func openHere() throws {
        for access in [DataFileOptions.Access.readWrite, .create] {
            let file = try fixture.open(access)
            try expectRefused("\(access)")
            try fixture.save("a", "{}", in: file)
            try expectRefused("\(access)")
            file.close()
        }
        let reader = try fixture.open(.readOnly)
        _ = try reader.read { try fixture.people.count(in: $0) }
        try expectRefused("reading")
        reader.close()
        try DataFile.delete(path: fixture.path)
        #expect(try names() == [])
    }

    @Test(
        "is rejected while another process has it open",
        .enabled(if: ChildProcess.exists("sqlite3"), "no sqlite3"))
    func openElsewhere() throws {
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/env")
        other.arguments = ["sqlite3", fixture.path + "/db.sqlite3"]
        let (input, output) = (Pipe(), Pipe())
        (other.standardInput, other.standardOutput) = (input, output)
        try other.run()
        input.fileHandleForWriting.write(Data("SELECT count(*) FROM kv_info;\n".utf8))
        #expect(!output.fileHandleForReading.availableData.isEmpty)
        try expectRefused("another process")
        try input.fileHandleForWriting.close()
        other.waitUntilExit()
        try DataFile.rename(path: fixture.path, to: target)
        try DataFile.delete(path: target)
        #expect(try names() == [])
    }

    @Test("waits for other connections to close it, on request")
    func waits() async throws {
        let file = try fixture.open()
        #expect(try fixture.json("nobody", in: file) == nil)
        let path = fixture.path
        let deletion = Task.detached {
            try DataFile.delete(path: path, waitMilliseconds: 60_000)
        }
        file.close()
        try await deletion.value
        #expect(try names() == [])
    }

    @Test("removes links in the directory, and follows none")
    func links() throws {
        let outside = fixture.directory("outside")
        let manager = FileManager.default
        try manager.createDirectory(atPath: outside, withIntermediateDirectories: false)
        try Data("kept".utf8).write(to: URL(filePath: outside + "/file"))
        try manager.createDirectory(
            atPath: fixture.path + "/Attachments/a/b", withIntermediateDirectories: true)
        for name in ["link", "Attachments/link", "Attachments/a/b/link"] {
            try manager.createSymbolicLink(
                atPath: fixture.path + "/" + name, withDestinationPath: outside)
        }
        try DataFile.delete(path: fixture.path)
        #expect(try names() == ["outside"])
        #expect(try manager.contentsOfDirectory(atPath: outside) == ["file"])
    }

    @Test("neither a link to a database nor its target is deleted")
    func linkToBundle() throws {
        try FileManager.default.createSymbolicLink(
            atPath: target, withDestinationPath: fixture.path)
        let error = #expect(throws: StoreError.self) { try DataFile.delete(path: target) }
        #expect(error?.has(.invalidParameter) == true)
        #expect(try names() == ["other.cblite2", "test.cblite2"])
    }

    @Test("only a database is deleted")
    func noDatabase() throws {
        let directory = fixture.directory("photos")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        try Data().write(to: URL(filePath: directory + "/a.jpg"))
        for (path, code) in [
            (directory, StoreError.Code.notADatabaseFile),
            (directory + "/a.jpg", .notADatabaseFile),
            (fixture.directory("none"), .notFound),
        ] {
            let error = #expect(throws: StoreError.self) { try DataFile.delete(path: path) }
            #expect(error?.has(code) == true)
        }
        #expect(try names() == ["photos", "test.cblite2"])
    }

    @Test("a damaged or empty database can be deleted, too", arguments: ["no SQLite", ""])
    func damaged(text: String) throws {
        let bytes = Data(String(repeating: text, count: 500).utf8)
        try bytes.write(to: URL(filePath: fixture.path + "/db.sqlite3"))
        try DataFile.delete(path: fixture.path)
        #expect(try names() == [])
    }

    @Test("a renamed database has all of its contents, also those only in the WAL")
    func rename() throws {
        // A crash leaves a WAL: here, a copy of the directory of a database in use.
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        let crashed = fixture.directory("crashed.cblite2")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: crashed)
        let wal = try FileManager.default.attributesOfItem(atPath: crashed + "/db.sqlite3-wal")
        #expect(wal[.size] as? Int ?? 0 > 0)
        try DataFile.rename(path: crashed, to: target)
        #expect(try names() == ["other.cblite2", "test.cblite2"])
        #expect(try fixture.json("a", in: DataFile(path: target)) == #"{"_id":"a","n":1}"#)
        #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["db.sqlite3"])
    }

    @Test("a database does not replace an existing one")
    func renameToExisting() throws {
        try DataFile(path: target, options: DataFileOptions(access: .create)).close()
        let error = #expect(throws: StoreError.self) {
            try DataFile.rename(path: fixture.path, to: target)
        }
        #expect(error?.domain == .posix && error?.code == Int(EEXIST))
        #expect(try names() == ["other.cblite2", "test.cblite2"])
    }

    @Test(
        "names have 1 to 100 letters, digits, - and _",
        arguments: [
            ("a", true), ("0-_", true), ("Zz9", true), (String(repeating: "a", count: 100), true),
            ("", false), (String(repeating: "a", count: 101), false), ("_a", false),
            ("-a", false), ("[a", false), ("a^b", false), ("a\\b", false), ("a`", false),
            ("a/b", false), ("é", false), ("a.b", false), ("a\u{301}", false), ("a\0", false),
        ])
    func names(name: String, isValid: Bool) {
        #expect(((try? DatabaseName(name)) != nil) == isValid)
        if isValid {
            #expect((try? DatabaseName(name).path(in: "/tmp")) == "/tmp/\(name).cblite2")
        }
    }
}
