import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("Encrypting and decrypting in place")
struct InPlaceTests {
    let directory: TemporaryDirectory
    let key = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory("a.db") }
    private var draft: String { UnfinishedEncryption.draftPath(path) }

    private func open(_ key: EncryptionKey?) throws -> SQLContext {
        try SQLContext(path: path, configuration: .plus(key: key))
    }

    private func make(_ key: EncryptionKey?, _ mode: String, before: String = "") throws {
        let context = try open(key)
        try context.exec(
            sql: """
                \(before); PRAGMA journal_mode = \(mode);
                CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                INSERT INTO t SELECT 2 * i, printf('%0300d', i) FROM n
                """)
        try context.close()
    }

    private func convert(from old: EncryptionKey?, to new: EncryptionKey?) throws {
        if let new { return try DatabaseEncryption.encrypt(path: path, key: new) }
        try DatabaseEncryption.decrypt(path: path, key: try #require(old))
    }

    private func expectWhole(
        _ key: EncryptionKey?, _ mode: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let context = try open(key)
        let found = try [
            "SELECT count(*) || ' ' || sum(i) || ' ' || sum(v) FROM t", "PRAGMA integrity_check",
            "PRAGMA journal_mode",
        ].map { try context.selectValue(sql: $0) }
        #expect(
            found == [.text("200 40200 20100"), .text("ok"), .text(mode)],
            sourceLocation: location)
        try context.close()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    private func permissions(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    private func setPermissions(_ path: String, _ permissions: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
    }

    @Test(
        "keep who may read the file, and leave nothing else beside it",
        arguments: [0o600, 0o640, 0o644, 0o664], ["delete", "wal"])
    func permissionBits(bits: Int, mode: String) throws {
        try make(nil, mode)
        try setPermissions(path, bits)
        for (old, new) in [(nil, key), (key, nil)] {
            try convert(from: old, to: new)
            #expect(try permissions(path) == bits)
            #expect(try names() == ["a.db"])
            try expectWhole(new, mode)
        }
    }

    @Test(
        "write the copy with permissions only for its owner",
        arguments: [false, true], ["delete", "wal"])
    func privateDraft(isEncrypted: Bool, mode: String) throws {
        let (old, new) = isEncrypted ? (key, nil) : (nil, key)
        try make(old, mode)
        try setPermissions(path, 0o644)
        var found: [Int] = []
        try DatabaseEncryption.rewrite(
            path: path, from: old, to: new,
            setUp: { _ in found.append(try permissions(draft)) },
            prepare: { _ in found.append(try permissions(draft)) })
        #expect(found == [0o600, 0o600])
        #expect(try permissions(path) == 0o644)
        try expectWhole(new, mode)
    }

    @Test("preserve the header", arguments: [1024, 4096, 65_536])
    func header(pageSize: Int) throws {
        // The layout of the pages is known after one was read.
        let settings: [(String, SQLValue)] = [
            ("PRAGMA user_version", .long(-7)), ("PRAGMA application_id", .long(1_234_567)),
            ("PRAGMA page_size", .long(Int64(pageSize))), ("PRAGMA encoding", .text("UTF-16be")),
            ("PRAGMA auto_vacuum", .long(2)),
        ]
        try make(
            nil, "wal",
            before: """
                PRAGMA page_size = \(pageSize); PRAGMA encoding = 'UTF-16be';
                PRAGMA auto_vacuum = 2; PRAGMA user_version = -7; PRAGMA application_id = 1234567
                """)
        for (old, new) in [(nil, key), (key, nil)] {
            try convert(from: old, to: new)
            let context = try open(new)
            for (sql, value) in settings {
                #expect(try context.selectValue(sql: sql) == value, "\(sql)")
            }
            try context.close()
            try expectWhole(new, "wal")
        }
    }

    @Test("include a WAL that a crash has left")
    func wal() throws {
        let context = try SQLContext(path: directory("open.db"))
        try context.exec(
            sql: """
                PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;
                CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                INSERT INTO t SELECT 2 * i, printf('%0300d', i) FROM n
                """)
        for suffix in ["", "-wal"] {
            try FileCopy.copy(directory("open.db") + suffix, path + suffix)
        }
        try context.close()
        try DatabaseEncryption.encrypt(path: path, key: key)
        #expect(try names() == ["a.db", "open.db"])
        try expectWhole(key, "wal")
    }

    @Test("leave no rollback journal beside the copy", arguments: [false, true])
    func staleJournal(isEncrypted: Bool) throws {
        let (old, new) = isEncrypted ? (key, nil) : (nil, key)
        try make(old, "persist")
        #expect(try names() == ["a.db", "a.db-journal"])
        try convert(from: old, to: new)
        #expect(try names() == ["a.db"])
        try expectWhole(new, "delete")
    }

    @Test(
        "are not prevented by the remains of an earlier attempt",
        arguments: ["delete", "wal"])
    func staleDraft(mode: String) throws {
        try make(nil, mode)
        for (old, new) in [(nil, key), (key, nil)] {
            for suffix in ["", "-journal", "-wal", "-shm"] {
                try FileCopy.write([UInt8](repeating: 7, count: 5000), draft + suffix)
            }
            try convert(from: old, to: new)
            #expect(try names() == ["a.db"])
            try expectWhole(new, mode)
        }
    }
}

// Refused, without changes.
extension InPlaceTests {
    @Test(
        "are refused while another connection reads, which can continue and write later",
        arguments: [false, true], ["delete", "wal"])
    func inUse(isEncrypted: Bool, mode: String) throws {
        let (old, new) = isEncrypted ? (key, nil) : (nil, key)
        try make(old, mode)
        let other = try open(old)
        let statement = try other.prepare(sql: "SELECT v FROM t ORDER BY i")
        #expect(try statement.next())
        let error = #expect(throws: SQLError.self) { try convert(from: old, to: new) }
        #expect(error?.code.primary == .busy, "\(String(describing: error))")
        var count = 1
        while try statement.next() { count += 1 }
        #expect(count == 200)
        statement.close()
        #expect(try other.selectValue(sql: "PRAGMA journal_mode") == .text(mode))
        try other.exec(sql: "INSERT INTO t VALUES (1, '7'); DELETE FROM t WHERE i = 1")
        #expect(!FileManager.default.fileExists(atPath: draft))
        try other.close()
        #expect(try names() == ["a.db"])
        try expectWhole(old, mode)
        try convert(from: old, to: new)
        try expectWhole(new, mode)
    }

    @Test("are refused while an idle connection has the WAL open")
    func logInUse() throws {
        try make(nil, "wal")
        let other = try open(nil)
        #expect(try other.selectValue(sql: "SELECT count(*) FROM t") == .long(200))
        let error = #expect(throws: SQLError.self) { try convert(from: nil, to: key) }
        #expect(error?.code.primary == .busy, "\(String(describing: error))")
        #expect(try names() == ["a.db", "a.db-shm", "a.db-wal"])
        try other.exec(sql: "INSERT INTO t VALUES (1, '7'); DELETE FROM t WHERE i = 1")
        try other.close()
        try expectWhole(nil, "wal")
    }

    @Test("do not touch a copy that another process may be writing")
    func draftOfAnother() throws {
        try make(nil, "delete")
        let other = try open(nil)
        try other.exec(sql: "BEGIN IMMEDIATE")
        try FileCopy.write([1, 2, 3], draft)
        #expect(throws: SQLError.self) { try convert(from: nil, to: key) }
        #expect(try FileCopy.bytes(draft) == [1, 2, 3])
        try other.exec(sql: "COMMIT")
        try other.close()
        try expectWhole(nil, "delete")
    }

    @Test("leave the file unchanged if the copy cannot be created", arguments: ["delete", "wal"])
    func draftInTheWay(mode: String) throws {
        try make(nil, mode)
        let bytes = try FileCopy.bytes(path)
        try FileManager.default.createDirectory(
            atPath: draft + "/inside", withIntermediateDirectories: true)
        let error = #expect(throws: SQLError.self) { try convert(from: nil, to: key) }
        #expect(error?.code.primary == .inputOutput)
        #expect(error?.message.contains("a.db-encryption") == true)
        try FileManager.default.removeItem(atPath: draft)
        #expect(try names() == ["a.db"])
        let isSame = try FileCopy.bytes(path) == bytes
        // The header states the WAL mode, which was switched off temporarily.
        #expect(isSame || mode == "wal")
        try expectWhole(nil, mode)
        try convert(from: nil, to: key)
        try expectWhole(key, mode)
    }

    private struct Stop: Error, Equatable {}

    @Test(
        "leave the file unchanged if they are cancelled", arguments: [false, true],
        ["delete", "wal"])
    func stopped(isEncrypted: Bool, mode: String) throws {
        let (old, new) = isEncrypted ? (key, nil) : (nil, key)
        try make(old, mode)
        for isEarly in [true, false] {
            #expect(throws: Stop()) {
                try DatabaseEncryption.rewrite(
                    path: path, from: old, to: new, setUp: { _ in if isEarly { throw Stop() } },
                    prepare: { _ in throw Stop() })
            }
            #expect(try names() == ["a.db"])
            try expectWhole(old, mode)
        }
    }

    @Test(
        "are refused for a wrong key or form, and leave no files",
        arguments: ["delete", "wal"])
    func wrongKey(mode: String) throws {
        try make(nil, mode)
        #expect(throws: SQLError.self) { try DatabaseEncryption.decrypt(path: path, key: key) }
        #expect(try names() == ["a.db"])
        try convert(from: nil, to: key)
        let wrong = EncryptionKey.random()
        #expect(throws: SQLError.self) { try DatabaseEncryption.decrypt(path: path, key: wrong) }
        #expect(throws: SQLError.self) { try DatabaseEncryption.encrypt(path: path, key: wrong) }
        #expect(try names() == ["a.db"])
        try expectWhole(key, mode)
    }

    @Test("do not create a missing file")
    func noFile() throws {
        let error = #expect(throws: SQLError.self) { try convert(from: nil, to: key) }
        #expect(error?.code.primary == .cannotOpen)
        #expect(try names() == [])
    }

    @Test(
        "fail if the directory cannot be written, and leave the file unchanged",
        .enabled(if: getuid() != 0, "root may write everywhere"), arguments: ["delete", "wal"])
    func readOnlyDirectory(mode: String) throws {
        try make(nil, mode)
        try setPermissions(directory.path, 0o555)
        let error = #expect(throws: SQLError.self) { try convert(from: nil, to: key) }
        try setPermissions(directory.path, 0o755)
        let primary = try #require(error?.code.primary)
        #expect([.inputOutput, .cannotOpen, .readOnly].contains(primary), "\(primary)")
        #expect(try names() == ["a.db"])
        try expectWhole(nil, mode)
    }
}

