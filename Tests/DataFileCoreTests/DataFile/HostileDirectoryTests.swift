import EngineTestSupport
import FleeceLite
import Foundation
import SQLCore
import SQLPlus
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing
@testable import DataFileCore

@Suite("A directory of another user")
struct HostileDirectoryTests {
    let fixture: EncryptionFixture
    let precious: String

    init() throws {
        fixture = try EncryptionFixture()
        precious = fixture.directory("precious.txt")
        try Data("precious".utf8).write(to: URL(filePath: precious))
    }

    private var database: String { fixture.path + "/db.sqlite3" }

    /// All operations that open a database by its path.
    private func calls(_ key: EncryptionKey?) -> [(name: String, call: () throws -> Void)] {
        let other = EncryptionKey.random()
        return [
            ("read", { try fixture.open(key, .readOnly).close() }),
            ("write", { try fixture.open(key, .readWrite).close() }),
            ("create", { try fixture.open(key, .create).close() }),
            (
                "encrypt or decrypt",
                {
                    if let key {
                        try DataFile.decrypt(path: fixture.path, key: key)
                    } else {
                        try DataFile.encrypt(path: fixture.path, key: other)
                    }
                }
            ),
            ("rekey", { try DataFile.rekey(path: fixture.path, from: key ?? other, to: other) }),
        ]
    }

    /// Checks that each operation fails with a message that names a file.
    private func allRefused(_ key: EncryptionKey?, _ file: String) {
        for (name, call) in calls(key) {
            let error = storeError(.cannotOpenFile) { try call() }
            #expect(error?.message.contains(file) == true, "\(name): \(String(describing: error))")
        }
    }

    @Test(
        "with a journal that names a file elsewhere is not opened, and the file stays",
        arguments: [true, false], ["precious.txt", "a.db-mj0123459AB"])
    func superJournal(isEncrypted: Bool, name: String) throws {
        let key = isEncrypted ? fixture.key : nil
        try fixture.make(key)
        let named = fixture.directory(name)
        for isHot in [true, false] {
            try HostileJournal.write(naming: named, beside: database, isHot: isHot)
            allRefused(key, named)
        }
        #expect(FileSystem.entry(precious) == .file)
        #expect(FileSystem.entry(database + "-journal") == .file)
    }

    @Test("with such a journal is recovered without it, and deleted as a whole")
    func salvaged() throws {
        try fixture.make(nil)
        try HostileJournal.write(naming: precious, beside: database)
        let saved = fixture.directory("saved.cblite2")
        let report = try Salvage(from: fixture.path, to: saved).run()
        #expect(report.losses.map(\.reason).contains { $0.contains(precious) })
        #expect(try fixture.wholeNumbers(nil, at: saved) == Array(1...100))
        try DataFile.delete(path: fixture.path)
        #expect(FileSystem.entry(fixture.path) == .nothing)
        #expect(FileSystem.entry(precious) == .file)
    }

