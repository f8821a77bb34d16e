import Foundation
import SQLCore
import StoreTestSupport
import Testing

@Suite("Untrusted files beside a database")
struct FileGuardTests {
    let directory: TemporaryDirectory
    let path: String
    let precious: String

    init() throws {
        directory = try TemporaryDirectory()
        for name in ["theirs", "mine"] {
            try FileManager.default.createDirectory(
                atPath: directory(name), withIntermediateDirectories: false)
        }
        path = directory("theirs/a.db")
        precious = directory("mine/precious-mj0123459AB")
        try Data("precious".utf8).write(to: URL(filePath: precious))
        try SQLContext(path: path).exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func journal(naming name: String, isHot: Bool = true) throws {
        try HostileJournal.write(naming: name, beside: path, isHot: isHot)
    }

    /// Checks that `body` fails with a refusal of a file.
    private func refused(
        _ file: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = #expect(throws: SQLError.self, sourceLocation: sourceLocation) { try body() }
        let refusal = error?.cause as? SQLFileRefusal
        #expect(
            refusal?.path == file, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.description.contains(file) == true, sourceLocation: sourceLocation)
    }

    private func read(_ flags: SQLOpenFlags = .readOnly) throws -> SQLValue? {
        try SQLContext(path: path, flags: flags).selectValue(sql: "SELECT a FROM t")
    }

    @Test(
        "a rollback journal that names a file which is not a super-journal of it deletes nothing",
        arguments: [
            "mine/precious-mj0123459AB", "mine/other.txt", "theirs/other.txt", "theirs/a.db",
            "theirs/../mine/precious-mj0123459AB", "mine", "theirs/a.db-journal",
        ])
    func foreignSuperJournal(_ name: String) throws {
        let named = directory(name)
        for file in ["mine/other.txt", "theirs/other.txt"] {
            try Data("mine".utf8).write(to: URL(filePath: directory(file)))
        }
        try journal(naming: named)
        refused(path + "-journal") { _ = try read(.readWrite) }
        let main = try SQLContext()
        refused(path + "-journal") {
            try main.attach(path: path, as: "other")
            _ = try main.selectAll(sql: "SELECT a FROM other.t")
        }
        let target = try SQLContext()
        refused(path + "-journal") { try SQLContext(path: path).backup(to: target) }
        #expect(exists(named) && exists(path + "-journal"))
        try FileManager.default.removeItem(atPath: path + "-journal")
        #expect(try read() == .long(1))
    }

    @Test("a relative name, and one that is not UTF-8, is refused, too")
    func oddNames() throws {
        try journal(naming: "precious-mj0123459AB")
        refused(path + "-journal") { _ = try read(.readWrite) }
        var bytes = HostileJournal.bytes(naming: precious)
        // The name gets a byte that is not UTF-8, and the checksum is updated.
        bytes[516] = 0xFF
        let sum = bytes[516..<516 + precious.utf8.count].reduce(0) { $0 + Int($1) }
        for index in 0..<4 {
            bytes[bytes.count - 12 + index] = UInt8(sum >> (24 - 8 * index) & 255)
        }
        try Data(bytes).write(to: URL(filePath: path + "-journal"))
        refused(path + "-journal") { _ = try read(.readWrite) }
    }

    @Test("one that is not hot is refused before a transaction that rolls back would read its end")
    func coldJournal() throws {
        try journal(naming: precious, isHot: false)
        refused(path + "-journal") { _ = try read() }
        let context = try SQLContext(path: path)
        refused(path + "-journal") {
            try context.exec(sql: "BEGIN; INSERT INTO t VALUES (2); ROLLBACK")
        }
        #expect(exists(precious))
    }

    @Test("a super-journal beside the database is used for the playback, and deleted")
    func ownSuperJournal() throws {
        let name = path + "-mj0123459AB"
        try Data((path + "-journal\0").utf8).write(to: URL(filePath: name))
        try journal(naming: name)
        // The journal states that the database had no pages.
        let error = #expect(throws: SQLError.self) { _ = try read(.readWrite) }
        #expect(error?.message.contains("no such table") == true)
        #expect(!exists(name) && !exists(path + "-journal"))
    }

