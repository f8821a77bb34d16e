import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("Attached databases and exports")
struct AttachTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()
    /// A string that no other test writes.
    let marker = "marker-\(UUID().uuidString)"

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ name: String, _ key: EncryptionKey?) throws -> SQLContext {
        try SQLContext(path: directory(name), configuration: .plus(key: key))
    }

    /// The rows of a table u, or the error.
    private func rows(_ name: String, _ key: EncryptionKey?) throws -> Outcome {
        let context = try open(name, key)
        defer { try? context.close() }
        return Outcome {
            try context.selectValue(sql: "SELECT group_concat(a) FROM u")?.textValue ?? "nil"
        }
    }

    private func make(_ name: String, _ key: EncryptionKey?, row: String) throws {
        let context = try open(name, key)
        try context.exec(sql: "CREATE TABLE u (a); INSERT INTO u VALUES ('\(row)')")
        try context.close()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    /// Whether a closed file contains no plaintext.
    private func isSecret(_ name: String) throws -> Bool {
        let bytes = try FileCopy.bytes(directory(name))
        return !bytes.isEmpty && !bytes.contains(Array("SQLite format 3".utf8))
            && !bytes.contains(Array(marker.utf8))
    }

    @Test(
        "only a file can have a key, not a URI or an in-memory database",
        arguments: [":memory:", "", "file:FOLDER/b.db", "file::memory:?cache=shared"],
        [false, true])
    func noFile(path: String, knowsURIs: Bool) throws {
        let context = try SQLContext(
            path: directory("a.db"),
            flags: knowsURIs ? [.readWrite, .create, .uri] : [.readWrite, .create],
            configuration: .plus(key: key))
        let error = #expect(throws: SQLError.self) {
            try context.attach(
                path: path.replacing("FOLDER", with: directory.path), as: "b", key: .random())
        }
        #expect(error?.encryption == .noFile)
        // It was not attached without the key.
        #expect(throws: SQLError.self) { try context.exec(sql: "CREATE TABLE b.u (a)") }
        #expect(try context.selectAll(sql: "PRAGMA database_list").count == 1)
        #expect(try !names().contains("b.db"))
    }

    @Test("a URI is not exported with a key, and no plaintext file is left of it")
    func exportToURI() throws {
        let context = try SQLContext(
            path: directory("a.db"), flags: [.readWrite, .create, .uri],
            configuration: .plus(key: key))
        try context.exec(sql: "CREATE TABLE u (a)")
        let error = #expect(throws: SQLError.self) {
            try context.export("file:\(directory("b.db"))", key: .random())
        }
        #expect(error?.encryption == .noFile)
        #expect(try names() == ["a.db"])
    }

    @Test("without a key a plaintext file can be attached, an encrypted one cannot")
    func withoutKey() throws {
        try make("plain.db", nil, row: "plain")
        try make("encrypted.db", .random(), row: "secret")
        for main in [key, nil] {
            let context = try open("a.db", main)
            try context.attach(path: directory("plain.db"), as: "b", key: nil)
            let found = try context.selectValue(sql: "SELECT a FROM b.u")
            #expect(found == .text("plain"))
            try context.exec(sql: "INSERT INTO b.u VALUES ('more')")
            let error = #expect(throws: SQLError.self) {
                try context.attach(path: directory("encrypted.db"), as: "c", key: nil)
                _ = try context.selectValue(sql: "SELECT a FROM c.u")
            }
            #expect(error?.encryption == .keyRequired, "\(String(describing: error))")
            try context.close()
        }
        #expect(try rows("plain.db", nil) == .text("plain,more,more"))
        let platform = try SQLContext(path: directory("plain.db"))
        #expect(try platform.selectValue(sql: "SELECT count(*) FROM u") == .long(3))
    }

    @Test("without a key a new file is plain, though the main database is encrypted")
    func newPlainFile() throws {
        let context = try open("a.db", key)
        try context.attach(path: directory("b.db"), as: "b", key: nil)
        try context.exec(sql: "CREATE TABLE b.u (a); INSERT INTO b.u VALUES (7)")
        try context.export(directory("c.db"), key: nil as EncryptionKey?)
        try context.close()
        let platform = try SQLContext(path: directory("b.db"))
        #expect(try platform.selectValue(sql: "SELECT a FROM u") == .long(7))
    }

    @Test("two databases that are attached in turn have their own keys")
    func twoKeys() throws {
        let keys = [EncryptionKey.random(), EncryptionKey.random()]
        let context = try open("a.db", key)
        try context.attach(path: directory("b.db"), as: "b", key: keys[0])
        try context.attach(path: directory("c.db"), as: "c", key: keys[1])
        try context.exec(
            sql: """
                CREATE TABLE main.u (a); INSERT INTO main.u VALUES ('a');
                CREATE TABLE c.u (a); INSERT INTO c.u VALUES ('c');
                CREATE TABLE b.u (a); INSERT INTO b.u VALUES ('b')
                """)
        try context.close()
        #expect(try rows("a.db", key) == .text("a"))
        #expect(try rows("b.db", keys[0]) == .text("b"))
        #expect(try rows("c.db", keys[1]) == .text("c"))
        #expect(try rows("b.db", keys[1]) == .notADatabase)
        #expect(try rows("c.db", keys[0]) == .notADatabase)
        #expect(try rows("b.db", key) == .notADatabase)
        // The same again with existing files.
        let again = try open("a.db", key)
        try again.attach(path: directory("c.db"), as: "x", key: keys[1])
        try again.attach(path: directory("b.db"), as: "y", key: keys[0])
        let both = try again.selectValue(sql: "SELECT x.u.a || y.u.a FROM x.u, y.u")
        #expect(both == .text("cb"))
    }

    @Test("a refused key is not used for the next attach of the file")
    func refusedKey() throws {
        try make("b.db", key, row: "b")
        let context = try open("a.db", key)
        let wrong = #expect(throws: SQLError.self) {
            try context.attach(path: directory("b.db"), as: "b", key: .random())
        }
        #expect(wrong?.encryption == .wrongKeyOrNotADatabase)
        try context.exec(sql: "ATTACH '\(directory("b.db"))' AS b")
        #expect(try context.selectValue(sql: "SELECT a FROM b.u") == .text("b"))
    }
}

