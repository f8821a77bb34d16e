import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

/// The samples of the manual of SQLPlus, as they are used here.
@Suite("SQLPlus: use, JSON, encryption")
struct SeedSamplesTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("a database is opened with the configuration .plus, plain without a key")
    func use() throws {
        let path = URL(filePath: directory("db.sqlite"))
        let db = try SQLContext(
            path: path.path, flags: [.create, .readWrite], configuration: .plus)
        try db.exec(sql: "CREATE TABLE t (a)")
        try db.close()
        #expect(try FileCopy.bytes(path.path).starts(with: "SQLite format 3\0".utf8))
    }

    @Test("JSON works in memory and on an encrypted database", arguments: [false, true])
    func json(isEncrypted: Bool) throws {
        let sqlplus =
            isEncrypted
            ? try SQLContext(path: directory("json.db"), configuration: .plus)
            : try SQLContext(configuration: .plus)
        if isEncrypted { try sqlplus.key("password") }
        try sqlplus.exec(sql: #"CREATE TABLE users (id INTEGER PRIMARY KEY, profile JSON)"#)
        try sqlplus.exec(
            sql: #"INSERT INTO users (id, profile) VALUES (1, '{"name": "Alice", "age": 30}')"#)
        try sqlplus.exec(
            sql: #"INSERT INTO users (id, profile) VALUES (2, '{"name": "Bob", "age": 25}')"#)
        let j1 = try sqlplus.selectAll(
            sql: #"SELECT json_extract(profile, '$.name') as name FROM users WHERE id = ?"#,
            parameters: [.integer(1)]
        ).first
        #expect(j1 == [.text("Alice")])
        let j2 = try sqlplus.selectAll(
            sql: #"""
                SELECT json_extract(profile, '$.name') as name,
                    json_extract(profile, '$.age') as age FROM users WHERE id = ?
                """#, parameters: [.integer(2)]
        ).first
        #expect(j2 == [.text("Bob"), .integer(25)])
    }

    @Test("PRAGMA key encrypts a new database, which only the key opens")
    func encryption() throws {
        let path = directory("encrypted.sqlite")
        let db = try SQLContext(
            path: path, flags: [.create, .readWrite], configuration: .plus)
        try db.exec(sql: "PRAGMA key = 'password'")
        try db.exec(sql: "CREATE TABLE SOME_TABLE(col)")
        try db.exec(
            sql: "INSERT INTO SOME_TABLE(col) VALUES(?)", parameters: [.text("SOME SECRET STRING")])
        try db.close()
        let bytes = try FileCopy.bytes(path)
        #expect(!bytes.contains(Array("SOME SECRET STRING".utf8)))
        #expect(!bytes.contains(Array("SOME_TABLE".utf8)))

        let again = try SQLContext(path: path, configuration: .plus)
        try again.exec(sql: "PRAGMA key = 'password'")
        #expect(
            try again.selectValue(sql: "SELECT col FROM SOME_TABLE") == .text("SOME SECRET STRING"))
    }

    @Test("a plaintext database is encrypted by replacing it with an export")
    func encryptByExport() throws {
        let path = URL(filePath: directory("plain.sqlite"))
        let plain = try SQLContext(path: path.path, configuration: .plus)
        try plain.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (42)")
        plain.userVersion = 7
        let context = try plain.encryptDatabase(key: "it's a key", at: path)
        #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(42))
        #expect(context.userVersion == 7)
        #expect(throws: SQLError.self) {
            try SQLContext(path: path.path).selectValue(sql: "SELECT a FROM t")
        }
    }

    @Test("FTS4 and FTS5 work on an encrypted database", arguments: ["fts4", "fts5"])
    func fullText(module: String) throws {
        let path = directory("words.db")
        let db = try SQLContext(path: path, configuration: .plus)
        try db.key("password")
        try db.exec(
            sql: """
                CREATE VIRTUAL TABLE w USING \(module) (text);
                INSERT INTO w VALUES ('the quick brown fox'), ('the lazy dog')
                """)
        try db.close()
        let again = try SQLContext(path: path, configuration: .plus)
        try again.key("password")
        #expect(
            try again.selectAll(sql: "SELECT text FROM w WHERE w MATCH 'lazy'")
                == [[.text("the lazy dog")]])
        #expect(!(try FileCopy.bytes(path).contains(Array("lazy".utf8))))
    }
}

extension SQLContext {
    /// Takes an unencrypted database and encrypts it with the given key.
    fileprivate func encryptDatabase(key: String, at dbPath: URL) throws -> SQLContext {
        let tmpDBURL = dbPath.appendingPathExtension("rekey")
        try self.export(tmpDBURL.path, key: key)
        try self.close()
        try FileManager.default.removeItem(at: dbPath)
        try FileManager.default.moveItem(at: tmpDBURL, to: dbPath)
        let ctx = try SQLContext(path: dbPath.path, flags: .readWrite, configuration: .plus)
        try ctx.key(key)
        return ctx
    }
}
