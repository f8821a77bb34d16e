import SQLCore
import SQLTables
import Testing

/// A line of an order, with two columns that SQLite computes.
private struct Line: SQLCodable, Equatable {
    var id: Int64?
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true)
    var total: Int64?
    static let total = SQLColumn(
        name: "TOTAL", type: .long, generated: .stored("\(Self.price) * \(Self.count)"))
    var price: Int64?
    static let price = SQLColumn(name: "PRICE", type: .long)
    var count: Int64?
    static let count = SQLColumn(name: "COUNT", type: .long, defaultValue: .long(1))
    var label: String?
    static let label = SQLColumn(
        name: "LABEL", type: .text, generated: .virtual("'no. ' || \"ID\""))
    static let table = SQLTable(name: "LINE", columns: [id, total, price, count, label])

    init(
        id: Int64?, price: Int64?, count: Int64?, total: Int64? = nil, label: String? = nil
    ) {
        (self.id, self.price, self.count) = (id, price, count)
        (self.total, self.label) = (total, label)
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = Self.id.longValue(in: row)
        total = Self.total.longValue(in: row)
        price = Self.price.longValue(in: row)
        count = Self.count.longValue(in: row)
        label = Self.label.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.total] = SQLValue(total)
        row[Self.price] = SQLValue(price)
        row[Self.count] = SQLValue(count)
        row[Self.label] = SQLValue(label)
    }
}

@Suite(
    "ORM: generated columns",
    .enabled(if: SQLContext.versionNumber >= SQLiteFeature.generatedColumns.minimumVersion))
struct ORMGeneratedTests {
    private let context: SQLContext
    private let log: StatementLog

    init() throws {
        context = try SQLContext()
        try context.createTableIfNotExists(Line.self)
        log = try StatementLog(context)
    }

    @Test("the expression, and whether it is stored, are part of the declaration")
    func declaration() {
        #expect(
            Line.table.createTableSQL().map(\.literal) == [
                #"CREATE TABLE "LINE" ("ID" INTEGER PRIMARY KEY, "#
                    + #""TOTAL" INTEGER GENERATED ALWAYS AS ("PRICE" * "COUNT") STORED, "#
                    + #""PRICE" INTEGER, "COUNT" INTEGER DEFAULT 1, "#
                    + #""LABEL" TEXT GENERATED ALWAYS AS ('no. ' || "ID") VIRTUAL)"#
            ])
        #expect(Line.label != SQLColumn(name: "LABEL", type: .text))
    }

    @Test("they are left out of inserts, updates and upserts, whatever the instance holds")
    func writing() throws {
        let line = Line(id: 1, price: 5, count: 2, total: 99, label: "x")
        try context.insert(line)
        try context.insertAll([Line(id: 2, price: 1, count: nil, total: 99)])
        try context.update(line)
        try context.upsert(Line(id: 1, price: 7, count: nil, label: "x"))
        #expect(
            log.take().filter { !$0.hasPrefix("BEGIN") && $0 != "COMMIT" }.prefix(4) == [
                #"INSERT INTO "LINE" ("ID", "PRICE", "COUNT") VALUES (1, 5, 2)"#,
                #"INSERT INTO "LINE" ("ID", "PRICE") VALUES (2, 1)"#,
                #"UPDATE "LINE" SET "PRICE" = 5, "COUNT" = 2 WHERE "ID" = 1"#,
                #"INSERT INTO "LINE" ("ID", "PRICE") VALUES (1, 7) ON CONFLICT("ID") DO UPDATE "#
                    + #"SET "ID" = EXCLUDED."ID", "PRICE" = EXCLUDED."PRICE", "COUNT" = NULL"#,
            ])
    }

    @Test("they are read on fetch, in queries, and by refresh")
    func reading() throws {
        var line = try context.insert(Line(id: nil, price: 5, count: 2))
        #expect(line == Line(id: 1, price: 5, count: 2))
        let whole = Line(id: 1, price: 5, count: 2, total: 10, label: "no. 1")
        #expect(try context.fetch(Line.self, id: .long(1)) == whole)
        #expect(try context.fetchAll(Line.self, where: Line.total.equals(.long(10))) == [whole])
        #expect(try context.refresh(&line))
        #expect(line == whole)
        var other = Line(id: nil, price: 4, count: nil)
        try context.inserted(&other, refresh: true)
        #expect(other == Line(id: 2, price: 4, count: 1, total: 4, label: "no. 2"))
    }

    @Test("a virtual one is added to a table with rows, a stored one is rejected by SQLite")
    func adding() throws {
        try context.insert(Line(id: 1, price: 5, count: 2))
        let virtual = SQLColumn(name: "V", type: .long, generated: .virtual("\(Line.price) + 1"))
        #expect(
            Line.table.addColumnSQL(virtual).map(\.literal) == [
                #"ALTER TABLE "LINE" ADD COLUMN "V" INTEGER GENERATED ALWAYS AS ("PRICE" + 1) "#
                    + "VIRTUAL"
            ])
        #expect(try context.addColumnIfNotExists(virtual, to: Line.self))
        #expect(try !context.addColumnIfNotExists(virtual, to: Line.self))
        #expect(try context.selectValue(sql: "SELECT V FROM LINE") == .long(6))
        let stored = SQLColumn(name: "S", type: .long, generated: .stored("1"))
        let error = #expect(throws: SQLError.self) {
            try context.addColumnIfNotExists(stored, to: Line.self)
        }
        #expect(error?.message == "cannot add a STORED column")
        #expect(!context.isInTransaction)
    }
}
