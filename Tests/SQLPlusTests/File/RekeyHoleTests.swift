import Foundation
import SQLCore
import SQLPlus
import StoreTestSupport
import Testing

@Suite("Changing the key of damaged and unusual files")
struct RekeyHoleTests {
    let directory: TemporaryDirectory
    let old = EncryptionKey.random()
    let new = EncryptionKey.random()

    init() throws { directory = try TemporaryDirectory() }

    private static let pageSize = TamperedDatabase.pageSize
    private static let zeros = [UInt8](repeating: 0, count: pageSize)

    private func open(_ path: String, _ key: EncryptionKey) throws -> SQLContext {
        try SQLContext(path: path, configuration: .plus(key: key))
    }

    /// The plaintext of a file, for a reader with the key.
    private func error(_ path: String, _ key: EncryptionKey) throws -> EncryptionError? {
        let context = try open(path, key)
        defer { try? context.close() }
        do {
            _ = try context.selectValue(sql: "SELECT count(*) FROM sqlite_master")
            return nil
        } catch let error as SQLError {
            return error.encryption
        }
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }

    // The pages of a file.

    private static func page(_ number: Int, of bytes: [UInt8]) -> [UInt8] {
        Array(bytes[TamperedDatabase.page(number)])
    }

    private static func numbers(_ bytes: [UInt8]) -> ClosedRange<Int> {
        1...bytes.count / pageSize
    }

    private static func zeroPages(_ bytes: [UInt8]) -> [Int] {
        numbers(bytes).filter { page($0, of: bytes) == zeros }
    }

    /// The pages that cannot be authenticated with a key.
    private static func foreignPages(_ bytes: [UInt8], _ key: EncryptionKey) throws -> [Int] {
        let reader = try key.pageReader(salt: Array(bytes.prefix(16)))
        return numbers(bytes).filter { !reader.isAuthentic(page($0, of: bytes), number: $0) }
    }

