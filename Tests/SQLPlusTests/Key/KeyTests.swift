import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("Keys and their errors")
struct KeyTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let raw = String(repeating: "0f", count: 32)

    /// The error of the first statement.
    private func error(_ path: String, _ key: EncryptionKey?) -> EncryptionError? {
        do {
            let context = try SQLContext(path: path, configuration: .plus(key: key))
            _ = try context.selectValue(sql: "SELECT count(*) FROM sqlite_master")
            return nil
        } catch {
            return (error as? SQLError)?.encryption
        }
    }

    private func make(_ name: String, _ key: EncryptionKey?) throws -> String {
        let context = try SQLContext(path: directory(name), configuration: .plus(key: key))
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        try context.close()
        return directory(name)
    }

    @Test("a wrong key, a plaintext file with a key and an encrypted one without are distinguished")
    func wrongKeys() throws {
        let key = try EncryptionKey("right")
        let encrypted = try make("encrypted", key)
        #expect(error(encrypted, key) == nil)
        #expect(error(encrypted, try EncryptionKey("wrong")) == .wrongKeyOrNotADatabase)
        #expect(error(encrypted, nil) == .keyRequired)
        let plain = try make("plain", nil)
        #expect(error(plain, nil) == nil)
        #expect(error(plain, key) == .notEncrypted)
        try FileCopy.write([UInt8](repeating: 7, count: 8192), directory("noise"))
        #expect(error(directory("noise"), key) == .wrongKeyOrNotADatabase)
        #expect(error(directory("noise"), nil) == .keyRequired)
    }

    @Test("an empty key, and raw keys of other lengths, are errors")
    func malformedKeys() throws {
        #expect(throws: EncryptionError.emptyKey) { try EncryptionKey("") }
        #expect(throws: EncryptionError.emptyKey) { try EncryptionKey(passphrase: []) }
        #expect(throws: EncryptionError.emptyKey) { try EncryptionKey(raw: []) }
        for text in [
            "x''", "x'0f'", "x'\(Self.raw)0'", "X'\(Self.raw)0f'", "x'\(Self.raw.dropLast())g'",
        ] {
            #expect(throws: EncryptionError.malformedRawKey) { try EncryptionKey(text) }
        }
        #expect(throws: EncryptionError.malformedRawKey) {
            try EncryptionKey(raw: [UInt8](repeating: 1, count: 33))
        }
        // Without the closing quote of a raw key: a passphrase.
        #expect(throws: Never.self) { try EncryptionKey("x'\(Self.raw)") }
        let context = try SQLContext(path: directory("a.db"), configuration: .plus)
        #expect(throws: EncryptionError.emptyKey) { try context.key("") }
        let pragma = #expect(throws: SQLError.self) { try context.exec(sql: "PRAGMA key = ''") }
        #expect(pragma?.encryption == .emptyKey)
    }

    @Test(
        "a passphrase can be long, can contain NUL, and differs from its prefix",
        arguments: [
            [UInt8](repeating: 0x61, count: 100_000), Array("a\0b".utf8), [0], [0xFF, 0xFE],
            Array("пароль 🔑".utf8),
        ])
    func unusualKeys(bytes: [UInt8]) throws {
        let key = try EncryptionKey(passphrase: bytes)
        let path = try make("a.db", key)
        #expect(error(path, try EncryptionKey(passphrase: bytes)) == nil)
        #expect(
            error(path, try EncryptionKey(passphrase: bytes + [0x21])) == .wrongKeyOrNotADatabase)
    }

    @Test("a raw key is the same as text and as bytes, with a salt and without")
    func rawKeys() throws {
        let path = try make("a.db", EncryptionKey("x'\(Self.raw)'"))
        #expect(error(path, try EncryptionKey(raw: [UInt8](repeating: 15, count: 32))) == nil)
        let salted = try make("b.db", EncryptionKey("X'\(Self.raw)\(Self.raw.prefix(32))'"))
        #expect(try FileCopy.bytes(salted).prefix(16) == Array(repeating: 15, count: 16)[...])
        #expect(error(salted, try EncryptionKey(raw: [UInt8](repeating: 15, count: 48))) == nil)
        #expect(error(salted, try EncryptionKey(raw: [UInt8](repeating: 15, count: 32))) == nil)
    }

    @Test("a key needs the configuration .plus, and comes before anything else")
    func misuse() throws {
        let key = EncryptionKey.random()
        let platform = try SQLContext(path: directory("a.db"))
        let missing = #expect(throws: SQLError.self) { try platform.key(key) }
        #expect(missing?.encryption == .noEncryption)
        let path = try make("b.db", key)
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        _ = try context.selectValue(sql: "SELECT a FROM t")
        let late = #expect(throws: SQLError.self) { try context.key(EncryptionKey.random()) }
        #expect(late?.encryption == .keyTooLate)
        #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(1))
    }

    @Test(
        "a schema script without a key is shown with SQLite's message",
        arguments: [
            "PRAGMA user_version = 1; CREATE TABLE t (id INTEGER PRIMARY KEY); nonsense",
            "PRAGMA foreign_keys = on; CREATE TABLE t (id INTEGER PRIMARY KEY); SELECT * FROM key",
        ])
    func schemaScript(sql: String) throws {
        let context = try SQLContext(path: directory("a.db"), configuration: .plus)
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(error?.sql == sql)
        let message = error?.message ?? ""
        let expected = ["nonsense", "no such table: key"]
        #expect(expected.contains(where: message.contains), "\(message)")
    }

    @Test("no error, trace or description shows a key")
    func keysAreNotShown() throws {
        let secret = "c0ffee" + String(repeating: "0", count: 58)
        var shown = ""
        let context = try SQLContext(path: directory("a.db"), configuration: .plus)
        try context.trace { shown += $0 }
        for sql in [
            "PRAGMA key = \"x'\(secret)'\"", "PRAGMA key = \"x'\(secret)\" nonsense",
            "PRAGMA main.rekey = 'other \(secret)'", "pragma hexkey='\(secret)z'",
            "ATTACH 'b.db' AS b KEY \"x'\(secret)'\"; nonsense",
            "PRAGMA key = \"\(secret)\"; CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (1)",
            "PRAGMA key = \"\(secret)", "PRAGMA key = '\(secret)", "PRAGMA key = \(secret) x",
            "PRAGMA key = \(secret); INSERT INTO t VALUES (2), (2)",
            "PRAGMA /* a comment of some words */ key = \(secret) x",
            "PRAGMA key = '\(secret)'; SELECT ?", "PRAGMA key = '\(secret)\0'",
        ] {
            do {
                try context.exec(sql: sql)
            } catch {
                var dumped = ""
                dump(error, to: &dumped)
                shown += "\(error) \(dumped)"
                if let error = error as? SQLError {
                    shown += error.unredactedDescription + error.message + (error.sql ?? "")
                }
            }
        }
        let key = try EncryptionKey("x'\(secret)'")
        var dumped = ""
        dump(key, to: &dumped)
        shown += "\(key) \(String(reflecting: key)) \(dumped)"
        #expect(!shown.contains("c0ffee"), "\(shown)")
        #expect(shown.contains("a statement with a key, which is not shown"))
    }
}
