import Foundation
import StoreTestSupport
import Testing

@Suite("An untrusted directory")
struct HostileDirectoryTests {
    private let database: SampleDatabase
    private let precious: String

    init() throws {
        database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        precious = try database.newFile("precious.txt", Data("precious".utf8))
    }

    /// Commands that read, commands that write, and commands for damaged databases.
    private static let commands: [[String]] = [
        ["info"], ["ls"], ["cat", "a"], ["export"], ["query", "SELECT * FROM _"], ["check"],
        ["verify"], ["stat"], ["sql", "SELECT 1"], ["dump"], ["put", "b", "{}"], ["rm", "a"],
        ["compact"], ["optimize"], ["reindex"], ["encrypt", "--new-key", "k"],
        ["rekey", "--key", "k", "--new-key", "l"], ["decrypt", "--key", "k"], ["import", "-"],
        ["blob", "ls"], ["mkindex", "byN", "n"],
    ]

    private func run(_ command: [String], on path: String) throws -> Command.Outcome {
        let isNested = ["blob"].contains(command[0])
        let words = isNested ? Array(command.prefix(2)) : [command[0]]
        return try Kvtool.run(
            words + [path] + command.dropFirst(words.count), stdin: Data("{}\n".utf8))
    }

    @Test(
        "whose rollback journal names another file is refused by all commands, which delete nothing"
    )
    func superJournal() throws {
        try HostileJournal.write(naming: precious, beside: database.file)
        let before = try database.contents
        for command in Self.commands {
            let complaint = try run(command, on: database.path).refusal(status: 4)
            #expect(complaint.contains("names the super-journal \(precious)"), "\(command)")
        }
        let copy = database.directory("copy.cblite2")
        for command in ["snapshot", "cp"] { try database.run(command, copy).refusal(status: 4) }
        #expect(try database.contents == before)
        #expect(FileManager.default.fileExists(atPath: precious))
        let outcome = try database.run("recover", copy)
        #expect(outcome.status == 7)
        #expect(outcome.stdout.contains("the rollback journal was left out"))
        #expect(try Kvtool.run(["export", copy]).lines == [#"{"_id":"a","n":1}"#])
        #expect(FileManager.default.fileExists(atPath: precious))
    }

    @Test("with a link or a FIFO beside the database is refused immediately by all commands")
    func irregularFiles() throws {
        for suffix in ["-journal", "-wal", "-shm"] {
            let path = database.file + suffix
            #expect(mkfifo(path, 0o600) == 0)
            for command in Self.commands {
                let complaint = try run(command, on: database.path).refusal(status: 4)
                #expect(complaint.hasPrefix("\(path) is not a regular file"), "\(command)")
            }
            #expect(unlink(path) == 0)
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: precious)
            for command in Self.commands.prefix(8) {
                let complaint = try run(command, on: database.path).refusal(status: 4)
                #expect(complaint.hasPrefix("\(path) is a symbolic link"), "\(command)")
            }
            #expect(unlink(path) == 0)
        }
        #expect(try database.exported() == [#"{"_id":"a","n":1}"#])
    }

    @Test("whose database is a link is refused by all commands, and its target is not changed")
    func link() throws {
        let theirs = database.directory("theirs.cblite2")
        try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: theirs + "/db.sqlite3", withDestinationPath: database.file)
        let before = try database.contents
        for command in Self.commands + [["recover", database.directory("new.cblite2")]] {
            let complaint = try run(command, on: theirs).refusal(status: 4)
            #expect(complaint.hasPrefix("\(theirs)/db.sqlite3 is a symbolic link"), "\(command)")
            #expect(complaint.contains("open the directory that it leads to, "))
        }
        #expect(try database.contents == before)
    }

    @Test("of documents with a FIFO among them is not imported, without blocking")
    func importedDirectory() throws {
        let documents = database.directory("documents")
        try FileManager.default.createDirectory(
            atPath: documents, withIntermediateDirectories: false)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: documents + "/a.json"))
        #expect(mkfifo(documents + "/b.json", 0o600) == 0)
        let new = database.directory("new.cblite2")
        let complaint = try Kvtool.run(["import", new, documents]).refusal(status: 4)
        #expect(complaint.hasPrefix("\(documents)/b.json is not a file"))
        #expect(!FileManager.default.fileExists(atPath: new))
    }

    @Test("with a link as a blob is dumped without it, with status 7, and is not encrypted")
    func linkedBlob() throws {
        let plain = try EncryptedDatabase.plain()
        let blob = "\(plain.path)/Attachments/\(EncryptedDatabase.fileName).blob"
        let elsewhere = plain.directory("elsewhere")
        try FileManager.default.moveItem(atPath: blob, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: blob, withDestinationPath: elsewhere)
        let dump = try plain.run("dump", plain.directory("a.dump"))
        #expect(dump.status == 7)
        #expect(dump.stderr.contains("the blob \(EncryptedDatabase.digest) is damaged"))
        let complaint = try plain.run("encrypt", "--new-key", "k").refusal()
        #expect(complaint.hasPrefix("\(blob) is a link, directory or device"))
        #expect(try plain.bytes.starts(with: Data("SQLite format 3\0".utf8)))
    }
}