    /// The leaf pages of the freelist, which SQLite does not read and need not have written.
    private static func freeLeaves(_ bytes: [UInt8], _ key: EncryptionKey) throws -> [Int] {
        let reader = try key.pageReader(salt: Array(bytes.prefix(16)))
        var trunk = Int(try #require(reader.open(page(1, of: bytes), number: 1)).word(32))
        var leaves: [Int] = []
        while trunk > 0 {
            let plain = try #require(reader.open(page(trunk, of: bytes), number: trunk))
            leaves += (0..<Int(plain.word(4))).map { Int(plain.word(8 + 4 * $0)) }
            trunk = Int(plain.word(0))
        }
        return leaves.sorted()
    }

    /// Creates a database with 50 free pages of zeros among its others, as SQLCipher leaves them.
    private func makeWithHoles(_ mode: String = "delete") throws -> (path: String, holes: [Int]) {
        let path = directory("a.db")
        let context = try open(path, old)
        try context.exec(
            sql: """
                PRAGMA journal_mode = \(mode);
                CREATE TABLE u (v); CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
                INSERT INTO u SELECT printf('%02000d', i) FROM n;
                INSERT INTO t SELECT rowid, printf('%0400d', rowid) FROM u;
                DROP TABLE u
                """)
        try context.close()
        var bytes = try FileCopy.bytes(path)
        let holes = try Self.freeLeaves(bytes, old)
        for hole in holes {
            bytes.replaceSubrange(TamperedDatabase.page(hole), with: Self.zeros)
        }
        try FileCopy.write(bytes, path)
        return (path, holes)
    }

    private static let rows = "SELECT count(*) || ' ' || sum(length(v)) || ' ' || sum(v) FROM t"

    @Test(
        "free pages of zeros remain so, all others get the new key, and the data is intact",
        arguments: ["delete", "wal"])
    func holes(mode: String) throws {
        let (path, holes) = try makeWithHoles(mode)
        #expect(holes.count == 50, "\(holes)")
        let context = try open(path, old)
        try context.rekey(new)
        #expect(try context.selectValue(sql: Self.rows) == .text("50 20000 1275"))
        #expect(try context.selectValue(sql: "PRAGMA journal_mode") == .text(mode))
        try context.close()
        let bytes = try FileCopy.bytes(path)
        #expect(Self.zeroPages(bytes) == holes)
        #expect(try Self.foreignPages(bytes, new) == holes)
        #expect(try error(path, old) == .wrongKeyOrNotADatabase)
        let again = try open(path, new)
        #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        try again.exec(sql: "INSERT INTO t SELECT i + 50, printf('%02000d', i) FROM t")
        #expect(try again.selectValue(sql: Self.rows) == .text("100 120000 2550"))
        #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        try again.close()
    }

    @Test("pages that SQLite skips are written encrypted, and get the new key")
    func naturalHole() throws {
        for key in [nil, old] {
            let path = directory(key == nil ? "plain.db" : "a.db")
            let context = try SQLContext(path: path, configuration: .plus(key: key))
            // The pages of u are free before they are written; the page of t follows them.
            try context.exec(
                sql: """
                    PRAGMA secure_delete = off; BEGIN; CREATE TABLE u (v);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
                    INSERT INTO u SELECT printf('%03000d', i) FROM n;
                    CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                    DELETE FROM u; INSERT INTO t VALUES (1, 7);
                    COMMIT
                    """)
            if key != nil { try context.rekey(new) }
            #expect(try context.selectValue(sql: Self.rows) == .text("1 1 7"))
            try context.close()
        }
        #expect(Self.zeroPages(try FileCopy.bytes(directory("plain.db"))).count > 20)
        #expect(try Self.foreignPages(FileCopy.bytes(directory("a.db")), new) == [])
        #expect(try error(directory("a.db"), old) == .wrongKeyOrNotADatabase)
    }

    @Test("a page in use that was overwritten with zeros is an error with the new key, too")
    func zeroedPage() throws {
        let database = try TamperedDatabase(directory("a.db"), key: old)
        for page in [2, 9, database.pageCount] {
            var changed = database.bytes
            changed.replaceSubrange(TamperedDatabase.page(page), with: Self.zeros)
            try FileCopy.write(changed, database.path)
            let context = try open(database.path, old)
            try context.rekey(new)
            try context.close()
            let again = try open(database.path, new)
            let found = TamperedDatabase.queries.map { sql in
                Outcome { try again.selectValue(sql: sql)?.textValue ?? "nil" }
            }
            try again.close()
            #expect(found.count { $0 == .tampered(page) } == 1, "\(page): \(found)")
            for (place, outcome) in found.enumerated() where outcome != .tampered(page) {
                #expect(outcome == .text(TamperedDatabase.answers[place]))
            }
        }
    }
}

// Refused, without changes.
extension RekeyHoleTests {
    /// Rekeying is refused with the error; the file is unchanged, and has its old key.
    private func expectRefused(
        _ error: EncryptionError, _ changed: [UInt8], _ database: TamperedDatabase,
        byPragma: Bool = false
    ) throws {
        try FileCopy.write(changed, database.path)
        let context = try open(database.path, database.key)
        let thrown = #expect(throws: SQLError.self) {
            if byPragma {
                try context.exec(sql: "PRAGMA rekey = 'another one'")
            } else {
                try context.rekey(new)
            }
        }
        #expect(thrown?.encryption == error)
        // The connection continues to use the old key.
        let sum = "SELECT sum(length(v)) FROM c WHERE i = 1"
        if error != .wrongKeyOrNotADatabase {
            #expect(try context.selectValue(sql: sum) == .long(16_000))
        }
        try context.close()
        let isSame = try FileCopy.bytes(database.path) == changed
        #expect(isSame)
        #expect(try names() == ["a.db"])
        let again = try database.outcomes(changed)
        #expect(again.contains(.text(TamperedDatabase.answers[0])) || error.isOfFirstPage)
    }

