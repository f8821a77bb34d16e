import SQLCore
import SQLTables
import Testing

/// An instance that assigns its row as a whole.
private struct Assigned: SQLCodable, Equatable {
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true)
    static let a = SQLColumn(name: "A", type: .text)
    static let b = SQLColumn(name: "B", type: .text)
    static let table = SQLTable(name: "ASSIGNED", columns: [id, a, b])

    var row: SQLRow

    init(_ row: SQLRow) { self.row = row }
    init(row: SQLRow, context: SQLContext) throws { self.row = row }
    func encode(row: inout SQLRow) throws { row = self.row }
}

@Suite("ORM: rows that are assigned as a whole")
struct ORMRowTests {
    private let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.createTableIfNotExists(Assigned.self)
    }

    private func stored() throws -> [[SQLValue]] {
        try context.selectAll(sql: "SELECT ID, A, B FROM ASSIGNED ORDER BY ID")
    }

    @Test("columns that an assigned row lacks are null")
    func fewer() throws {
        try context.insert(Assigned([Assigned.id: .long(1), Assigned.b: .text("b")]))
        try context.insertAll([
            Assigned([Assigned.id: .long(2), Assigned.a: .text("a")]), Assigned([:]),
            Assigned([Assigned.b: .text("c")]),
        ])
        #expect(
            try stored() == [
                [.long(1), .null, .text("b")], [.long(2), .text("a"), .null],
                [.long(3), .null, .null], [.long(4), .null, .text("c")],
            ])
    }

    @Test("values go to their columns, whatever the order of an assigned row")
    func otherOrder() throws {
        // Declared again: found by its name.
        let b = SQLColumn(name: "B", type: .blob)
        let row: SQLRow = [b: .text("b"), Assigned.a: .text("a"), Assigned.id: .long(1)]
        let instance = try context.insert(Assigned(row))
        #expect(try stored() == [[.long(1), .text("a"), .text("b")]])
        #expect(
            try instance.encodedRow()
                == [
                    Assigned.id: .long(1), Assigned.a: .text("a"), Assigned.b: .text("b"),
                ])
        try context.update(Assigned([Assigned.b: .text("new"), Assigned.id: .long(1)]))
        #expect(try stored() == [[.long(1), .null, .text("new")]])
        try context.delete(instances: [instance])
        #expect(try stored().isEmpty)
    }

    @Test("a column that the table lacks is an error in a row of any size")
    func unknown() throws {
        let stray = SQLColumn(name: "STRAY", type: .long)
        let rows: [SQLRow] = [
            [stray: .long(1)], [Assigned.id: .long(1), stray: .null, Assigned.a: .null],
        ]
        for row in rows {
            #expect(throws: SQLBindingError.unknownColumn(stray)) {
                try context.insert(Assigned(row))
            }
        }
        #expect(try stored().isEmpty)
    }
}