    @Test("with a link, FIFO or directory instead of a file of SQLite's is not opened")
    func irregularFiles() throws {
        try fixture.make(nil)
        for suffix in ["-journal", "-wal", "-shm"] {
            let path = database + suffix
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: precious)
            allRefused(nil, path)
            #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
            allRefused(nil, path)
            #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
            allRefused(nil, path)
            #expect(rmdir(path) == 0)
        }
        #expect(try fixture.wholeNumbers(nil) == Array(1...100))
    }

    @Test("with a link instead of the database is not opened, even while its target is open")
    func linkedDatabase() throws {
        try fixture.make(nil)
        let mine = try fixture.open(nil)
        let theirs = fixture.directory("theirs.cblite2")
        #expect(FileSystem.createDirectory(theirs))
        let link = theirs + "/db.sqlite3"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: database)
        let accesses: [DataFileOptions.Access] = [.readOnly, .readWrite, .create]
        for access in accesses {
            let error = storeError(.cannotOpenFile) {
                _ = try fixture.open(nil, access, at: theirs)
            }
            #expect(error?.message.hasPrefix("\(link) is a symbolic link") == true)
            #expect(error?.message.contains("open the directory that it leads to") == true)
        }
        mine.close()
        let others: [() throws -> Void] = [
            { try DataFile.encrypt(path: theirs, key: fixture.key) },
            { try DataFile.delete(path: theirs) },
            { try DataFile.rename(path: theirs, to: fixture.directory("new.cblite2")) },
            { _ = try Salvage(from: theirs, to: fixture.directory("new.cblite2")).run() },
        ]
        for call in others { storeError(.cannotOpenFile) { try call() } }
        #expect(try fixture.wholeNumbers(nil) == Array(1...100))
    }

    @Test("that is itself a link is opened, and so are its files")
    func linkedDirectory() throws {
        try fixture.make(fixture.key)
        let link = fixture.directory("link.cblite2")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: fixture.path)
        #expect(try fixture.wholeNumbers(fixture.key, at: link) == Array(1...100))
        try DataFile.decrypt(path: link, key: fixture.key)
        #expect(try fixture.wholeNumbers(nil, at: link) == Array(1...100))
    }
}

@Suite("Rollback journals left by a crashed writer")
struct HotJournalTests {
    let fixture: EncryptionFixture

    init() throws { fixture = try EncryptionFixture() }

    /// A copy of the bundle in the middle of a transaction that has written to the file.
    private func crashed(_ key: EncryptionKey?) throws -> String {
        try fixture.make(key)
        let context = try fixture.sqlite(key)
        try context.setPragma("journal_mode", to: .text("delete"))
        try context.exec(sql: "PRAGMA cache_size=5; PRAGMA cache_spill=5; BEGIN IMMEDIATE")
        try context.exec(sql: "UPDATE kv_default SET body = zeroblob(3000)")
        let copy = try fixture.copyFiles(to: "crashed.cblite2")
        try context.exec(sql: "ROLLBACK")
        #expect(FileSystem.size(copy + "/db.sqlite3-journal") > 4096)
        return copy
    }

    @Test("are rolled back by read-only handles", arguments: [true, false])
    func reading(isEncrypted: Bool) throws {
        let key = isEncrypted ? fixture.key : nil
        let path = try crashed(key)
        let file = try fixture.open(key, .readOnly, at: path)
        #expect(try fixture.numbers(in: file) == Array(1...100))
        #expect(try file.read { try fixture.documents.get("d7", in: $0) }?.properties?.count == 2)
        file.close()
        #expect(try fixture.names(path) == ["db.sqlite3"])
        #expect(try fixture.wholeNumbers(key, at: path) == Array(1...100))
    }

    @Test("are not rolled back with another key, and the error asks for the old one")
    func otherKey() throws {
        let path = try crashed(fixture.key)
        for access in [DataFileOptions.Access.readOnly, .readWrite] {
            let error = storeError(.notADatabaseFile) {
                _ = try fixture.open(.random(), access, at: path)
            }
            #expect(error?.message.contains("open it with the old key") == true)
            #expect(fixture.cause(error) == .wrongKeyOrNotADatabase)
        }
        let file = try fixture.open(fixture.key, .readOnly, at: path)
        #expect(try fixture.numbers(in: file) == Array(1...100))
    }

    @Test("are never ignored by a connection without locks")
    func plan() throws {
        let path = BundlePath(try crashed(nil))
        var header = [UInt8](repeating: 0, count: 100)
        (header[18], header[19]) = (2, 2)
        for bytes in [header, []] {
            switch ConnectionPlan.forReading(path, header: bytes) {
            case .queryOnly: break
            case let plan: Issue.record("\(plan)")
            }
        }
        #expect(!ConnectionPlan.readOnly.mayNeedFallback(.hotJournal, header))
        let error = StoreError(
            SQLError(code: .hotJournal, message: ""), path: path.directory)
        #expect(error.has(.cannotOpenFile))
        #expect(error.message.contains("must be rolled back"))
    }
}