    @Test("a super-journal in another directory must list the journal or not exist")
    func superJournalElsewhere() throws {
        let name = directory("mine/b.db-mj0123459AB")
        try journal(naming: name)
        #expect(try read(.readWrite) == .long(1))
        #expect(!exists(path + "-journal"))
        let list = directory("mine/b.db-journal") + "\0" + path + "-journal\0"
        try Data(list.utf8).write(to: URL(filePath: name))
        try journal(naming: name)
        _ = try? read(.readWrite)
        #expect(!exists(name) && !exists(path + "-journal"))
    }

    @Test("a super-journal that is not a list of journals is refused before SQLite reads it")
    func malformedSuperJournal() throws {
        let name = path + "-mj0123459AB"
        let fifo = directory("theirs/b.db-journal")
        #expect(mkfifo(fifo, 0o600) == 0)
        let lists = [
            path + "-journal\0" + fifo + "\0", path + "\0",
            String(repeating: path + "-journal\0", count: 127),
        ]
        for list in lists {
            try Data(list.utf8).write(to: URL(filePath: name))
            try journal(naming: name)
            let before = try Data(contentsOf: URL(filePath: path + "-journal"))
            refused(path + "-journal") { _ = try read(.readWrite) }
            #expect(try Data(contentsOf: URL(filePath: path + "-journal")) == before)
        }
        // Sparse: SQLite would read all of it into memory.
        #expect(truncate(name, 4 << 30) == 0)
        refused(path + "-journal") { _ = try read(.readWrite) }
        #expect(exists(name) && exists(path + "-journal"))
    }

    @Test("a transaction over two databases creates a super-journal, and removes it")
    func twoDatabases() throws {
        let context = try SQLContext(path: path)
        try context.attach(path: directory("mine/b.db"), as: "b")
        try context.exec(sql: "CREATE TABLE b.u (a)")
        try context.exec(sql: "BEGIN; INSERT INTO t VALUES (2); INSERT INTO u VALUES (3); COMMIT")
        #expect(try context.selectValue(sql: "SELECT sum(a) FROM t") == .long(3))
        try context.exec(sql: "VACUUM; VACUUM b")
        let names = ["mine", "theirs"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: directory($0))) ?? []
        }
        #expect(names.sorted() == ["a.db", "b.db", "precious-mj0123459AB"])
    }

    @Test(
        "a symbolic link instead of a journal or WAL is not followed", arguments: ["", "missing"])
    func links(_ target: String) throws {
        let elsewhere = directory("mine/\(target)")
        for suffix in ["-journal", "-wal", "-shm"] {
            let context = try SQLContext(path: path)
            try context.setPragma(
                "journal_mode", to: .text(suffix == "-journal" ? "delete" : "wal"))
            try context.close()
            let link = path + suffix
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: elsewhere)
            refused(link) {
                let context = try SQLContext(path: path)
                try context.exec(sql: "INSERT INTO t VALUES (2)")
            }
            try FileManager.default.removeItem(atPath: link)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory("mine")).count == 1)
        #expect(try read() == .long(1))
    }

    @Test("a FIFO instead of any of the files does not block")
    func fifos() throws {
        let context = try SQLContext(path: path)
        try context.setPragma("journal_mode", to: .text("wal"))
        try context.close()
        for suffix in ["-journal", "-wal", "-shm"] {
            #expect(mkfifo(path + suffix, 0o400) == 0)
            refused(path + suffix) { _ = try read() }
            refused(path + suffix) { _ = try read(.readWrite) }
            #expect(unlink(path + suffix) == 0)
        }
        #expect(try read() == .long(1))
        let fifo = directory("fifo.db")
        #expect(mkfifo(fifo, 0o600) == 0)
        refused(fifo) { _ = try SQLContext(path: fifo, flags: .readOnly) }
    }

    @Test("a symbolic link to the database is followed, except with noFollow")
    func linkToDatabase() throws {
        // If the temporary directory is a symbolic link, it would be refused, too.
        let real = URL(filePath: directory.path).resolvingSymlinksInPath().path
        let link = real + "/link.db"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let followed = try SQLContext(path: link, flags: .readOnly)
        #expect(try followed.selectValue(sql: "SELECT a FROM t") == .long(1))
        let error = #expect(throws: SQLError.self) {
            try SQLContext(path: link, flags: [.readOnly, .noFollow])
        }
        #expect(error?.code == .symbolicLink)
    }

    @Test("the name of a VFS does not change with a guard before it")
    func name() throws {
        #expect(try SQLContext(path: path).vfsName() == SQLContext().vfsName())
        let vfs = try FaultVFS.registered()
        #expect(try vfs.open(path).vfsName() == vfs.name)
    }
}
