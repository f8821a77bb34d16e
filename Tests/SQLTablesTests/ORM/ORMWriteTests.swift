import SQLCore
import SQLTables
import Testing

@Suite("Writing instances")
struct ORMWriteTests {
    private let context: SQLContext
    private let log: StatementLog

    init() throws {
        context = try SQLContext()
        for type in [Item.table, Pair.table, Note.table] {
            try context.createTableIfNotExists(type)
        }
        log = try StatementLog(context)
    }

    @Test("null columns and an autoincremented 0 are left out of an insert")
    func insert() throws {
        try context.insert(Item(name: "a", price: nil, note: "n"))
        try context.insert(Item(id: 9, name: nil, price: 2))
        try context.insert(Item(name: nil))
        #expect(
            log.take() == [
                #"INSERT INTO "ITEM" ("NAME", "NOTE") VALUES ('a', 'n')"#,
                #"INSERT INTO "ITEM" ("ID", "PRICE") VALUES (9, 2.0)"#,
                #"INSERT INTO "ITEM" DEFAULT VALUES"#,
            ])
    }

    @Test("an insert returns the key and the defaults that were filled in")
    func completed() throws {
        let item = try context.insert(Item(name: "a"))
        #expect(item == Item(id: 1, name: "a", price: 1.5))
        #expect(try context.fetch(Item.self, id: .long(1)) == item)
        var other = Item(name: "b", price: 3)
        try context.inserted(&other, refresh: true)
        #expect(other == Item(id: 2, name: "b", price: 3))
    }

    @Test("defect 17: a null key that is text, or one of several, does not become the rowid")
    func nullKeys() throws {
        #expect(try context.insert(Note(key: nil)).key == nil)
        #expect(try context.insert(Pair(a: nil, b: nil, text: "x")).a == nil)
    }

    @Test("an update writes all columns but the keys, null too")
    func update() throws {
        try context.insert(Item(id: 3, name: "a", price: 2, note: "n"))
        _ = log.take()
        try context.update(Item(id: 3, name: "b"))
        #expect(
            log.take() == [
                #"UPDATE "ITEM" SET "NAME" = 'b', "PRICE" = NULL, "NOTE" = NULL WHERE "ID" = 3"#
            ])
        #expect(try context.fetchAll(Item.self) == [Item(id: 3, name: "b")])
        try context.update(Item(id: 4, name: "nobody"))
        #expect(context.changes == 0)
    }

    @Test("an upsert sets each supplied column from EXCLUDED")
    func upsert() throws {
        try context.upsert(Pair(a: 1, b: "x", text: "old"))
        try context.upsert(Pair(a: 1, b: "x", text: "new"))
        #expect(
            log.take().first
                == #"INSERT INTO "PAIR" ("A", "B", "TEXT") VALUES (1, 'x', 'old') "#
                + #"ON CONFLICT("A", "B") DO UPDATE SET "A" = EXCLUDED."A", "#
                + #""B" = EXCLUDED."B", "TEXT" = EXCLUDED."TEXT""#)
        #expect(try context.fetchAll(Pair.self) == [Pair(a: 1, b: "x", text: "new")])
    }

    @Test("defect 3: an upsert can set a column to null, and an inserting one still has defaults")
    func upsertNull() throws {
        #expect(try context.upsert(Item(id: 1, name: "a", note: "n")).price == 1.5)
        let second = try context.upsert(Item(id: 1, name: "a"))
        #expect(second == Item(id: 1, name: "a"))
        #expect(try context.fetch(Item.self, id: .long(1)) == second)
    }

    @Test("an upsert that conflicts in another unique column is an error")
    func otherConflict() throws {
        try context.exec(sql: "CREATE UNIQUE INDEX i ON ITEM (NAME)")
        try context.insert(Item(id: 1, name: "a"))
        let error = #expect(throws: SQLError.self) {
            try context.upsert(Item(id: 2, name: "a"))
        }
        #expect(error.map { .constraint ~= $0.code } == true)
    }

    @Test("insertAll prepares once per set of columns and runs in one transaction")
    func insertAll() throws {
        try context.insertAll([Item(name: "a"), Item(name: nil, price: 2), Item(name: "c")])
        #expect(
            log.take() == [
                "BEGIN IMMEDIATE", #"INSERT INTO "ITEM" ("NAME") VALUES ('a')"#,
                #"INSERT INTO "ITEM" ("PRICE") VALUES (2.0)"#,
                #"INSERT INTO "ITEM" ("NAME") VALUES ('c')"#, "COMMIT",
            ])
        #expect(try context.fetchAll(Item.self).map(\.name) == ["a", nil, "c"])
    }

    @Test("insertAll that fails inserts nothing, and the enclosing transaction keeps its changes")
    func insertAllFails() throws {
        try context.transaction {
            try context.insert(Item(id: 7, name: "before"))
            #expect(throws: SQLError.self) {
                try context.insertAll([Item(id: 1, name: "x"), Item(id: 7, name: "again")])
            }
        }
        #expect(try context.fetchAll(Item.self).map(\.id) == [7])
        #expect(throws: SQLError.self) {
            try context.insertAll([Item(id: 8, name: "x"), Item(id: 8, name: "again")])
        }
        #expect(try context.count(Item.self) == 1)
        #expect(!context.isInTransaction)
    }

    @Test("instances are deleted by one key with = or IN, by several with row values")
    func delete() throws {
        let items = (1...3).map { Item(id: $0, name: nil) }
        try context.insertAll(items)
        try context.insertAll([Pair(a: 1, b: "x"), Pair(a: 1, b: "y"), Pair(a: 2, b: "x")])
        _ = log.take()
        try context.delete(instances: [items[0]])
        try context.delete(instances: [items[1], items[2]])
        try context.delete(instances: [Pair(a: 1, b: "y"), Pair(a: 2, b: "x")])
        try context.delete(instances: [Pair]())
        #expect(
            log.take() == [
                #"DELETE FROM "ITEM" WHERE "ID" = 1"#, #"DELETE FROM "ITEM" WHERE "ID" IN (2, 3)"#,
                #"DELETE FROM "PAIR" WHERE ("A", "B") IN (VALUES (1, 'y'), (2, 'x'))"#,
            ])
        #expect(try context.count(Item.self) == 0)
        #expect(try context.fetchAll(Pair.self) == [Pair(a: 1, b: "x")])
    }

    @Test("thousands of instances are deleted in parts, all or none")
    func deleteMany() throws {
        let items = (1...1203).map { Item(id: $0, name: nil) }
        try context.insertAll(items)
        try context.delete(instances: Array(items.dropFirst()))
        #expect(try context.fetchAll(Item.self).map(\.id) == [1])
    }

    @Test("rows are deleted by a predicate, or all of them")
    func deleteWhere() throws {
        try context.insertAll((1...5).map { Item(id: $0, name: nil) })
        #expect(try context.delete(Item.self, where: Item.id.greaterThan(.long(3))) == 2)
        #expect(try context.deleteAll(Item.self) == 3)
        #expect(try context.exists(Item.self) == false)
    }

    @Test("without a primary key there is no update, delete, fetch or upsert of an instance")
    func noKeys() throws {
        var number = Numbers(n: 1)
        let error = SQLBindingError.noPrimaryKeys("NUMBERS")
        #expect(throws: error) { try context.update(number) }
        #expect(throws: error) { try context.delete(instances: [number]) }
        #expect(throws: error) { try context.upsert(number) }
        #expect(throws: error) { try context.refresh(&number) }
        #expect(throws: error) { try context.fetch(Numbers.self, id: .long(1)) }
        #expect(try number.isNewInstance() == nil)
    }

    @Test("a column that the table does not have is an error, not ignored")
    func unknownColumn() throws {
        let stray = SQLColumn(name: "STRAY", type: .long)
        struct Odd: SQLCodable {
            static let table = SQLTable(name: "ITEM", columns: [])
            let column: SQLColumn
            init(column: SQLColumn) { self.column = column }
            init(row: SQLRow, context: SQLContext) throws {
                column = SQLColumn(name: "", type: .null)
            }
            func encode(row: inout SQLRow) throws { row[column] = .long(1) }
        }
        #expect(throws: SQLBindingError.unknownColumn(stray)) {
            try context.insert(Odd(column: stray))
        }
    }

    @Test("an insert that a trigger prevents returns the instance, and no other row's key")
    func ignoredByTrigger() throws {
        try context.insert(Item(id: 41, name: "other"))
        try context.exec(
            sql: """
                CREATE TRIGGER keep_out BEFORE INSERT ON ITEM WHEN NEW.NAME = 'x'
                BEGIN SELECT RAISE(IGNORE); END
                """)
        #expect(try context.insert(Item(name: "x")) == Item(name: "x"))
        #expect(context.changes == 0)
        #expect(try context.upsert(Item(id: 5, name: "x")) == Item(id: 5, name: "x"))
        var item = Item(name: "x")
        try context.inserted(&item, refresh: true)
        #expect(item == Item(name: "x"))
        #expect(try context.insert(Item(name: "y")).id == 42)
        #expect(try context.fetchAll(Item.self).map(\.name) == ["other", "y"])
    }

    @Test("refresh reads an instance again, and reports whether it still exists")
    func refresh() throws {
        var item = try context.insert(Item(name: "a"))
        try context.exec(sql: "UPDATE ITEM SET NOTE = 'changed'")
        #expect(try context.refresh(&item))
        #expect(item.note == "changed")
        try context.deleteAll(Item.self)
        #expect(try context.refresh(&item) == false)
        #expect(item.note == "changed")
    }
}
