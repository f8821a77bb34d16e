import Foundation
import SQLCore
import SampleData
import StoreTestSupport
import Testing

@Suite("SQLContext: files that fail")
struct BadFileTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("file.db")
        let context = try SQLContext(path: path)
        try context.exec(
            sql: """
                CREATE TABLE t (a INTEGER PRIMARY KEY, b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO t SELECT i, hex(randomblob(100)) FROM n;
                """)
        try context.close()
    }

    @Test("a file that was opened for reading cannot be written, and is not changed")
    func readOnly() throws {
        let before = try Data(contentsOf: URL(filePath: path))
        let context = try SQLContext(path: path, flags: .readOnly)
        #expect(context.isReadOnly)
        let error = #expect(throws: SQLError.self) { try context.exec(sql: "DELETE FROM t") }
        #expect(error?.code == .readOnly)
        #expect(error?.message == "attempt to write a readonly database")
        #expect(error?.sql == "DELETE FROM t")
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test("a missing file is created only if requested")
    func missing() throws {
        let error = #expect(throws: SQLError.self) {
            try SQLContext(path: directory("missing.db"), flags: .readWrite)
        }
        #expect(error?.code == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: directory("missing.db")))
        #expect(throws: SQLError.self) { try SQLContext(path: "a\0b.db") }
    }

    @Test("a locked file is an error after the timeout, and can be used later")
    func locked() throws {
        let (first, second) = (try SQLContext(path: path), try SQLContext(path: path))
        try second.setBusyTimeout(milliseconds: 10)
        try first.transaction(.exclusive) {
            let error = #expect(throws: SQLError.self) {
                try second.selectValue(sql: "SELECT count(*) FROM t")
            }
            #expect(error.map { SQLResultCode.busy ~= $0.code } == true)
            #expect(error?.message == "database is locked")
        }
        #expect(try second.selectValue(sql: "SELECT count(*) FROM t") == .long(1000))
    }

    @Test("a file that is not a database, or is truncated, is an error of the first statement")
    func garbage() throws {
        try Data("This is not a database, but a text of some length.".utf8)
            .write(to: URL(filePath: directory("text.db")))
        let context = try SQLContext(path: directory("text.db"))
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "SELECT * FROM sqlite_master")
        }
        #expect(error?.code == .notADatabase)
        let whole = try Data(contentsOf: URL(filePath: path))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: directory("half.db")))
        let half = try SQLContext(path: directory("half.db"))
        let cut = #expect(throws: SQLError.self) {
            try half.selectAll(sql: "SELECT * FROM t ORDER BY b")
        }
        #expect(cut.map { SQLResultCode.corrupt ~= $0.code } == true)
    }

    @Test("corrupt pages are an error where they are read, with any content")
    func corruptPages() throws {
        var random = SeededGenerator(seed: 20_261_121)
        let whole = try Data(contentsOf: URL(filePath: path))
        var failures = 0
        for round in 0..<30 {
            var bytes = whole
            for _ in 0..<200 {
                let place = Int.random(in: 100..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            let file = directory("corrupt\(round).db")
            try bytes.write(to: URL(filePath: file))
            let context = try SQLContext(path: file)
            do {
                _ = try context.selectAll(sql: "SELECT * FROM t ORDER BY b")
                _ = try context.selectAll(sql: "PRAGMA integrity_check")
                try context.exec(sql: "UPDATE t SET b = a")
            } catch is SQLError {
                failures += 1
            }
        }
        #expect(failures > 0)
    }

    @Test("a table that another process drops is an error of the statement's next run")
    func schemaOfAnother() throws {
        let (first, second) = (try SQLContext(path: path), try SQLContext(path: path))
        let statement = try first.prepare(sql: "SELECT count(*) FROM t")
        #expect(try statement.nextValues() == [.long(1000)])
        statement.reset()
        try second.exec(sql: "DROP TABLE t")
        let error = #expect(throws: SQLError.self) { try statement.next() }
        #expect(error?.message == "no such table: t")
        try second.exec(sql: "CREATE TABLE t (x)")
        #expect(try statement.nextValues() == [.long(0)])
    }

    @Test("what was not committed when the context is closed is not in the file")
    func closedInTransaction() throws {
        let context = try SQLContext(path: path)
        try context.exec(sql: "BEGIN; DELETE FROM t")
        try context.close()
        let error = #expect(throws: SQLError.self) { try context.transaction {} }
        #expect(error?.message == "the SQLContext is closed")
        #expect(
            try SQLContext(path: path).selectValue(sql: "SELECT count(*) FROM t") == .long(1000))
    }
}
