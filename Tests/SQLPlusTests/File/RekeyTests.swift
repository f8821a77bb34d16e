import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("Changing the key of a database")
struct RekeyTests {
    let directory: TemporaryDirectory
    let old = EncryptionKey.random()
    let new = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ path: String, _ key: EncryptionKey?) throws -> SQLContext {
        try SQLContext(path: path, configuration: .plus(key: key))
    }

    private func make(_ name: String, _ key: EncryptionKey?, mode: String = "delete") throws
        -> String
    {
        let context = try open(directory(name), key)
        try context.exec(sql: "PRAGMA journal_mode = \(mode)")
        try context.exec(
            sql: """
                PRAGMA application_id = 77; PRAGMA user_version = 5;
                CREATE TABLE t (a, b); CREATE INDEX i ON t (b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO t SELECT i, hex(randomblob(200)) FROM n;
                DELETE FROM t WHERE a BETWEEN 100 AND 150
                """)
        try context.close()
        return directory(name)
    }

    private func state(_ context: SQLContext) throws -> String {
        try [
            "SELECT count(*) || ' ' || sum(a) FROM t", "PRAGMA integrity_check",
            "PRAGMA user_version", "PRAGMA application_id", "PRAGMA journal_mode",
            "SELECT max(rowid) FROM t",
        ].map { try context.selectValue(sql: $0)?.text ?? "nil" }.joined(separator: ", ")
    }

    @Test("rekey changes only the key", arguments: ["delete", "wal", "truncate"])
    func rekey(mode: String) throws {
        let path = try make("a.db", old, mode: mode)
        let context = try open(path, old)
        try context.exec(sql: "INSERT INTO t VALUES (1000, 'new')")
        try context.rekey(new)
        let kept = mode == "wal" ? "wal" : "delete"
        #expect(try state(context) == "250 39775, ok, 5, 77, \(kept), 301")
        try context.exec(sql: "DELETE FROM t WHERE a = 1000")
        try context.close()
        #expect(try state(open(path, new)).hasPrefix("249 38775, ok, 5, 77"))
        let error = #expect(throws: SQLError.self) { try state(open(path, old)) }
        #expect(error?.encryption == .wrongKeyOrNotADatabase)
    }

    @Test("PRAGMA rekey does the same, in WAL mode, too", arguments: ["delete", "wal"])
    func rekeyPragma(mode: String) throws {
        let path = try make("a.db", EncryptionKey("old"), mode: mode)
        let context = try open(path, nil)
        try context.exec(sql: "PRAGMA key = 'old'; PRAGMA rekey = 'new'")
        #expect(try state(context) == "249 38775, ok, 5, 77, \(mode), 300")
        try context.exec(sql: "DELETE FROM t WHERE a = 1; PRAGMA rekey = 'newer'")
        #expect(try state(context) == "248 38774, ok, 5, 77, \(mode), 300")
        try context.exec(sql: "DELETE FROM t WHERE a = 2")
        try context.close()
        #expect(
            try state(open(path, EncryptionKey("newer"))) == "247 38772, ok, 5, 77, \(mode), 300")
    }

    @Test(
        "PRAGMA rekey is refused in a transaction that has read or written, and changes nothing",
        arguments: ["delete", "wal"], ["SELECT count(*) FROM t", "DELETE FROM t WHERE a = 1"])
    func rekeyPragmaInTransaction(mode: String, sql: String) throws {
        let path = try make("a.db", EncryptionKey("old"), mode: mode)
        let context = try open(path, EncryptionKey("old"))
        try context.exec(sql: "BEGIN; \(sql)")
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "PRAGMA rekey = 'new'")
        }
        guard case .cannotRekey = error?.encryption else {
            Issue.record("\(String(describing: error))")
            return
        }
        try context.exec(sql: "ROLLBACK")
        #expect(try state(context) == "249 38775, ok, 5, 77, \(mode), 300")
        try context.close()
        #expect(
            try state(open(path, EncryptionKey("old"))) == "249 38775, ok, 5, 77, \(mode), 300")
    }

    @Test("PRAGMA rekey requires a read first if a WAL was left")
    func rekeyPragmaLeftLog() throws {
        let path = try make("a.db", EncryptionKey("old"), mode: "wal")
        let writer = try open(path, EncryptionKey("old"))
        try writer.exec(sql: "DELETE FROM t WHERE a = 1")
        let copy = directory("copy.db")
        for suffix in ["", "-wal"] {
            try FileCopy.copy(path + suffix, copy + suffix)
        }
        try writer.close()
        let context = try open(copy, nil)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "PRAGMA key = 'old'; PRAGMA rekey = 'new'")
        }
        guard case .cannotRekey = error?.encryption else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try state(context) == "248 38774, ok, 5, 77, wal, 300")
        try context.exec(sql: "PRAGMA rekey = 'new'")
        #expect(try state(context) == "248 38774, ok, 5, 77, wal, 300")
    }

    @Test(
        "rekey is refused while another connection uses the database", arguments: ["delete", "wal"])
    func rekeyInUse(mode: String) throws {
        let path = try make("a.db", old, mode: mode)
        let other = try open(path, old)
        try other.exec(sql: "BEGIN; SELECT count(*) FROM t")
        let statement = try other.prepare(sql: "SELECT a FROM t")
        _ = try statement.next()
        let context = try open(path, old)
        let refusal = #expect(throws: SQLError.self) { try context.rekey(new) }
        #expect(refusal?.code == .busy, "\(String(describing: refusal))")
        guard case .cannotRekey = refusal?.encryption else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        statement.close()
        try other.exec(sql: "COMMIT")
        try other.close()
        #expect(try state(context).hasPrefix("249"))
        try context.rekey(new)
        #expect(try state(context).hasPrefix("249"))
    }

    @Test("export writes a copy with another key or none, and preserves the header")
    func export() throws {
        let path = try make("a.db", old)
        let context = try open(path, old)
        try context.export(directory("b.db"), key: new)
        try context.export(directory("c.db"), key: nil as EncryptionKey?)
        #expect(try state(open(directory("b.db"), new)) == "249 38775, ok, 5, 77, delete, 300")
        #expect(
            try state(SQLContext(path: directory("c.db"))) == "249 38775, ok, 5, 77, delete, 300")
        let plain = try SQLContext(path: directory("c.db"), configuration: .plus)
        try plain.export(directory("d.db"), key: old)
        #expect(try state(open(directory("d.db"), old)) == "249 38775, ok, 5, 77, delete, 300")
    }

    @Test("attach has a separate key, and tables of both databases can be joined")
    func attach() throws {
        let path = try make("a.db", old)
        let context = try open(path, old)
        try context.attach(path: directory("b.db"), as: "b", key: new)
        try context.exec(sql: "CREATE TABLE b.u AS SELECT a FROM t WHERE a < 11")
        #expect(
            try context.selectValue(sql: "SELECT sum(t.a) FROM t JOIN b.u USING (a)") == .long(55))
        try context.detach("b")
        let wrong = #expect(throws: SQLError.self) {
            try context.attach(path: directory("b.db"), as: "c", key: old)
        }
        #expect(wrong?.encryption == .wrongKeyOrNotADatabase)
        #expect(
            try open(directory("b.db"), new).selectValue(sql: "SELECT count(*) FROM u")
                == .long(10))
    }

    @Test("a file is encrypted and decrypted in place", arguments: ["delete", "wal"])
    func inPlace(mode: String) throws {
        let path = try make("a.db", nil, mode: mode)
        try DatabaseEncryption.encrypt(path: path, key: new)
        #expect(try state(open(path, new)) == "249 38775, ok, 5, 77, \(mode), 300")
        let again = #expect(throws: SQLError.self) {
            try DatabaseEncryption.encrypt(path: path, key: new)
        }
        #expect(again?.encryption == .keyRequired)
        let wrong = #expect(throws: SQLError.self) {
            try DatabaseEncryption.decrypt(path: path, key: old)
        }
        #expect(wrong?.encryption == .wrongKeyOrNotADatabase)
        try DatabaseEncryption.decrypt(path: path, key: new)
        #expect(try state(SQLContext(path: path)) == "249 38775, ok, 5, 77, \(mode), 300")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.sorted() == ["a.db"])
    }

    @Test("in place is refused while another connection has the file open", arguments: ["wal"])
    func inPlaceInUse(mode: String) throws {
        let path = try make("a.db", nil, mode: mode)
        let other = try SQLContext(path: path)
        _ = try other.selectValue(sql: "SELECT count(*) FROM t")
        #expect(throws: SQLError.self) { try DatabaseEncryption.encrypt(path: path, key: new) }
        #expect(try state(other) == "249 38775, ok, 5, 77, wal, 300")
    }
}

extension SQLValue {
    fileprivate var text: String? {
        switch self {
        case .long(let value): String(value)
        case .text(let value): value
        default: nil
        }
    }
}