extension HostileDirectoryTests {
    @Test("with a directory as a blob is not copied or encrypted, and recovered without that blob")
    func directoryForBlob() throws {
        let plain = try EncryptedDatabase.plain()
        let blob = "\(plain.path)/Attachments/\(EncryptedDatabase.fileName).blob"
        try FileManager.default.removeItem(atPath: blob)
        try FileManager.default.createDirectory(
            atPath: blob + "/inner", withIntermediateDirectories: true)
        let photo = try plain.newFile("photo", Data("another".utf8))
        try Kvtool.run(["blob", "put", plain.path, photo]).success()
        let new = plain.directory("new.cblite2")
        for command in [["cp", plain.path, new], ["snapshot", plain.path, new]] {
            #expect(try Kvtool.run(command).refusal().hasPrefix("\(blob) is a directory"))
        }
        let encryption = try plain.run("encrypt", "--new-key", "k").refusal()
        #expect(encryption.hasPrefix("\(blob) is a link, directory or device"))
        let repair = try plain.run("recover", new, "--json")
        #expect(repair.status == 7)
        let losses = try repair.answer().list("losses").compactMap { $0["reason"] as? String }
        #expect(losses.count == 1 && losses[0].contains("\(blob) is a directory"))
        let blobs = try FileManager.default.contentsOfDirectory(atPath: new + "/Attachments")
        #expect(blobs.count == 1)
    }

