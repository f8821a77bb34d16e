import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import SQLPlus
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Leftovers of a crash during a change of encryption")
struct EncryptionCrashTests {
    let fixture: EncryptionFixture

    init() throws {
        fixture = try EncryptionFixture()
    }

    private var database: String { fixture.path + "/db.sqlite3" }
    private static let leftovers = ["", "-journal", "-shm", "-wal"]
        .map { "db.sqlite3-encryption" + $0 }

    private func leaveDraft() throws {
        for name in Self.leftovers {
            try Data("a plain page".utf8).write(to: URL(filePath: "\(fixture.path)/\(name)"))
        }
    }

    @Test(
        "a draft is removed by the next opening for writing, and kept by one for reading",
        arguments: [false, true], [DataFileOptions.Access.readWrite, .create])
    func draft(isEncrypted: Bool, access: DataFileOptions.Access) throws {
        let key = isEncrypted ? fixture.key : nil
        try fixture.make(key)
        #expect(UnfinishedEncryption.draftPath(database) == database + "-encryption")
        try leaveDraft()
        let reader = try fixture.open(key, .readOnly)
        #expect(try fixture.numbers(in: reader) == Array(1...100))
        reader.close()
        #expect(try fixture.names() == ["db.sqlite3"] + Self.leftovers)
        let writer = try fixture.open(key, access)
        #expect(try Set(fixture.names()).isDisjoint(with: Self.leftovers))
        #expect(try fixture.numbers(in: writer) == Array(1...100))
        writer.close()
        #expect(try fixture.names() == ["db.sqlite3"])
    }

    @Test("a draft in the target directory of a link is removed, too")
    func linkedDraft() throws {
        try fixture.make(fixture.key)
        let elsewhere = fixture.directory("elsewhere")
        try FileManager.default.moveItem(atPath: fixture.path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.path, withDestinationPath: elsewhere)
        let draft = UnfinishedEncryption.draftPath(elsewhere + "/db.sqlite3")
        try Data([1]).write(to: URL(filePath: draft))
        #expect(try fixture.wholeNumbers(fixture.key) == Array(1...100))
        #expect(FileSystem.entry(draft) == .nothing)
    }

    @Test("verifying reports a draft as a note, and nothing after it was removed")
    func verified() throws {
        try fixture.make(fixture.key)
        try leaveDraft()
        let reader = try fixture.open(fixture.key, .readOnly)
        let report = try reader.verify()
        reader.close()
        #expect(report.isIntact)
        #expect(report.findings.map(\.kind) == [.fileSetting])
        let finding = try #require(report.findings.first)
        #expect(finding.severity == .note && finding.area == .file)
        #expect(finding.message.contains("/test.cblite2/db.sqlite3-encryption,"))
        #expect(finding.message.contains("opening the file for writing removes it"))
        let writer = try fixture.open(fixture.key)
        #expect(try writer.verify().findings == [])
    }

    @Test("a file that was left without WAL mode has it again after the next opening for writing")
    func journalMode() throws {
        try fixture.make(fixture.key)
        #expect(try fixture.journalMode(fixture.key) == "wal")
        let context = try fixture.sqlite(fixture.key)
        #expect(try context.setPragma("journal_mode", to: .text("delete")) == .text("delete"))
        try context.close()
        // A user's own choice, as long as there is no draft.
        #expect(try fixture.wholeNumbers(fixture.key) == Array(1...100))
        #expect(try fixture.journalMode(fixture.key) == "delete")
        try leaveDraft()
        let reader = try fixture.open(fixture.key, .readOnly)
        #expect(try fixture.numbers(in: reader) == Array(1...100))
        reader.close()
        #expect(try fixture.journalMode(fixture.key) == "delete")
        #expect(try fixture.wholeNumbers(fixture.key) == Array(1...100))
        #expect(try fixture.journalMode(fixture.key) == "wal")
        #expect(try fixture.names() == ["db.sqlite3"])
    }

