import Foundation
import SQLCore
import SQLPlus
import SampleData
import StoreTestSupport
import Testing

/// A database file of three tables and about 60 pages, as bytes, and what is in it.
struct TamperedDatabase {
    static let pageSize = 4096

    let key: EncryptionKey
    let path: String
    /// The file as it was written.
    let bytes: [UInt8]

    /// Leaf and interior pages; a table without rowid; overflow pages.
    static let queries = [
        "SELECT count(*) || ' ' || sum(length(v || '')) FROM a",
        "SELECT count(*) || ' ' || sum(length(v || '')) FROM b",
        "SELECT count(*) || ' ' || sum(length(v || '')) FROM c",
    ]
    static let answers = ["200 60000", "300 75000", "5 80000"]

    init(_ path: String, key: EncryptionKey, journal: String = "delete") throws {
        self.key = key
        self.path = path
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        try context.exec(
            sql: """
                PRAGMA journal_mode = \(journal);
                CREATE TABLE a (i INTEGER PRIMARY KEY, v);
                CREATE TABLE b (i, v, PRIMARY KEY (i, v)) WITHOUT ROWID;
                CREATE TABLE c (i INTEGER PRIMARY KEY, v);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                INSERT INTO a SELECT i, printf('%0300d', i) FROM n WHERE i <= 200;
                INSERT INTO b WITH RECURSIVE n(i) AS
                    (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
                SELECT i, printf('%0250d', i) FROM n;
                INSERT INTO c SELECT i, printf('%016000d', i) FROM a WHERE i <= 5
                """)
        try context.close()
        bytes = try FileCopy.bytes(path)
    }

    var pageCount: Int { bytes.count / Self.pageSize }

    static func page(_ number: Int) -> Range<Int> {
        (number - 1) * pageSize..<number * pageSize
    }

    /// The outcome of each query with changed bytes in the file: a result, or the error.
    func outcomes(_ changed: [UInt8]) throws -> [Outcome] {
        try FileCopy.write(changed, path)
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        let found = Self.queries.map { sql in
            Outcome { try context.selectValue(sql: sql)?.textValue ?? "nil" }
        }
        try context.close()
        return found
    }

    func integrity(_ changed: [UInt8]) throws -> Outcome {
        try FileCopy.write(changed, path)
        let context = try SQLContext(path: path, configuration: .plus(key: key))
        return Outcome {
            try context.selectAll(sql: "PRAGMA integrity_check").map { $0[0].textValue ?? "" }
                .joined(separator: "\n")
        }
    }
}

/// The result of a statement, or its error.
enum Outcome: Equatable, CustomStringConvertible {
    case text(String)
    case failed(SQLResultCode, EncryptionError?)
    case other(String)

    init(_ body: () throws -> String) {
        do {
            self = .text(try body())
        } catch let error as SQLError {
            self = .failed(error.code.primary, error.encryption)
        } catch {
            self = .other("\(error)")
        }
    }

    static func tampered(_ page: Int) -> Outcome { .failed(.corrupt, .tampered(page: page)) }
    static let notADatabase = Outcome.failed(.notADatabase, .wrongKeyOrNotADatabase)

    var description: String {
        switch self {
        case .text(let text): text
        case .failed(let code, let error): "\(code.rawValue) \(String(describing: error))"
        case .other(let text): text
        }
    }
}

extension SeededGenerator {
    /// Starts with the seed of the environment variable `STORE_SEED`, or with a fixed one.
    init(for test: String) {
        let seed = UInt64(TestEnvironment.number("STORE_SEED", or: 20_261_123))
        print("\(test): STORE_SEED=\(seed)")
        self.init(seed: seed)
    }
}

@Suite("Files that were tampered with")
struct TamperTests {
    let directory: TemporaryDirectory
    let database: TamperedDatabase

    init() throws {
        directory = try TemporaryDirectory()
        database = try TamperedDatabase(directory("a.db"), key: .random())
    }

    private typealias Database = TamperedDatabase

