import Foundation
import SQLCore
import SQLPlus
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("Plaintext through SQL, other threads and other names")
struct LeakTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private func make(_ name: String, _ key: EncryptionKey?) throws -> String {
        let context = try SQLContext(path: directory(name), configuration: .plus(key: key))
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('\(name)')")
        try context.close()
        return directory(name)
    }

    private func isPlain(_ path: String) throws -> Bool {
        try FileCopy.bytes(path).starts(with: "SQLite format 3\0".utf8)
    }

    @Test(
        "VACUUM INTO of an attached database with a key is refused, in any spelling",
        arguments: [
            "VACUUM b INTO 'FILE'", "vacuum \"b\" into 'FILE'", "/* a */ VACUUM [b]\nINTO 'FILE'",
            ";\u{FEFF}VACUUM b INTO 'FILE'", "SELECT 1; VACUUM b INTO 'FILE'",
        ])
    func vacuumAttached(sql: String) throws {
        let path = try make("enc.db", key)
        for main in [EncryptionKey?.none, .random()] {
            let context = try SQLContext(
                path: directory("main\(main == nil).db"), configuration: .plus(key: main))
            try context.attach(path: path, as: "b", key: key)
            let target = directory("copy.db")
            let error = #expect(throws: SQLError.self) {
                try context.exec(sql: sql.replacing("FILE", with: target))
            }
            #expect(error?.code == .misuse)
            #expect(!FileManager.default.fileExists(atPath: target))
            try context.exec(sql: "VACUUM INTO '\(target)'")
            #expect(try isPlain(target) == (main == nil))
            try FileManager.default.removeItem(atPath: target)
            try context.close()
        }
    }

    @Test("VACUUM INTO of a plain attached database is left to SQLite")
    func vacuumPlainAttached() throws {
        let path = try make("plain.db", nil)
        let context = try SQLContext(path: directory("main.db"), configuration: .plus)
        try context.attach(path: path, as: "b", key: nil)
        try context.exec(sql: "VACUUM b INTO '\(directory("copy.db"))'")
        #expect(try isPlain(directory("copy.db")))
    }

    @Test(
        "ATTACH with KEY is refused after anything that SQLite treats as white space",
        arguments: ["\u{FEFF}", " \u{0B}", "\n\u{0C}", ";;\u{FEFF} "])
    func blanks(start: String) throws {
        let context = try SQLContext(path: directory("main.db"), configuration: .plus)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "\(start)ATTACH '\(directory("b.db"))' AS b KEY 'secret'")
        }
        #expect(error?.code == .misuse)
        #expect(!FileManager.default.fileExists(atPath: directory("b.db")))
    }

    @Test(
        "a key that SQLite would ignore is refused in any spelling",
        arguments: [
            "pRagma KeY = 'secret'", "PRAGMA main . [rEKey] = 'secret'", "PRAGMA hexkey('73')",
            "aTTach '' AS b kEY 'secret'", "ATTACH '' AS key KEY/**/'secret'",
        ])
    func ignoredKey(sql: String) throws {
        let context = try SQLContext()
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(error?.code == .misuse)
        try context.exec(sql: "PRAGMA cache_size = 100; ATTACH '' AS monkey; ATTACH '' AS key")
    }

    @Test("the key of an attach applies only to the thread that attaches")
    func threads() async throws {
        let path = try make("enc.db", key)
        let isOver = Locked(false)
        let attaching = Task.detached { [directory, key] in
            defer { isOver.withLock { $0 = true } }
            for number in 0..<300 {
                let context = try SQLContext(
                    path: directory("\(number % 2).db"), configuration: .plus)
                try context.attach(path: path, as: "b", key: key)
                let count = try context.selectValue(sql: "SELECT count(*) FROM b.t")
                #expect(count == .long(1))
                try context.close()
            }
        }
        let others = Task.detached {
            var answers: [EncryptionError?: Int] = [:]
            repeat {
                let context = try SQLContext(path: path, configuration: .plus)
                do {
                    _ = try context.selectValue(sql: "SELECT count(*) FROM t")
                    answers[nil, default: 0] += 1
                } catch let error as SQLError {
                    answers[error.encryption, default: 0] += 1
                }
                try context.close()
            } while !isOver.withLock { $0 }
            return Array(answers.keys)
        }
        try await attaching.value
        #expect(try await others.value == [.keyRequired])
    }

    @Test("in place, a link is followed to its file", arguments: ["delete", "wal"])
    func link(mode: String) throws {
        let path = try make("real.db", nil)
        let context = try SQLContext(path: path)
        _ = try context.selectAll(sql: "PRAGMA journal_mode = \(mode)")
        try context.close()
        let link = directory("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try DatabaseEncryption.encrypt(path: link, key: key)
        #expect(try !isPlain(path))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        try DatabaseEncryption.decrypt(path: link, key: key)
        #expect(try isPlain(path))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(names.sorted() == ["link.db", "real.db"])
    }

    @Test("in place, a file with two hard links is refused and unchanged")
    func hardLink() throws {
        let path = try make("real.db", nil)
        try FileManager.default.linkItem(atPath: path, toPath: directory("other.db"))
        let error = #expect(throws: SQLError.self) {
            try DatabaseEncryption.encrypt(path: path, key: key)
        }
        #expect(error?.message.contains("2 names") == true)
        #expect(try isPlain(path) && isPlain(directory("other.db")))
    }

    @Test(
        "a connection without a WAL cannot write to the old file after its encryption",
        arguments: ["delete", "persist", "memory", "off"])
    func idle(mode: String) throws {
        let path = try make("a.db", nil)
        let other = try SQLContext(path: path)
        _ = try other.selectAll(sql: "PRAGMA journal_mode = \(mode)")
        #expect(try other.selectValue(sql: "SELECT count(*) FROM t") == .long(1))
        try DatabaseEncryption.encrypt(path: path, key: key)
        #expect(throws: SQLError.self) { try other.exec(sql: "INSERT INTO t VALUES (2)") }
        try other.close()
        let again = try SQLContext(path: path, configuration: .plus(key: key))
        #expect(try again.selectValue(sql: "SELECT group_concat(a) FROM t") == .text("a.db"))
    }
}