    @Test(
        "with anything but files as WAL and journal is recovered without them, with a note",
        arguments: ["-wal", "-journal"])
    func logs(_ suffix: String) throws {
        let path = database.file + suffix
        let makers: [(String) throws -> Void] = [
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/x") },
            { #expect(mkfifo($0, 0o600) == 0) }, { #expect(mkdir($0, 0o700) == 0) },
        ]
        for (number, make) in makers.enumerated() {
            try? FileManager.default.removeItem(atPath: path)
            try make(path)
            let repair = try database.run(
                "recover", database.directory("\(number).cblite2"), "--json")
            #expect(repair.status == 7)
            let losses = try repair.answer().list("losses").compactMap { $0["reason"] as? String }
            #expect(losses.count == 1 && losses[0].contains("left out: \(path) is a link, "))
        }
    }
}

@Suite("Files created from a private database")
struct PrivateDatabaseTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 3)
        try database.setPermissions(0o600, of: database.file)
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
    }

    @Test("are as private: exports, dumps, new databases", arguments: [false, true])
    func exports(byDirectory: Bool) throws {
        if byDirectory {
            try database.setPermissions(0o644, of: database.file)
            try database.setPermissions(0o700, of: database.path)
        }
        let directory = database.directory
        for (command, file) in [
            (["export", database.path], "a.ndjson"), (["dump", database.path], "a.dump"),
            (["cp", database.path], "a.json"), (["cp", database.path], "a.csv"),
        ] {
            let outcome = try Kvtool.run(command + [directory(file)])
            #expect(outcome.status == 0, "\(outcome)")
            #expect(try mode(directory(file)) == 0o600, "\(file)")
        }
        try database.run("cp", directory("documents/")).success()
        #expect(try mode(directory("documents")) == 0o700)
        #expect(try mode(directory("documents/person-0001.json")) == 0o600)
        try database.run("cp", directory("some.cblite2"), "--limit", "2").success()
        #expect(try mode(directory("some.cblite2")) == 0o700)
        #expect(try mode(directory("some.cblite2/db.sqlite3")) == 0o600)
    }

    @Test("are as private: its documents as files, and what is loaded from a private dump")
    func copies() throws {
        let directory = database.directory
        try database.run("dump", directory("a.dump")).success()
        for path in [directory("one.cblite2"), directory("two.cblite2")] {
            #expect(try Kvtool.run(["load", path, directory("a.dump")]).status == 0)
            #expect(try mode(path) == 0o700)
            #expect(try mode(path + "/db.sqlite3") == 0o600)
            try database.setPermissions(0o400, of: directory("a.dump"))
        }
        try FileManager.default.createDirectory(
            atPath: directory("mine"), withIntermediateDirectories: false)
        try database.run("cp", directory("mine/")).success()
        #expect(try mode(directory("mine/person-0001.json")) == 0o600)
    }

    @Test("are public if the database is")
    func open() throws {
        try database.setPermissions(0o644, of: database.file)
        try database.setPermissions(0o755, of: database.path)
        try database.run("dump", database.directory("a.dump")).success()
        let mask = umask(0o022)
        umask(mask)
        #expect(try mode(database.directory("a.dump")) == 0o644 & ~Int(mask))
    }
}

@Suite("A rollback journal of a crash")
struct HotJournalTests {
    /// A database with the file and the journal of the middle of a transaction.
    private func crashed() throws -> SampleDatabase {
        let database = try SampleDatabase(people: 300)
        try SQLiteShell.rows(database.file, "PRAGMA journal_mode=delete")
        let sql = """
            PRAGMA cache_size=5; PRAGMA cache_spill=5; BEGIN IMMEDIATE;
            UPDATE kv_default SET body=zeroblob(2000);
            """
        try OtherProcess(database.file, sql).crash()
        #expect(try database.contents.names == ["db.sqlite3", "db.sqlite3-journal"])
        return database
    }

    @Test(
        "is rolled back by commands that only read",
        .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
    func playedBack() throws {
        for command in [
            ["info"], ["ls"], ["verify"], ["check"], ["export"], ["cat", "person-0001"],
        ] {
            let database = try crashed()
            try Kvtool.run([command[0], database.path] + command.dropFirst()).success()
            #expect(try database.contents.names == ["db.sqlite3"])
            #expect(try database.exported().count == 300)
        }
    }

    @Test(
        "is reported, with advice, to users who may not write the database",
        .enabled(
            if: SQLiteShell.isPresent && Kvtool.canRunUnprivileged, "needs sqlite3 and setpriv"))
    func unwritable() throws {
        let database = try crashed()
        try database.setPermissions(0o755, of: database.directory.path)
        for name in try database.contents.names {
            try database.setPermissions(0o444, of: "\(database.path)/\(name)")
        }
        try database.setPermissions(0o555, of: database.path)
        defer { try? database.setPermissions(0o755, of: database.path) }
        let before = try database.contents
        for command in ["info", "ls", "export", "verify"] {
            let complaint = try database.run(command, asUser: .unprivileged).refusal(status: 4)
            #expect(complaint.contains("its rollback journal must be rolled back"), "\(command)")
            #expect(complaint.contains("copy the whole directory"))
        }
        #expect(try database.contents == before)
    }
}