    /// One of the queries reports the wrong page, the others return the correct result.
    private func expectTampered(
        _ page: Int, _ changed: [UInt8], _ comment: Comment,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try database.outcomes(changed)
        if page == 1 {
            let all = [Outcome](repeating: .notADatabase, count: 3)
            #expect(found == all, comment, sourceLocation: location)
            return
        }
        let failed = found.indices.filter { found[$0] == .tampered(page) }
        #expect(failed.count == 1, "\(comment): \(found)", sourceLocation: location)
        for place in found.indices where !failed.contains(place) {
            #expect(
                found[place] == .text(Database.answers[place]), comment, sourceLocation: location)
        }
    }

    @Test("unchanged bytes are read as they were written")
    func unchanged() throws {
        #expect(database.pageCount > 50)
        #expect(try database.outcomes(database.bytes) == Database.answers.map(Outcome.text))
        #expect(try database.integrity(database.bytes) == .text("ok"))
    }

    @Test("each of 1,000 flipped bits is detected where its page is read")
    func flippedBits() throws {
        var random = SeededGenerator(for: "flipped bits")
        let size = Database.pageSize
        // Ciphertext, IV, code; of the first page the salt, too.
        let areas = [16..<size - 80, size - 80..<size - 64, size - 64..<size, 0..<16]
        for number in 0..<1000 {
            let page = number % database.pageCount + 1
            let area = areas[number / database.pageCount % areas.count]
            let place = Database.page(page).lowerBound + area.lowerBound + random.below(area.count)
            var changed = database.bytes
            changed[place] ^= 1 << random.below(8)
            try expectTampered(page, changed, "page \(page), byte \(place)")
        }
    }

    @Test("swapped pages are detected, including the first one")
    func swappedPages() throws {
        var random = SeededGenerator(for: "swapped pages")
        for number in 0..<60 {
            let first = number == 0 ? 1 : 2 + random.below(database.pageCount - 1)
            let second = 2 + random.below(database.pageCount - 1)
            guard first != second else { continue }
            var changed = database.bytes
            let bytes = database.bytes
            changed.replaceSubrange(Database.page(first), with: bytes[Database.page(second)])
            changed.replaceSubrange(Database.page(second), with: bytes[Database.page(first)])
            let found = try database.outcomes(changed)
            guard first > 1 else {
                #expect(found == [.notADatabase, .notADatabase, .notADatabase])
                continue
            }
            let failed = found.filter { $0 == .tampered(first) || $0 == .tampered(second) }
            #expect(failed.count == 1 || failed.count == 2, "\(first), \(second): \(found)")
            for (place, outcome) in found.enumerated() where !failed.contains(outcome) {
                #expect(outcome == .text(Database.answers[place]))
            }
        }
    }

    @Test("a page of another file with the same key is detected, unless the salts are equal")
    func pagesOfOthers() throws {
        let raw = (0..<32).map { UInt8($0) }
        let first = try TamperedDatabase(directory("1.db"), key: EncryptionKey(raw: raw))
        let second = try TamperedDatabase(directory("2.db"), key: EncryptionKey(raw: raw))
        for page in 1...first.pageCount {
            var changed = first.bytes
            changed.replaceSubrange(Database.page(page), with: second.bytes[Database.page(page)])
            let found = try first.outcomes(changed)
            if page == 1 {
                // The salt is part of it: the schema can be read, but no other page.
                for outcome in found {
                    guard case .failed(.corrupt, .tampered) = outcome else {
                        Issue.record("\(outcome)")
                        continue
                    }
                }
            } else {
                #expect(found.filter { $0 == .tampered(page) }.count == 1)
            }
        }
        let salted = raw + [UInt8](repeating: 5, count: 16)
        let third = try TamperedDatabase(directory("3.db"), key: EncryptionKey(raw: salted))
        let fourth = try TamperedDatabase(directory("4.db"), key: EncryptionKey(raw: salted))
        var changed = third.bytes
        changed.replaceSubrange(Database.page(9), with: fourth.bytes[Database.page(9)])
        #expect(try third.outcomes(changed) == Database.answers.map(Outcome.text))
        changed.replaceSubrange(Database.page(9), with: fourth.bytes[Database.page(10)])
        #expect(try third.outcomes(changed).filter { $0 == .tampered(9) }.count == 1)
    }

    @Test("an older version of a page is not detected, as in SQLCipher")
    func olderPage() throws {
        let old = database.bytes
        let context = try SQLContext(path: database.path, configuration: .plus(key: database.key))
        try context.exec(sql: "UPDATE a SET v = printf('%0300d', 7) WHERE i = 100")
        try context.close()
        let new = try FileCopy.bytes(database.path)
        let changedPages = (1...database.pageCount).filter {
            old[Database.page($0)] != new[Database.page($0)]
        }
        #expect(changedPages.count == 2 && changedPages.first == 1)
        var mixed = new
        for page in changedPages where page > 1 {
            mixed.replaceSubrange(Database.page(page), with: old[Database.page(page)])
        }
        #expect(try database.integrity(mixed) == .text("ok"))
        let again = try SQLContext(path: database.path, configuration: .plus(key: database.key))
        let value = try again.selectValue(sql: "SELECT v + 0 FROM a WHERE i = 100")
        #expect(value == .long(100))
        try again.close()
    }
}

