import Foundation
import SQLCore
import StoreTestSupport
import Testing

/// The code of the articles in SQLCore.docc about connections, between lines that name the article.
/// It is compiled and run here; `DocumentationTests` compares it with the articles.
@Suite("Documentation: connections")
struct ConnectionSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test("The start page")
    func startPage() throws {
        let path = directory("people.sqlite")
        // snippet begins: SQLCore
        let context = try SQLContext(path: path)
        defer { try? context.close() }

        try context.exec(sql: "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)")
        try context.exec(sql: "INSERT INTO person (name) VALUES (?)", parameters: [.text("Ada")])
        let rows = try context.selectAll(sql: "SELECT id, name FROM person")
        // snippet ends
        #expect(rows == [[.long(1), .text("Ada")]])
    }

    @Test("Opening a database")
    func opening() throws {
        let path = directory("a b.sqlite")
        let url = URL(filePath: path)
        // snippet begins: OpeningADatabase
        let file = try SQLContext(path: url)
        let memory = try SQLContext()
        // snippet ends
        #expect(FileManager.default.fileExists(atPath: path))
        try memory.exec(sql: "CREATE TABLE t (a)")
        try file.exec(sql: "CREATE TABLE t (a)")
        try file.close()
        // snippet begins: OpeningADatabase
        let reader = try SQLContext(path: url, flags: .readOnly)
        let shared = try SQLContext(
            path: "file:notes?mode=memory&cache=shared", flags: [.readWrite, .uri])
        // snippet ends
        #expect(reader.isReadOnly)
        try shared.exec(sql: "CREATE TABLE t (a)")
        // snippet begins: OpeningADatabase
        let careful = SQLiteConfiguration.custom { context in
            try context.setBusyTimeout(milliseconds: 2000)
            try context.setPragma("journal_mode", to: .text("wal"))
            context.foreignKeysEnabled = true
        }
        let context = try SQLContext(path: url, configuration: careful)
        // snippet ends
        #expect(try context.pragma("journal_mode") == .text("wal"))
        #expect(context.foreignKeysEnabled)
        // snippet begins: OpeningADatabase
        let pages = try context.pragma("page_count")?.longValue
        let statement = try context.prepare(sql: "SELECT a FROM t")
        do {
            try context.close()
        } catch let error as SQLError where .busy ~= error.code {
            statement.close()
            try context.close()
        }
        // snippet ends
        #expect(pages == 2)
        #expect(context.isClosed)
    }

    @Test("Statements and values")
    func statements() throws {
        let context = try SQLContext()
        // snippet begins: StatementsAndValues
        try context.exec(
            sql: """
                CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT, weight REAL, sound BLOB);
                CREATE INDEX word_by_word ON word (word);
                """)
        try context.exec(
            sql: "INSERT INTO word (word, weight) VALUES (?, ?)",
            parameters: [.text("moon"), .real(0.25)])
        let count = try context.selectValue(sql: "SELECT count(*) FROM word")
        let rows = try context.selectAll(sql: "SELECT word, weight, sound FROM word")
        // snippet ends
        #expect(count == .long(1))
        #expect(rows == [[.text("moon"), .real(0.25), .null]])
        // snippet begins: StatementsAndValues
        let insert = try context.prepare(sql: "INSERT INTO word (word, weight) VALUES (?, ?)")
        try context.transaction {
            for (number, word) in ["sun", "star", "sky"].enumerated() {
                try insert.update(parameters: [.text(word), .real(Double(number))])
            }
        }
        insert.close()
        // snippet ends
        var found: [String] = []
        // snippet begins: StatementsAndValues
        let heavy = try context.prepare(
            sql: "SELECT word, weight FROM word WHERE weight > :least ORDER BY id")
        try heavy.bind(.real(0.5), named: "least")
        while try heavy.next() {
            if let word = heavy.text(at: 0) { found.append("\(word) \(heavy.real(at: 1))") }
        }
        // snippet ends
        #expect(found == ["star 1.0", "sky 2.0"])
        // snippet begins: StatementsAndValues
        let last = try context.withStatement(sql: "SELECT word FROM word WHERE id = ?") {
            statement in
            try statement.bind(4, at: 1)
            return try statement.next() ? statement.text(at: 0) : nil
        }
        // snippet ends
        #expect(last == "sky")
    }

    @Test("Transactions")
    func transactions() throws {
        let context = try SQLContext()
        try context.exec(
            sql: """
                CREATE TABLE account (name TEXT PRIMARY KEY, amount INTEGER CHECK (amount >= 0));
                INSERT INTO account VALUES ('Ada', 100), ('Bob', 0);
                """)
        func amounts() throws -> [[SQLValue]] {
            try context.selectAll(sql: "SELECT amount FROM account ORDER BY name")
        }
        // snippet begins: Transactions
        let left = try context.transaction(.immediate) {
            try context.exec(sql: "UPDATE account SET amount = amount - 30 WHERE name = 'Ada'")
            try context.exec(sql: "UPDATE account SET amount = amount + 30 WHERE name = 'Bob'")
            return try context.selectValue(sql: "SELECT amount FROM account WHERE name = 'Ada'")
        }
        // snippet ends
        #expect(left == .long(70))
        // snippet begins: Transactions
        try context.transaction {
            try context.exec(sql: "UPDATE account SET amount = amount + 5")
            try? context.transaction {
                try context.exec(sql: "UPDATE account SET amount = amount - 50 WHERE name = 'Ada'")
                try context.exec(sql: "UPDATE account SET amount = amount - 50 WHERE name = 'Bob'")
            }
        }
        // snippet ends
        #expect(try amounts() == [[.long(75)], [.long(35)]])
        var changed: [String] = []
        // snippet begins: Transactions
        let hook = try context.onUpdate { change in
            changed.append("\(change.table) \(change.rowID)")
        }
        try context.exec(sql: "UPDATE account SET amount = 0 WHERE name = 'Bob'")
        hook?.remove()
        // snippet ends
        #expect(changed == ["account 2"])
        #expect(try amounts() == [[.long(75)], [.long(0)]])
    }

    @Test("Copies and backup")
    func copies() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let copyPath = directory("copy.sqlite")
        var shares: [Double] = []
        // snippet begins: CopiesAndBackup
        let copy = try SQLContext(path: copyPath)
        let isComplete = try context.backup(to: copy, pages: 1) { progress in
            shares.append(1 - Double(progress.remaining) / Double(progress.total))
            return true
        }
        // snippet ends
        #expect(isComplete)
        #expect(shares.first == 0.5)
        #expect(try copy.selectValue(sql: "SELECT sum(a) FROM t") == .long(3))
        // snippet begins: CopiesAndBackup
        let bytes = try context.serialize()
        let other = try SQLContext()
        try other.deserialize(bytes)
        // snippet ends
        #expect(try other.selectValue(sql: "SELECT sum(a) FROM t") == .long(3))
        // snippet begins: CopiesAndBackup
        try other.attach(path: copyPath, as: "old")
        try other.exec(sql: "INSERT INTO main.t SELECT a + 10 FROM old.t")
        try other.detach("old")
        // snippet ends
        #expect(try other.selectValue(sql: "SELECT sum(a) FROM t") == .long(26))
    }

    @Test("Errors")
    func errors() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE person (mail TEXT UNIQUE)")
        try context.exec(sql: "INSERT INTO person VALUES ('ada@example.org')")
        var isTaken = false
        var line = ""
        // snippet begins: Errors
        do {
            try context.exec(sql: "INSERT INTO person VALUES ('ada@example.org')")
        } catch let error as SQLError where .constraint ~= error.code {
            isTaken = true
            line = error.description
        }
        // snippet ends
        #expect(isTaken)
        #expect(
            line == "UNIQUE constraint failed: person.mail (SQLite 2067), "
                + "in: INSERT INTO person VALUES (?)")
        var place: Int?
        // snippet begins: Errors
        do {
            try context.exec(sql: "SELECT mail FROM person; SELECT male FROM person")
        } catch let error as SQLError {
            place = error.offset
        }
        // snippet ends
        #expect(place == (SQLContext.versionNumber >= 3_038_000 ? 32 : nil))
        var refusal = ""
        // snippet begins: Errors
        let statement = try context.prepare(sql: "SELECT * FROM person WHERE mail = ?")
        do {
            _ = try statement.next()
        } catch let error as SQLError where .range ~= error.code {
            refusal = error.message
        }
        // snippet ends
        #expect(refusal == "parameter 1 is not bound")
    }
}
