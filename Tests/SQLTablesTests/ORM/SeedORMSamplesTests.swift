import SQLCore
import SQLTables
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The samples of SkipSQL's description")
struct SeedORMSamplesTests {
    @Test("an instance is inserted, gets its key and its default, and is found again")
    func insertAndFetch() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(DemoTable.self)
        let demo = DemoTable(txt: "ABC", num: 12.34, int: 567, blb: Data([1, 2]))
        let inserted = try sqlite.insert(demo)
        #expect(inserted.id == 1)
        #expect(inserted.dbl == Double.pi)
        #expect(try sqlite.fetch(DemoTable.self, id: SQLValue(inserted.id)) == inserted)
    }

    @Test("the query of the sample gives its SQL and its rows")
    func predicate() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(DemoTable.self)
        try sqlite.insert(DemoTable(txt: "ABC", num: 1, int: 1))
        try sqlite.insert(DemoTable(txt: "DEF", num: 2, int: 2))
        try sqlite.insert(DemoTable(txt: "GHI", num: nil, int: 3))

        let predicate = DemoTable.num.isNull().or(DemoTable.txt.equals(SQLValue("ABC")))
        #expect(
            sqlite.query(DemoTable.self).where(predicate).expression().literal
                == #"SELECT "ID", "TXT", "NUM", "INT", "DBL", "BLB" FROM "DEMO_TABLE" "#
                + #"WHERE ("NUM" IS NULL OR "TXT" = 'ABC')"#)

        let resultSet = try sqlite.query(DemoTable.self).where(predicate).eval()
        defer { resultSet.close() }

        var found: [String?] = []
        let cursor = resultSet.makeIterator()
        while let row = cursor.next() {
            let instance = try row.get()
            found.append(instance.txt)
        }
        #expect(found == ["ABC", "GHI"])
    }

    @Test("a UUID is a text key")
    func uuid() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(UUIDHolder.self)
        let holder = try sqlite.insert(UUIDHolder())
        #expect(try sqlite.fetch(UUIDHolder.self, id: SQLValue(holder.id.uuidString)) == holder)
        try sqlite.exec(sql: "UPDATE UUID_HOLDER SET ID = 'nonsense'")
        #expect(throws: SQLBindingError.nullColumn(UUIDHolder.id)) {
            try sqlite.fetchAll(UUIDHolder.self)
        }
    }

    @Test("a date is seconds in a REAL column and ISO 8601 in a TEXT column")
    func dates() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(SQLDateAsReal.self)
        try sqlite.createTableIfNotExists(SQLDateAsText.self)
        let date = Date(timeIntervalSince1970: 981_173_106)
        try sqlite.insert(SQLDateAsReal(date: date))
        try sqlite.insert(SQLDateAsText(date: date))
        #expect(try sqlite.fetchAll(SQLDateAsReal.self).map(\.date) == [date])
        #expect(try sqlite.fetchAll(SQLDateAsText.self).map(\.date) == [date])
        let text = try sqlite.selectValue(sql: "SELECT DATE FROM SQL_DATE_AS_TEXT")
        #expect(text == .text("2001-02-03T04:05:06Z"))
    }

    @Test("parents and children are joined, with an unlabelled alias")
    func join() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(DemoParent.self)
        try sqlite.createTableIfNotExists(DemoChild.self)
        let parent = try sqlite.insert(DemoParent(parentInfo: "p"))
        let child = try sqlite.insert(DemoChild(parentID: parent.id, childInfo: "c"))

        let joined2: [(DemoParent?, DemoChild?)] = try sqlite.query(DemoParent.self, alias: "t0")
            .join(DemoChild.self, "t1", kind: .inner, on: DemoChild.parentID)
            .eval()
            .load()

        #expect(joined2.count == 1)
        #expect(joined2.first?.0 == parent)
        #expect(joined2.first?.1 == child)
    }

    @Test("the sentinel 0 requests a key, and a manual key is used")
    func sentinel() throws {
        let sqlite = try SQLContext()
        try sqlite.createTableIfNotExists(DemoParent.self)
        #expect(try DemoParent(parentInfo: nil).isNewInstance() == true)
        #expect(try sqlite.insert(DemoParent(parentInfo: nil)).id == 1)
        #expect(try sqlite.insert(DemoParent(id: 7, parentInfo: nil)).id == 7)
        #expect(try DemoParent(id: 7, parentInfo: nil).isNewInstance() == false)
    }
}
