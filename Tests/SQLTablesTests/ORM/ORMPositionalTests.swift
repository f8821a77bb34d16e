import SQLCore
import SQLTables
import Testing

/// A row that can be read by position, and whose other initializer would give something else.
private struct Point: SQLPositionalCodable, Equatable {
    var id: Int64
    var name: String

    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true)
    static let name = SQLColumn(name: "NAME", type: .text)
    static let table = SQLTable(name: "POINT", columns: [id, name])

    init(_ id: Int64, _ name: String) {
        (self.id, self.name) = (id, name)
    }

    init(statement: SQLStatement) throws {
        id = statement.long(at: 0)
        name = "at \(statement.text(at: 1) ?? "nothing")"
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Self.id.longValueRequired(in: row)
        name = try Self.name.textValueRequired(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.name] = SQLValue(name)
    }
}

@Suite("ORM: rows by position")
struct ORMPositionalTests {
    @Test("many rows are read by position if the type can, single ones by column")
    func reading() throws {
        let context = try SQLContext()
        try context.createTableIfNotExists(Point.self)
        try context.insertAll([Point(1, "a"), Point(2, "b"), Point(3, "c")])
        #expect(
            try context.fetchAll(Point.self, where: Point.id.greaterThan(.long(1)))
                == [Point(2, "at b"), Point(3, "at c")])
        #expect(
            try context.query(Point.self).orderBy(Point.id, .descending).load(count: 1)
                == [Point(3, "at c")])
        #expect(try context.fetch(Point.self, id: .long(2)) == Point(2, "b"))
        #expect(try context.query(Point.self).eval().load().map(\.name) == ["a", "b", "c"])
    }
}