    @Test(
        "a page that was tampered with stops it, and the file is unchanged",
        arguments: [9, 2000, 4025, 4095], [false, true])
    func tampered(place: Int, byPragma: Bool) throws {
        let database = try TamperedDatabase(directory("a.db"), key: old)
        // Pages of b, or the last one, of c: a can be read.
        for page in [30, 31, database.pageCount] {
            var changed = database.bytes
            changed[TamperedDatabase.page(page).lowerBound + place] ^= 1
            try expectRefused(.tampered(page: page), changed, database, byPragma: byPragma)
        }
        var changed = database.bytes
        changed[place + 16 - 16 * (place / 4025)] ^= 1
        try expectRefused(.wrongKeyOrNotADatabase, changed, database, byPragma: byPragma)
        // It succeeds after the page is restored.
        try FileCopy.write(database.bytes, database.path)
        let context = try open(database.path, old)
        try context.rekey(new)
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("in WAL mode a page that was tampered with stops it, too")
    func tamperedWithLog() throws {
        let database = try TamperedDatabase(directory("a.db"), key: old, journal: "wal")
        var changed = database.bytes
        changed[TamperedDatabase.page(40).lowerBound + 100] ^= 1
        try FileCopy.write(changed, database.path)
        let context = try open(database.path, old)
        let thrown = #expect(throws: SQLError.self) { try context.rekey(new) }
        #expect(thrown?.encryption == .tampered(page: 40))
        #expect(try context.selectValue(sql: "PRAGMA journal_mode") == .text("wal"))
        try context.close()
        // The first page states the WAL mode, which was switched off temporarily.
        let found = try FileCopy.bytes(database.path)
        let isSame = found[Self.pageSize...] == changed[Self.pageSize...]
        #expect(isSame)
        #expect(try names() == ["a.db"])
        #expect(try database.outcomes(found)[0] == .text(TamperedDatabase.answers[0]))
    }

    @Test("appended pages stop it, as a file that ends within a page does")
    func oddLengths() throws {
        let database = try TamperedDatabase(directory("a.db"), key: old)
        let (bytes, size) = (database.bytes, Self.pageSize)
        let noise = [UInt8](repeating: 7, count: size)
        try expectRefused(.tampered(page: database.pageCount + 1), bytes + noise, database)
        for difference in [-1, 1, 100, size - 1] {
            let changed = Array((bytes + noise).prefix(bytes.count + difference))
            try expectRefused(
                .truncated(bytes: changed.count, pageSize: size), changed, database)
        }
    }
}

// Existing journals, and disk failures.
extension RekeyHoleTests {
    @Test("an unused journal of journal_mode persist does not prevent it")
    func persistentJournal() throws {
        let database = try TamperedDatabase(directory("a.db"), key: old, journal: "persist")
        #expect(try names() == ["a.db", "a.db-journal"])
        let context = try open(database.path, old)
        try context.rekey(new)
        try context.close()
        #expect(try names() == ["a.db"])
        #expect(try Self.foreignPages(FileCopy.bytes(database.path), new) == [])
        let again = try open(database.path, new)
        #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("a journal that a crash has left is played back before the key changes")
    func hotJournal() throws {
        let context = try open(directory("open.db"), old)
        try context.exec(
            sql: """
                PRAGMA cache_size = 3; CREATE TABLE t (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
                INSERT INTO t SELECT i, printf('%0400d', i) FROM n;
                BEGIN; UPDATE t SET v = v || '0'
                """)
        for suffix in ["", "-journal"] {
            try FileCopy.copy(directory("open.db") + suffix, directory("a.db") + suffix)
        }
        try context.close()
        let left = try FileCopy.bytes(directory("a.db"))
        let isSame = try FileCopy.bytes(directory("open.db")) == left
        #expect(!isSame)
        let again = try open(directory("a.db"), old)
        try again.rekey(new)
        try again.close()
        let changed = try open(directory("a.db"), new)
        #expect(try changed.selectValue(sql: Self.rows) == .text("50 20000 1275"))
        #expect(try changed.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("a disk that fails in between leaves the pages of zeros, and one of the two keys")
    func faults() throws {
        let (path, holes) = try makeWithHoles()
        let vfs = try FaultVFS.registered()
        vfs.setSkipsSyncs(true)
        let template = try FileCopy.bytes(path)
        var kept = 0
        for point in 1...1000 {
            try FileCopy.write(template, path)
            let context = try SQLContext(
                path: path, configuration: .plus(key: old, over: vfs.name))
            vfs.resetCounts()
            vfs.fail(point: point, .once)
            try? context.rekey(new)
            let fault = vfs.fault
            vfs.heal()
            try context.close()
            guard let fault else { break }
            let errors = [try error(path, old), try error(path, new)]
            let key = errors[0] == nil ? old : new
            #expect(errors.filter { $0 == nil }.count == 1, "\(fault)")
            kept += errors[0] == nil ? 1 : 0
            let bytes = try FileCopy.bytes(path)
            #expect(try Self.foreignPages(bytes, key) == holes, "\(fault)")
            let again = try open(path, key)
            #expect(try again.selectValue(sql: Self.rows) == .text("50 20000 1275"), "\(fault)")
            #expect(try again.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
            try again.close()
        }
        // Each page is written twice.
        #expect(kept > 20)
    }
}

extension EncryptionError {
    fileprivate var isOfFirstPage: Bool { self == .wrongKeyOrNotADatabase }
}