    @Test(
        "a file that is in WAL mode again is locked like others, and closed permanently",
        arguments: [false, true])
    func held(isEncrypted: Bool) throws {
        let key = isEncrypted ? fixture.key : nil
        let conversion = isEncrypted ? Conversion.decrypt : .encrypt
        try fixture.make(key)
        let context = try fixture.sqlite(key)
        #expect(try context.setPragma("journal_mode", to: .text("delete")) == .text("delete"))
        try context.close()
        try leaveDraft()
        let writer = try fixture.open(key)
        storeError(.busy) { try conversion.run(fixture.path, fixture.key) }
        storeError(.busy) { try DataFile.delete(path: fixture.path, waitMilliseconds: 0) }
        #expect(try fixture.numbers(in: writer) == Array(1...100))
        writer.close()
        #expect(try fixture.names() == ["db.sqlite3"])
        #expect(try fixture.wholeNumbers(key) == Array(1...100))
    }

    /// When a conversion can be observed.
    enum Moment: CaseIterable { case locked, written }

    /// Converts the database; `body` is called once, at some point of it.
    private func convert(
        from old: EncryptionKey?, to new: EncryptionKey?, at timestamp: Moment,
        _ body: () throws -> Void
    ) throws {
        try DatabaseEncryption.rewrite(
            path: database, from: old, to: new,
            setUp: { _ in if timestamp == .locked { try body() } },
            prepare: { _ in if timestamp == .written { try body() } })
    }

    @Test(
        "a crash during a conversion leaves the old file, which works as before once opened",
        arguments: [false, true], Moment.allCases)
    func conversion(isEncrypted: Bool, timestamp: Moment) throws {
        let (old, new) = isEncrypted ? (fixture.key, nil) : (nil, fixture.key)
        try fixture.make(old)
        var copy: String?
        try convert(from: old, to: new, at: timestamp) {
            copy = try fixture.copyFiles(to: "crashed.cblite2")
        }
        #expect(try fixture.wholeNumbers(new) == Array(1...100))
        #expect(try fixture.journalMode(new) == "wal")
        let crashed = try #require(copy)
        #expect(try fixture.names(crashed).contains("db.sqlite3-encryption"))
        #expect(try fixture.journalMode(old, at: crashed) == "delete")
        let reader = try fixture.open(old, .readOnly, at: crashed)
        #expect(try fixture.numbers(in: reader) == Array(1...100))
        reader.close()
        #expect(try fixture.wholeNumbers(old, at: crashed) == Array(1...100))
        #expect(try !fixture.names(crashed).contains("db.sqlite3-encryption"))
        #expect(try fixture.journalMode(old, at: crashed) == "wal")
    }

    @Test("an opening for writing keeps the draft of a conversion in progress")
    func conversionGoesOn() throws {
        try fixture.make(nil)
        let draft = UnfinishedEncryption.draftPath(database)
        try convert(from: nil, to: fixture.key, at: .written) {
            storeError(.busy) { try fixture.open(nil).close() }
            #expect(fixture.size(draft) > 0)
        }
        #expect(try fixture.wholeNumbers(fixture.key) == Array(1...100))
    }
}

/// A conversion of a whole database.
enum Conversion: CaseIterable {
    case encrypt, decrypt, rekey

    private static let newKey = EncryptionKey.random()

    func run(_ path: String, _ key: EncryptionKey) throws {
        switch self {
        case .encrypt: try DataFile.encrypt(path: path, key: key)
        case .decrypt: try DataFile.decrypt(path: path, key: key)
        case .rekey: try DataFile.rekey(path: path, from: key, to: Self.newKey)
        }
    }

    /// The key that a file must have before.
    func old(_ key: EncryptionKey) -> EncryptionKey? { self == .encrypt ? nil : key }

    /// The key that a file has afterwards.
    func new(_ key: EncryptionKey) -> EncryptionKey? {
        switch self {
        case .encrypt: key
        case .decrypt: nil
        case .rekey: Self.newKey
        }
    }
}

