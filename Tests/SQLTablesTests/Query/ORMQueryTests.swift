import SQLCore
import SQLTables
import Testing

@Suite("Queries")
struct ORMQueryTests {
    private let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.createTableIfNotExists(Item.self)
        try context.insertAll((1...5).map { Item(id: $0, name: "n\($0 % 2)", price: Double($0)) })
    }

    @Test("conditions, orders, limit and offset are written in this order")
    func clauses() {
        let query = context.query(Item.self, alias: "i", schema: "main")
            .where(Item.id.greaterThan(.long(1))).where(Item.name.isNotNull())
            .orderBy(Item.name, .descending).orderBy(Item.id).limit(2, offset: 1)
        #expect(
            query.expression().literal
                == #"SELECT "i"."ID", "i"."NAME", "i"."PRICE", "i"."NOTE" "#
                + #"FROM "main"."ITEM" AS "i" WHERE ("i"."ID" > 1 AND "i"."NAME" IS NOT NULL) "#
                + #"ORDER BY "i"."NAME" DESC, "i"."ID" ASC LIMIT 2 OFFSET 1"#)
        let offset = context.query(Item.self).limit(nil, offset: 3)
        #expect(offset.expression().literal.hasSuffix(#"FROM "ITEM" LIMIT -1 OFFSET 3"#))
    }

    @Test("fetchAll filters, orders and limits")
    func fetchAll() throws {
        let found = try context.fetchAll(
            Item.self, where: Item.name.equals(.text("n1")), orderBy: Item.id, order: .descending,
            limit: 2, offset: 1)
        #expect(found.map(\.id) == [3, 1])
    }

    @Test("a cursor is a sequence of results, can be loaded in parts and closed")
    func cursor() throws {
        let query = context.query(Item.self).orderBy(Item.id)
        var ids: [Int] = []
        for row in try query.eval() { ids.append(try row.get().id) }
        #expect(ids == [1, 2, 3, 4, 5])
        let cursor = try query.eval()
        #expect(try cursor.load(count: 2).map(\.id) == [1, 2])
        #expect(try cursor.next()?.get().id == 3)
        cursor.close()
        #expect(cursor.next() == nil)
        try context.close()
    }

    @Test("a row that does not fit its type is an error that names the column")
    func misfit() throws {
        try context.exec(sql: "CREATE TABLE NUMBERS (N)")
        try context.exec(sql: "INSERT INTO NUMBERS VALUES (1), (NULL), ('x'), (4)")
        let results = Array(try context.query(Numbers.self).eval())
        #expect(results.map { try? $0.get().n } == [1, nil, nil, 4])
        #expect(throws: SQLBindingError.nullColumn(Numbers.n)) { try results[1].get() }
        #expect(throws: SQLBindingError.typeMismatch(Numbers.n)) { try results[2].get() }
        #expect(throws: SQLBindingError.nullColumn(Numbers.n)) {
            try context.fetchAll(Numbers.self)
        }
    }

    @Test("a compound key has a value for each of its columns")
    func compoundKey() throws {
        try context.createTableIfNotExists(Pair.self)
        try context.insertAll([Pair(a: 1, b: "x", text: "1x"), Pair(a: 1, b: "y", text: "1y")])
        #expect(try context.fetch(Pair.self, id: .long(1), .text("y"))?.text == "1y")
        #expect(try context.fetch(Pair.self, primaryKeys: [.long(2), .text("y")]) == nil)
        #expect(
            try context.primaryKeyQuery(Pair.self, primaryKeys: [.long(1), .text("x")])
                .expression().literal
                == #"SELECT "A", "B", "TEXT" FROM "PAIR" WHERE ("A" = 1 AND "B" = 'x')"#)
        let mismatch = SQLBindingError.columnValuesMismatch(columns: ["A", "B"], valueCount: 1)
        #expect(throws: mismatch) { try context.fetch(Pair.self, id: .long(1)) }
    }

    @Test("aggregates have SQLite's types, and are null for no rows")
    func aggregates() throws {
        #expect(try context.count(Item.self) == 5)
        #expect(try context.count(Item.self, where: Item.name.equals(.text("n1"))) == 3)
        #expect(try context.exists(Item.self, where: Item.id.equals(.long(5))))
        #expect(try !context.exists(Item.self, where: Item.id.equals(.long(6))))
        #expect(try context.sum(Item.self, column: Item.id) == .long(15))
        #expect(try context.sum(Item.self, column: Item.price) == .real(15))
        #expect(try context.avg(Item.self, column: Item.id) == .real(3))
        #expect(try context.min(Item.self, column: Item.name) == .text("n0"))
        #expect(try context.max(Item.self, column: Item.id, where: Item.name.isNull()) == .null)
        let names = try context.aggregate(
            Item.self, function: .count, column: Item.name, distinct: true)
        #expect(names == .long(2))
    }

    @Test("an initialiser may run the query that is reading it")
    func nested() throws {
        struct Chain: SQLCodable {
            static let table = Item.table
            let previous: Int?
            init(row: SQLRow, context: SQLContext) throws {
                let id = try Item.id.longValueRequired(in: row)
                previous = try context.fetch(Chain.self, id: .long(id - 1)).map {
                    ($0.previous ?? 0) + 1
                }
            }
            func encode(row: inout SQLRow) throws {}
        }
        #expect(try context.fetch(Chain.self, id: .long(5))?.previous == 4)
        #expect(try context.fetchAll(Chain.self).map(\.previous) == [nil, 1, 2, 3, 4])
    }

    @Test("a type may have a subset of the columns, and one that retains its row keeps its values")
    func keptRows() throws {
        struct Kept: SQLCodable {
            static let table = SQLTable(name: "ITEM", columns: [Item.name, Item.id])
            let row: SQLRow
            init(row: SQLRow, context: SQLContext) throws { self.row = row }
            func encode(row: inout SQLRow) throws {}
        }
        let rows = try context.fetchAll(Kept.self).map(\.row)
        #expect(rows.map { $0[Item.id] } == (1...5).map { .long($0) })
        #expect(rows[0].values == [.text("n1"), .long(1)])
        #expect(rows[0][SQLColumn(name: "NAME", type: .blob)] == .text("n1"))
        #expect(rows[0][Item.price] == nil)
    }

    @Test("a row can be built by hand")
    func row() {
        var row: SQLRow = [Item.id: .long(1)]
        row[Item.name] = .text("x")
        row[Item.id] = .long(2)
        #expect(row.columns == [Item.id, Item.name])
        #expect(row.values == [.long(2), .text("x")])
        #expect(row == [Item.id: .long(2), Item.name: .text("x")])
    }

    @Test("every column of a wide table is found")
    func wide() {
        let columns = (0..<300).map { SQLColumn(name: "C\($0)", type: .long) }
        var row = SQLRow(columns: columns)
        for (number, column) in columns.enumerated() { row[column] = SQLValue(number) }
        #expect(row.values == (0..<300).map { SQLValue($0) })
    }
}
