import SQLCore
import SQLTables
import Testing

@Suite("Joins")
struct ORMJoinTests {
    private let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(sql: "PRAGMA foreign_keys = ON")
        try context.createTableIfNotExists(DemoParent.self)
        try context.createTableIfNotExists(DemoChild.self)
        try context.createTableIfNotExists(Pair.self)
        try context.createTableIfNotExists(Note.self)
        try context.createTableIfNotExists(Item.self)
        try context.insertAll([
            DemoParent(id: 1, parentInfo: "one"), DemoParent(id: 2, parentInfo: "two"),
        ])
        try context.insertAll([
            DemoChild(id: 1, parentID: 1, childInfo: "a"),
            DemoChild(id: 2, parentID: 1, childInfo: "b"),
            DemoChild(id: 3, parentID: nil, childInfo: "orphan"),
        ])
    }

    @Test("columns are qualified by alias, or else by the table's name")
    func sql() throws {
        let named = context.query(DemoParent.self, alias: "t0")
            .join(DemoChild.self, alias: "t1", kind: .left, on: DemoChild.parentID)
            .where(DemoChild.childInfo.isNull()).orderBy(DemoParent.id)
        #expect(
            try named.expression().literal
                == #"SELECT "t0"."ID", "t0"."PARENT_INFO", "t1"."ID", "t1"."PARENT_ID", "#
                + #""t1"."CHILD_INFO" FROM "DEMO_PARENT" AS "t0" LEFT JOIN "DEMO_CHILD" AS "t1" "#
                + #"ON "t1"."PARENT_ID" = "t0"."ID" WHERE "t1"."CHILD_INFO" IS NULL "#
                + #"ORDER BY "t0"."ID" ASC"#)
        let bare = context.query(DemoParent.self).join(DemoChild.self, on: DemoChild.parentID)
        #expect(
            try bare.expression().literal.hasSuffix(
                #"FROM "DEMO_PARENT" INNER JOIN "DEMO_CHILD" "#
                    + #"ON "DEMO_CHILD"."PARENT_ID" = "DEMO_PARENT"."ID""#))
    }

    @Test("defect 14: equal column names are not ambiguous without aliases")
    func equalNames() throws {
        let rows = try context.query(DemoParent.self)
            .join(DemoChild.self, kind: .inner, on: DemoChild.parentID)
            .where(DemoParent.id.equals(.long(1)).and(DemoChild.id.equals(.long(2)))).load()
        #expect(rows.map { $0.0?.parentInfo } == ["one"])
        #expect(rows.map { $0.1?.childInfo } == ["b"])
    }

    @Test(
        "a table without a row is nil, on either side",
        arguments: [
            (SQLJoinType.inner, ["one-a", "one-b"]), (.left, ["one-a", "one-b", "two-"]),
            (.right, ["-orphan", "one-a", "one-b"]),
            (.full, ["-orphan", "one-a", "one-b", "two-"]),
        ])
    func kinds(kind: SQLJoinType, expected: [String]) throws {
        let rows: [(DemoParent?, DemoChild?)] = try context.query(DemoParent.self)
            .join(DemoChild.self, kind: kind, on: DemoChild.parentID).load()
        let names = rows.map { "\($0.0?.parentInfo ?? "")-\($0.1?.childInfo ?? "")" }
        #expect(names.sorted() == expected)
    }

    @Test("the foreign key may belong to the preceding table")
    func otherSide() throws {
        let rows: [(DemoChild?, DemoParent?)] = try context.query(DemoChild.self)
            .join(DemoParent.self, kind: .left, on: DemoChild.parentID).orderBy(DemoChild.id)
            .load()
        #expect(rows.map { $0.1?.id } == [1, 1, nil])
    }

    @Test("a cross join pairs every row with every row, and takes no condition")
    func cross() throws {
        let rows = try context.query(DemoParent.self).join(DemoChild.self, kind: .cross).load()
        #expect(rows.count == 6)
        let error = #expect(throws: SQLError.self) {
            try context.query(DemoParent.self)
                .join(DemoChild.self, kind: .cross, on: DemoChild.parentID).eval()
        }
        #expect(error?.code == .misuse)
    }

    @Test("defect 14: a join without a usable condition is an error, not a cross join")
    func noCondition() throws {
        for condition in [nil, DemoParent.parentInfo, Item.id] {
            let error = #expect(throws: SQLError.self) {
                try context.query(DemoParent.self).join(DemoChild.self, on: condition).eval()
            }
            #expect(error?.code == .misuse)
        }
    }

    @Test("defect 14: a third table may belong to the first")
    func three() throws {
        try context.insert(Item(id: 1, name: "i"))
        let rows: [(DemoParent?, Item?, DemoChild?)] = try context.query(DemoParent.self)
            .join(Item.self, on: SQLPredicate.equals(Item.id, DemoParent.id))
            .join(DemoChild.self, on: DemoChild.parentID).orderBy(DemoChild.id).load()
        #expect(rows.map { $0.0?.id } == [1, 1])
        #expect(rows.map { $0.1?.name } == ["i", "i"])
        #expect(rows.map { $0.2?.childInfo } == ["a", "b"])
    }

    @Test("four tables, one of them twice")
    func four() throws {
        try context.insert(Pair(a: 1, b: "x", text: "pair"))
        try context.insert(Note(key: "first", a: 1, b: "x"))
        try context.insert(Note(key: "reply", replyTo: "first"))
        let query = context.query(Note.self, alias: "answer")
            .join(Note.self, alias: "first", on: Note.replyTo.alias("answer"))
            .join(Pair.self, on: Note.a.alias("first"))
            .join(DemoParent.self, kind: .left, on: SQLPredicate.equals(DemoParent.id, Pair.a))
            .where(Note.key.alias("first").equals(.text("first")))
        let rows: [(Note?, Note?, Pair?, DemoParent?)] = try query.load()
        #expect(rows.map { $0.0?.key } == ["reply"])
        #expect(rows.map { $0.1?.key } == ["first"])
        #expect(rows.map { $0.2?.text } == ["pair"])
        #expect(rows.map { $0.3?.parentInfo } == ["one"])
        #expect(
            try query.expression().literal.contains(
                #"INNER JOIN "PAIR" ON "first"."PAIR_A" = "PAIR"."A" "#
                    + #"AND "first"."PAIR_B" = "PAIR"."B" LEFT JOIN"#))
    }

    @Test("a table that is joined twice without an alias gets one")
    func twice() throws {
        try context.insert(Note(key: "first"))
        try context.insert(Note(key: "reply", replyTo: "first"))
        let query = context.query(Note.self).join(Note.self, on: Note.replyTo.alias("t1"))
        #expect(
            try query.expression().literal.hasSuffix(
                #"FROM "NOTE" INNER JOIN "NOTE" AS "t1" ON "t1"."REPLY_TO" = "NOTE"."KEY""#))
        let rows = try query.load()
        #expect(rows.map { $0.0?.key } == ["first"])
        #expect(rows.map { $0.1?.key } == ["reply"])
    }

    @Test("tables of attached databases are joined")
    func schemas() throws {
        try context.exec(sql: "ATTACH ':memory:' AS other")
        try context.createTableIfNotExists(DemoParent.self, inSchema: "other")
        try context.insert(DemoParent(id: 1, parentInfo: "elsewhere"), inSchema: "other")
        let same = SQLPredicate.equals(DemoParent.id.alias("b"), DemoParent.id)
        let rows = try context.query(DemoParent.self)
            .join(DemoParent.self, "b", schema: "other", on: same).load()
        #expect(rows.map { $0.0?.parentInfo } == ["one"])
        #expect(rows.map { $0.1?.parentInfo } == ["elsewhere"])
    }

    @Test("deleting a row deletes those that refer to it, by one column or by two")
    func cascade() throws {
        try context.delete(instances: [DemoParent(id: 1, parentInfo: nil)])
        #expect(try context.fetchAll(DemoChild.self).map(\.childInfo) == ["orphan"])
        try context.insert(Pair(a: 1, b: "x"))
        try context.insert(Note(key: "n", a: 1, b: "x"))
        #expect(throws: SQLError.self) { try context.insert(Note(key: "m", a: 1, b: "y")) }
        try context.deleteAll(Pair.self)
        #expect(try !context.exists(Note.self))
    }
}