// Open databases.
extension EncryptionCrashTests {
    @Test(
        "an open database is not converted; it stays usable, and is converted later",
        arguments: Conversion.allCases, [DataFileOptions.Access.readOnly, .readWrite])
    func inUse(conversion: Conversion, access: DataFileOptions.Access) throws {
        let (old, new) = (conversion.old(fixture.key), conversion.new(fixture.key))
        try fixture.make(old)
        let file = try fixture.open(old, access)
        #expect(try fixture.numbers(in: file) == Array(1...100))
        let inFile = try ChildProcess.hexadecimalBytes(ofFile: database)
        let error = storeError(.busy) { try conversion.run(fixture.path, fixture.key) }
        #expect(error?.message.contains(fixture.path) == true)
        #expect(try ChildProcess.hexadecimalBytes(ofFile: database) == inFile)
        #expect(
            try Set(fixture.names()).isSubset(of: [
                "db.sqlite3", "db.sqlite3-shm",
                "db.sqlite3-wal",
            ]))
        #expect(try fixture.journalMode(old) == "wal")
        #expect(try fixture.numbers(in: file) == Array(1...100))
        if access == .readWrite { try fixture.save(101...110, in: file) }
        file.close()
        let expected = Array(1...(access == .readWrite ? 110 : 100))
        #expect(try fixture.wholeNumbers(old) == expected)
        try conversion.run(fixture.path, fixture.key)
        #expect(try fixture.wholeNumbers(new) == expected)
        #expect(try fixture.names() == ["db.sqlite3"])
    }

    @Test(
        "an empty journal is not left next to a database that has another form",
        arguments: [Conversion.encrypt, .decrypt], ["wal", "delete"])
    func staleJournal(conversion: Conversion, mode: String) throws {
        let old = conversion.old(fixture.key)
        try fixture.make(old)
        let crashed = try spilled(old)
        let journal = URL(filePath: crashed + "/db.sqlite3-journal")
        let hot = try Data(contentsOf: journal)
        // As SQLite invalidates one that it does not delete: `PRAGMA journal_mode = persist`.
        let stale = Data(repeating: 0, count: 28) + hot.dropFirst(28)
        let context = try fixture.sqlite(old)
        #expect(try context.setPragma("journal_mode", to: .text(mode)) == .text(mode))
        try context.close()
        try stale.write(to: URL(filePath: database + "-journal"))
        try conversion.run(fixture.path, fixture.key)
        #expect(try fixture.names() == ["db.sqlite3"])
        #expect(try fixture.wholeNumbers(conversion.new(fixture.key)) == Array(1...100))
    }
}

// Rollback journals that a crash has left: the file is in the middle of a change.
extension EncryptionCrashTests {
    /// A copy of the files while a transaction has written a part of its pages.
    private func spilled(_ key: EncryptionKey?) throws -> String {
        let context = try fixture.sqlite(key)
        #expect(try context.setPragma("journal_mode", to: .text("delete")) == .text("delete"))
        let before = try Data(contentsOf: URL(filePath: database))
        try context.exec(
            sql: """
                PRAGMA cache_size = 5; BEGIN IMMEDIATE;
                UPDATE kv_default SET body = zeroblob(400), version = x'01'
                """)
        let crashed = try fixture.copyFiles(to: "crashed.cblite2")
        try context.exec(sql: "ROLLBACK")
        try context.close()
        #expect(try Data(contentsOf: URL(filePath: crashed + "/db.sqlite3")) != before)
        #expect(try fixture.names(crashed) == ["db.sqlite3", "db.sqlite3-journal"])
        return crashed
    }