// Only by SQL.
extension AttachTests {
    @Test(
        "ATTACH with KEY is refused, nothing is attached, and the key is not shown",
        arguments: [
            "ATTACH 'FILE' AS x KEY 'c0ffee secret'", "attach database 'FILE' as x key 'c0ffee'",
            "ATTACH 'FILE' AS \"x\" KEY \"c0ffee\"", "ATTACH 'FILE' AS x KEY x'c0ffee'",
            "/* KEY */ ATTACH 'FILE' AS [x] KEY 'c0ffee'",
            "SELECT 1; ATTACH 'FILE' AS x KEY 'c0ffee'; SELECT 2",
            "ATTACH 'FILE' AS x -- as key\n KEY 'c0ffee'",
            "ATTACH 'FILE' || '' AS key KEY 'c0ffee'",
            "ATTACH 'FILE' AS x KEY ('c0ffee' || '1')", "ATTACH 'FILE' AS 'x' KEY'c0ffee'",
        ])
    func attachWithKey(sql: String) throws {
        for main in [key, nil] {
            let context = try open("a.db", main)
            let error = #expect(throws: SQLError.self) {
                try context.exec(sql: sql.replacing("FILE", with: directory("b.db")))
            }
            var shown = "\(String(describing: error)) \(String(reflecting: error))"
            dump(error, to: &shown)
            shown += error?.unredactedDescription ?? ""
            shown += (error?.message ?? "") + (error?.sql ?? "")
            #expect(!shown.contains("c0ffee"), "\(shown)")
            #expect(error?.code == .misuse)
            #expect(error?.message.contains("attach(path:as:key:)") == true)
            #expect(try context.selectAll(sql: "PRAGMA database_list").count == 1)
            try context.close()
        }
        #expect(!(try names().contains("b.db")))
    }

    @Test(
        "a file or a schema named key is attached like any other",
        arguments: [
            "ATTACH 'FILE' AS key", "ATTACH DATABASE 'FILE' AS KEY", "ATTACH 'FILE' AS \"key\"",
            "ATTACH 'FILE' AS [key]", "ATTACH 'FILE' AS 'key'", "ATTACH 'FILE' AS key -- KEY 'x'",
            "ATTACH 'FILE' /* KEY 'x' */ AS key",
        ])
    func namedKey(sql: String) throws {
        let context = try SQLContext(path: directory("a.db"), configuration: .plus)
        try context.exec(sql: sql.replacing("FILE", with: directory("key")))
        try context.exec(sql: "CREATE TABLE \"key\".u (a); INSERT INTO \"key\".u VALUES (5)")
        #expect(try context.selectValue(sql: "SELECT a FROM \"key\".u") == .long(5))
        try context.close()
        #expect(try rows("key", nil) == .text("5"))
    }

    @Test(
        "ATTACH in an encrypted database creates a file with the same key",
        arguments: ["delete", "wal"])
    func attachNew(mode: String) throws {
        let context = try open("a.db", key)
        try context.exec(
            sql: """
                PRAGMA journal_mode = \(mode); CREATE TABLE t (a);
                ATTACH '\(directory("b.db"))' AS b;
                PRAGMA b.journal_mode = \(mode);
                CREATE TABLE b.u (a); INSERT INTO b.u VALUES ('\(marker)')
                """)
        #expect(try context.selectValue(sql: "PRAGMA b.integrity_check") == .text("ok"))
        try context.close()
        #expect(try isSecret("b.db"))
        #expect(try rows("b.db", key) == .text(marker))
        #expect(try rows("b.db", nil) == .failed(.notADatabase, .keyRequired))
        let again = try open("a.db", key)
        try again.exec(sql: "ATTACH '\(directory("b.db"))' AS b; INSERT INTO b.u VALUES (2)")
        try again.close()
        #expect(try rows("b.db", key) == .text("\(marker),2"))
    }

    @Test("VACUUM INTO of an encrypted database creates a file with the same key")
    func vacuumInto() throws {
        let context = try open("a.db", key)
        try context.exec(sql: "CREATE TABLE u (a); INSERT INTO u VALUES ('\(marker)')")
        try context.exec(sql: "VACUUM INTO '\(directory("b.db"))'")
        try context.rekey(.random())
        try context.close()
        #expect(try isSecret("b.db"))
        #expect(try rows("b.db", key) == .text(marker))
        #expect(try rows("b.db", nil) == .failed(.notADatabase, .keyRequired))
    }

    @Test("a plaintext database that SQL attaches stays plaintext, and can be read and written")
    func attachPlain() throws {
        try make("b.db", nil, row: "plain")
        let context = try open("a.db", key)
        try context.exec(sql: "ATTACH '\(directory("b.db"))' AS b; INSERT INTO b.u VALUES ('more')")
        #expect(try context.selectValue(sql: "SELECT count(*) FROM b.u") == .long(2))
        try context.close()
        let platform = try SQLContext(path: directory("b.db"))
        #expect(
            try platform.selectValue(sql: "SELECT group_concat(a) FROM u") == .text("plain,more"))
        #expect(try platform.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("a plaintext database attaches and copies plaintext files")
    func plainMain() throws {
        let context = try open("a.db", nil)
        try context.exec(
            sql: """
                CREATE TABLE u (a); INSERT INTO u VALUES ('plain');
                ATTACH '\(directory("b.db"))' AS b; CREATE TABLE b.u AS SELECT a FROM main.u;
                VACUUM INTO '\(directory("c.db"))'
                """)
        try context.close()
        for name in ["a.db", "b.db", "c.db"] {
            let platform = try SQLContext(path: directory(name))
            #expect(try platform.selectValue(sql: "SELECT a FROM u") == .text("plain"), "\(name)")
        }
    }

    @Test("SQL cannot attach a database with another key")
    func attachOtherKey() throws {
        try make("b.db", .random(), row: "secret")
        let context = try open("a.db", key)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "ATTACH '\(directory("b.db"))' AS b; SELECT a FROM b.u")
        }
        #expect(error?.code.primary == .notADatabase)
    }
}