// Missing and additional pages.
extension TamperTests {
    @Test(
        "a file that ends within its first page is not a database",
        arguments: [
            2, 15, 16, 17, 99, 100, 511, 1023, 1024, 1025, 2048, 4000, 4015, 4016, 4095,
        ])
    func cutInFirstPage(length: Int) throws {
        let found = try database.outcomes(Array(database.bytes.prefix(length)))
        #expect(found == [.notADatabase, .notADatabase, .notADatabase])
    }

    @Test("a file that ends within its last page fails where that page is read")
    func cutInLastPage() throws {
        let (size, whole) = (Database.pageSize, database.bytes.count)
        for missing in [1, 63, 64, 65, 79, 80, 81, size / 2, size - 16, size - 1] {
            let found = try database.outcomes(Array(database.bytes.prefix(whole - missing)))
            let error = Outcome.failed(
                .corrupt, .truncated(bytes: whole - missing, pageSize: size))
            #expect(found.filter { $0 == error }.count == 1, "\(missing): \(found)")
            for (place, outcome) in found.enumerated() where outcome != error {
                #expect(outcome == .text(Database.answers[place]), "\(missing)")
            }
        }
    }

    @Test("a file that lacks pages is corrupt; if it ends within one, that is why")
    func cutPages() throws {
        let size = Database.pageSize
        for pages in [1, 2, 30, database.pageCount - 1] {
            for rest in [0, 1, size / 2, size - 1] where pages < database.pageCount - 1 || rest == 0
            {
                let found = try database.outcomes(
                    Array(database.bytes.prefix(pages * size + rest)))
                let length = pages * size + rest
                let error = Outcome.failed(
                    .corrupt, rest == 0 ? nil : .truncated(bytes: length, pageSize: size))
                #expect(found == [error, error, error], "\(pages) pages and \(rest) bytes")
            }
        }
    }

    @Test(
        "a file that was emptied, or to one byte, which SQLite takes for empty, is a new database",
        arguments: [0, 1])
    func emptied(length: Int) throws {
        try FileCopy.write(Array(database.bytes.prefix(length)), database.path)
        let context = try SQLContext(path: database.path, configuration: .plus(key: database.key))
        #expect(try context.selectValue(sql: "SELECT count(*) FROM sqlite_master") == .long(0))
        try context.exec(sql: "CREATE TABLE again (a)")
        try context.close()
        #expect(!(try FileCopy.bytes(database.path).starts(with: "SQLite".utf8)))
    }

    @Test("a page of zeros is an error wherever it is read, and never rows of zeros")
    func zeroedPages() throws {
        for page in 1...database.pageCount {
            var changed = database.bytes
            let zeros = [UInt8](repeating: 0, count: Database.pageSize)
            changed.replaceSubrange(Database.page(page), with: zeros)
            let found = try database.outcomes(changed)
            guard page > 1 else {
                #expect(found == [.notADatabase, .notADatabase, .notADatabase])
                continue
            }
            let failed = found.indices.filter {
                if case .failed(.corrupt, _) = found[$0] { true } else { false }
            }
            #expect(failed.count == 1, "page \(page): \(found)")
            for place in found.indices where !failed.contains(place) {
                #expect(found[place] == .text(Database.answers[place]), "page \(page)")
            }
        }
    }

    @Test(
        "appended bytes are not read, and overwritten when the database grows",
        arguments: [
            1, 16, 4095, 4096, 4097, 3 * 4096, 100_000,
        ])
    func appended(count: Int) throws {
        var random = SeededGenerator(for: "appended bytes")
        let garbage = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let longer = database.bytes + garbage
        #expect(try database.outcomes(longer) == Database.answers.map(Outcome.text))
        #expect(try database.integrity(longer) == .text("ok"))
        let context = try SQLContext(path: database.path, configuration: .plus(key: database.key))
        try context.exec(sql: "INSERT INTO c SELECT i, printf('%020000d', i) FROM a WHERE i > 190")
        #expect(try context.selectValue(sql: Database.queries[2]) == .text("15 280000"))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        try context.close()
    }
}
