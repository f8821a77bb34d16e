import Foundation
import SQLCore
import SQLTables
import Testing

/// The code of the articles in SQLTables.docc about tables that are types of Swift.
@Suite("Documentation: tables and queries")
struct TableSnippets {
    // snippet begins: TablesAsTypes
    struct Author: SQLCodable, Equatable {
        var id: Int64
        static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)

        var name: String
        static let name = SQLColumn(name: "NAME", type: .text, unique: true, nullable: false)

        var born: Date?
        static let born = SQLColumn(name: "BORN", type: .text)

        static let table = SQLTable(name: "AUTHOR", columns: [id, name, born])

        init(id: Int64 = 0, name: String, born: Date? = nil) {
            self.id = id
            self.name = name
            self.born = born
        }

        init(row: SQLRow, context: SQLContext) throws {
            id = try Self.id.longValueRequired(in: row)
            name = try Self.name.textValueRequired(in: row)
            born = Self.born.dateValue(in: row)
        }

        func encode(row: inout SQLRow) throws {
            row[Self.id] = SQLValue(id)
            row[Self.name] = SQLValue(name)
            row[Self.born] = SQLValue(born, as: .text)
        }
    }
    // snippet ends

    // snippet begins: QueriesAndJoins
    struct Book: SQLCodable, Equatable {
        var id: Int64
        static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)

        var title: String
        static let title = SQLColumn(name: "TITLE", type: .text, nullable: false)

        var pages: Int64?
        static let pages = SQLColumn(name: "PAGES", type: .long)

        var authorID: Int64?
        static let authorID = SQLColumn(
            name: "AUTHOR_ID", type: .long,
            references: SQLForeignKey(table: Author.table, column: Author.id, onDelete: .cascade))

        static let table = SQLTable(name: "BOOK", columns: [id, title, pages, authorID])

        init(title: String, pages: Int64? = nil, authorID: Int64? = nil) {
            self.id = 0
            self.title = title
            self.pages = pages
            self.authorID = authorID
        }

        init(row: SQLRow, context: SQLContext) throws {
            id = try Self.id.longValueRequired(in: row)
            title = try Self.title.textValueRequired(in: row)
            pages = Self.pages.longValue(in: row)
            authorID = Self.authorID.longValue(in: row)
        }

        func encode(row: inout SQLRow) throws {
            row[Self.id] = SQLValue(id)
            row[Self.title] = SQLValue(title)
            row[Self.pages] = SQLValue(pages)
            row[Self.authorID] = SQLValue(authorID)
        }
    }
    // snippet ends

    @Test("Tables as types")
    func tables() throws {
        let context = try SQLContext()
        // snippet begins: TablesAsTypes
        try context.createTableIfNotExists(Author.self)
        var ada = try context.insert(Author(name: "Ada"))
        ada.born = Date(timeIntervalSince1970: -4_861_728_000)
        try context.update(ada)
        let again = try context.fetch(Author.self, id: SQLValue(ada.id))
        // snippet ends
        #expect(ada.id == 1)
        #expect(again == ada)
        #expect(
            try context.selectValue(sql: "SELECT BORN FROM AUTHOR")
                == .text("1815-12-10T00:00:00.000000Z"))
        // snippet begins: TablesAsTypes
        try context.insertAll([Author(name: "Bob"), Author(name: "Cy")])
        try context.upsert(Author(id: 3, name: "Cyd"))
        try context.delete(instances: [ada])
        let removed = try context.delete(Author.self, where: Author.name.like(.text("B%")))
        // snippet ends
        #expect(removed == 1)
        #expect(try context.fetchAll(Author.self).map(\.name) == ["Cyd"])
        // snippet begins: TablesAsTypes
        let year = SQLColumn(name: "YEAR", type: .long, primaryKey: true)
        let place = SQLColumn(name: "PLACE", type: .text, primaryKey: true)
        let mail = SQLColumn(name: "MAIL", type: .text)
        let fair = SQLTable(
            name: "FAIR", columns: [year, place, mail],
            indexes: [
                SQLIndex(
                    name: "FAIR_MAIL", unique: true, on: SQLExpression("lower(\"MAIL\")"),
                    where: SQLExpression("\"MAIL\" IS NOT NULL"))
            ],
            checks: [SQLExpression("\"YEAR\" > 1900")], options: .withoutRowID)
        try context.createTableIfNotExists(fair)
        // snippet ends
        #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO FAIR VALUES (1899, 'Paris', NULL)")
        }
    }

    @Test("Rows by position")
    func positions() throws {
        // snippet begins: TablesAsTypes
        struct Word: SQLPositionalCodable {
            let text: String
            static let text = SQLColumn(name: "TEXT", type: .text, primaryKey: true)
            static let table = SQLTable(name: "WORD", columns: [text])

            init(text: String) { self.text = text }
            init(statement: SQLStatement) throws { text = statement.text(at: 0) ?? "" }
            init(row: SQLRow, context: SQLContext) throws {
                text = try Self.text.textValueRequired(in: row)
            }
            func encode(row: inout SQLRow) throws { row[Self.text] = SQLValue(text) }
        }
        // snippet ends
        let context = try SQLContext()
        try context.createTableIfNotExists(Word.self)
        try context.insertAll(["b", "a"].map(Word.init(text:)))
        #expect(try context.fetchAll(Word.self, orderBy: Word.text).map(\.text) == ["a", "b"])
    }

    @Test("Queries and joins")
    func queries() throws {
        let context = try SQLContext()
        try context.createTableIfNotExists(Author.self)
        try context.createTableIfNotExists(Book.self)
        let ada = try context.insert(Author(name: "Ada"))
        try context.insert(Author(name: "Bob"))
        try context.insert(Book(title: "Notes", pages: 60, authorID: ada.id))
        try context.insert(Book(title: "Letters", pages: 400, authorID: ada.id))
        try context.insert(Book(title: "Lost"))
        // snippet begins: QueriesAndJoins
        let long = try context.fetchAll(
            Book.self, where: Book.pages.greaterThan(.long(50)), orderBy: Book.title, limit: 10)
        let unread = try context.query(Book.self)
            .where(Book.pages.isNull().or(Book.title.like(.text("Let%"))))
            .orderBy(Book.id, order: .descending)
            .load()
        // snippet ends
        #expect(long.map(\.title) == ["Letters", "Notes"])
        #expect(unread.map(\.title) == ["Lost", "Letters"])
        // snippet begins: SQLTables
        let thick = try context.query(Book.self)
            .where(Book.pages.greaterThan(.long(100)))
            .orderBy(Book.title)
            .load()
        // snippet ends
        #expect(thick.map(\.title) == ["Letters"])
        // snippet begins: QueriesAndJoins
        let count = try context.count(Book.self, where: Book.authorID.equals(SQLValue(ada.id)))
        let pages = try context.sum(Book.self, column: Book.pages)
        let isThere = try context.exists(Book.self, where: Book.title.equals(.text("Notes")))
        // snippet ends
        #expect(count == 2 && pages == .long(460) && isThere)
        // snippet begins: QueriesAndJoins
        let pairs: [(Author?, Book?)] = try context.query(Author.self)
            .join(Book.self, kind: .left, on: Book.authorID)
            .orderBy(Book.title)
            .eval()
            .load()
        // snippet ends
        #expect(pairs.map { $0.0?.name } == ["Bob", "Ada", "Ada"])
        #expect(pairs.map { $0.1?.title } == [nil, "Letters", "Notes"])
        var titles: [String] = []
        // snippet begins: QueriesAndJoins
        for row in try context.query(Book.self).orderBy(Book.id).eval() {
            titles.append(try row.get().title)
        }
        // snippet ends
        #expect(titles == ["Notes", "Letters", "Lost"])
        let word = "' OR 1"
        // snippet begins: QueriesAndJoins
        let expression: SQLExpression =
            "SELECT \(Book.title) FROM BOOK WHERE \(Book.title) <> \(SQLValue(word)) ORDER BY 1"
        let found = try context.cursor(expression).load()
        // snippet ends
        #expect(found == [[.text("Letters")], [.text("Lost")], [.text("Notes")]])
        #expect(expression.bindings == [.text(word)])
    }
}