// The remains of a crash.
extension InPlaceTests {
    /// The files after a crash: those that exist while the copy is being written.
    private func crash(from old: EncryptionKey?, to new: EncryptionKey?) throws {
        try DatabaseEncryption.rewrite(
            path: path, from: old, to: new,
            prepare: { _ in
                for name in try names() {
                    try FileCopy.copy(directory(name), directory("left-" + name))
                }
            })
        for name in try names() where !name.hasPrefix("left-") {
            try FileManager.default.removeItem(atPath: directory(name))
        }
        for name in try names() {
            try FileManager.default.moveItem(
                atPath: directory(name), toPath: directory(String(name.dropFirst(5))))
        }
    }

    @Test("after a crash the file is unchanged, and returns to WAL mode", arguments: [false, true])
    func leftovers(isEncrypted: Bool) throws {
        let (old, new) = isEncrypted ? (key, nil) : (nil, key)
        try make(old, "wal")
        try crash(from: old, to: new)
        #expect(try names() == ["a.db", "a.db-encryption"])
        try expectWhole(old, "delete")
        let context = try open(old)
        try UnfinishedEncryption.removeLeftovers(of: path, context)
        #expect(try context.selectValue(sql: "PRAGMA journal_mode") == .text("wal"))
        #expect(!FileManager.default.fileExists(atPath: draft))
        try context.close()
        #expect(try names() == ["a.db"])
        try expectWhole(old, "wal")
    }

    @Test("without a copy beside it the journal mode of a file is unchanged")
    func noLeftovers() throws {
        try make(key, "delete")
        let context = try open(key)
        try UnfinishedEncryption.removeLeftovers(of: path, context)
        try context.close()
        try expectWhole(key, "delete")
    }
}