    /// A copy of the files while some of the pages have another key.
    private func halfRekeyed(to new: EncryptionKey) throws -> String {
        let vfs = try HookVFS.registered()
        let path = database
        let rewritten = Locked((count: 0, copy: String?.none))
        vfs.onCall { [fixture] operation, kind in
            // All pages are in the journal before the first of them gets another key.
            guard operation == .write, kind == .mainDatabase,
                fixture.size(path + "-journal") > fixture.size(path)
            else { return nil }
            rewritten.withLock { state in
                state.count += 1
                guard state.count == 4 else { return }
                state.copy = try? fixture.copyFiles(to: "crashed.cblite2")
            }
            return nil
        }
        let context = try SQLContext(
            path: database, flags: .readWrite,
            configuration: .plus(key: fixture.key, over: vfs.name))
        try context.rekey(new)
        try context.close()
        vfs.onCall(nil)
        #expect(try fixture.wholeNumbers(new) == Array(1...100))
        let crashed = try #require(rewritten.withLock { $0.copy })
        let names = try fixture.names(crashed)
        #expect(
            names == ["db.sqlite3", "db.sqlite3-journal", "db.sqlite3-shm", "db.sqlite3-wal"])
        #expect(fixture.size(crashed + "/db.sqlite3-wal") == 0)
        return crashed
    }

    /// Any opening with this key rolls the journal back.
    private func expectWhole(_ crashed: String, _ key: EncryptionKey?) throws {
        let again = fixture.directory("again.cblite2")
        #expect(try ChildProcess.run(["cp", "-r", crashed, again]).status == 0)
        let reader = try fixture.open(key, .readOnly, at: crashed)
        #expect(try fixture.numbers(in: reader) == Array(1...100))
        reader.close()
        for place in [crashed, again] {
            #expect(try fixture.wholeNumbers(key, at: place) == Array(1...100))
            #expect(try fixture.names(place) == ["db.sqlite3"])
        }
    }

    @Test(
        "a journal of a transaction is rolled back by an opening for reading or writing",
        arguments: [false, true])
    func spilledJournal(isEncrypted: Bool) throws {
        let key = isEncrypted ? fixture.key : nil
        try fixture.make(key)
        try expectWhole(spilled(key), key)
    }

    @Test("the journal of another key is rolled back by an opening with the old key")
    func rekeyJournal() throws {
        try fixture.make(fixture.key)
        try expectWhole(halfRekeyed(to: .random()), fixture.key)
    }

    @Test("with the new key of an interrupted change, a file is rejected and not damaged")
    func rekeyJournalNewKey() throws {
        try fixture.make(fixture.key)
        let new = EncryptionKey.random()
        let crashed = try halfRekeyed(to: new)
        let before = try fixture.contents(crashed)
        for key in [new, .random()] {
            let error = storeError(.notADatabaseFile) {
                try fixture.open(key, at: crashed).close()
            }
            #expect(fixture.cause(error) == .wrongKeyOrNotADatabase)
            #expect(try fixture.contents(crashed) == before)
        }
        try expectWhole(crashed, fixture.key)
    }

    @Test("without a key a file is rejected, though its journal can be rolled back without one")
    func rekeyJournalNoKey() throws {
        try fixture.make(fixture.key)
        let crashed = try halfRekeyed(to: .random())
        let error = storeError(.notADatabaseFile) { try fixture.open(nil, at: crashed).close() }
        #expect(fixture.cause(error) == .keyRequired)
        #expect(try fixture.wholeNumbers(fixture.key, at: crashed) == Array(1...100))
    }

    @Test("a file whose key change was interrupted by a crash keeps its WAL")
    func rekeyJournalMode() throws {
        try fixture.make(fixture.key)
        #expect(try fixture.journalMode(fixture.key) == "wal")
        let crashed = try halfRekeyed(to: .random())
        #expect(try fixture.wholeNumbers(fixture.key, at: crashed) == Array(1...100))
        #expect(try fixture.journalMode(fixture.key, at: crashed) == "wal")
    }

    @Test("an unfinished journal is removed by the next opening for writing")
    func unfinishedRekeyJournal() throws {
        try fixture.make(fixture.key)
        let new = EncryptionKey.random()
        let crashed = try halfRekeyed(to: new)
        let whole = try Data(contentsOf: URL(filePath: crashed + "/db.sqlite3-journal"))
        // Its header is zeros until all pages are in it.
        let unfinished = Data(repeating: 0, count: 512) + whole.dropFirst(512)
        try fixture.make(new, 101...200)
        try unfinished.write(to: URL(filePath: database + "-journal"))
        let reader = try fixture.open(new, .readOnly)
        #expect(try fixture.numbers(in: reader) == Array(1...200))
        reader.close()
        #expect(try fixture.names() == ["db.sqlite3", "db.sqlite3-journal"])
        #expect(try fixture.wholeNumbers(new) == Array(1...200))
        #expect(try fixture.names() == ["db.sqlite3"])
    }

    @Test("a journal is rolled back before a conversion", arguments: Conversion.allCases)
    func conversionWithJournal(conversion: Conversion) throws {
        let old = conversion.old(fixture.key)
        try fixture.make(old)
        let crashed = try spilled(old)
        try conversion.run(crashed, fixture.key)
        #expect(try fixture.names(crashed) == ["db.sqlite3"])
        let new = conversion.new(fixture.key)
        #expect(try fixture.wholeNumbers(new, at: crashed) == Array(1...100))
    }
}
