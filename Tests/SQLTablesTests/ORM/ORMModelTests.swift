import CSQLite
import SQLCore
import SQLTables
import Testing

@Suite("Many writes")
struct ORMModelTests {
    /// A small generator, so that every run produces the same numbers.
    private struct Numbers {
        var state: UInt64
        mutating func next(below bound: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % bound)
        }
    }

    @Test("the table has the content of a dictionary after the same writes", arguments: 1...20)
    func model(seed: UInt64) throws {
        let context = try SQLContext()
        try context.createTableIfNotExists(Pair.self)
        var model: [String: Pair] = [:]
        var numbers = Numbers(state: seed)
        for step in 0..<300 {
            let text = numbers.next(below: 3) == 0 ? nil : "s\(step)"
            let pair = Pair(
                a: Int64(numbers.next(below: 5)), b: "b\(numbers.next(below: 4))", text: text)
            let key = "\(pair.a ?? -1)/\(pair.b ?? "")"
            switch numbers.next(below: 5) {
            case 0 where model[key] == nil: model[key] = try context.insert(pair)
            case 0: #expect(throws: SQLError.self) { try context.insert(pair) }
            case 1, 2: model[key] = try context.upsert(pair)
            case 3:
                try context.update(pair)
                if model[key] != nil { model[key] = pair }
            default:
                try context.delete(instances: [pair])
                model[key] = nil
            }
        }
        let expected = model.sorted { $0.key < $1.key }.map(\.value)
        let order = context.query(Pair.self).orderBy(Pair.a).orderBy(Pair.b)
        #expect(try order.load() == expected)
        #expect(try order.eval().load() == expected)
        #expect(try context.count(Pair.self) == expected.count)
        for pair in expected {
            #expect(try context.fetch(Pair.self, id: SQLValue(pair.a), SQLValue(pair.b)) == pair)
        }
    }

    @Test("rows that leave out different columns each get theirs")
    func patterns() throws {
        let context = try SQLContext()
        try context.createTableIfNotExists(Item.self)
        let items = (1...200).map { number in
            Item(
                id: number, name: number % 2 == 0 ? "n\(number)" : nil,
                price: number % 3 == 0 ? Double(number) : nil,
                note: number % 5 == 0 ? "t\(number)" : nil)
        }
        try context.insertAll(items)
        let expected = items.map { item in
            var item = item
            item.price = item.price ?? 1.5
            return item
        }
        #expect(try context.fetchAll(Item.self, orderBy: Item.id) == expected)
    }

    @Test("an instance in which nothing was filled in is returned unchanged")
    func identity() throws {
        final class Object: SQLCodable {
            static let id = SQLColumn(name: "ID", type: .long, primaryKey: true)
            static let table = SQLTable(name: "OBJECT", columns: [id])
            let id: Int64?
            init(id: Int64?) { self.id = id }
            init(row: SQLRow, context: SQLContext) throws { id = Self.id.longValue(in: row) }
            func encode(row: inout SQLRow) throws { row[Self.id] = SQLValue(id) }
        }
        let context = try SQLContext()
        try context.createTableIfNotExists(Object.self)
        let (full, empty) = (Object(id: 0), Object(id: nil))
        #expect(try context.insert(full) === full)
        let inserted = try context.insert(empty)
        #expect(inserted !== empty)
        #expect(inserted.id == 1)
    }

    @Test("a 0 in a key that is not a rowid is a value")
    func zero() throws {
        struct Cell: SQLCodable {
            static let x = SQLColumn(name: "X", type: .long, primaryKey: true, autoincrement: true)
            static let y = SQLColumn(name: "Y", type: .long, primaryKey: true, autoincrement: true)
            static let table = SQLTable(name: "CELL", columns: [x, y], options: .withoutRowID)
            var x: Int64
            var y: Int64
            init(x: Int64, y: Int64) { (self.x, self.y) = (x, y) }
            init(row: SQLRow, context: SQLContext) throws {
                x = try Self.x.longValueRequired(in: row)
                y = try Self.y.longValueRequired(in: row)
            }
            func encode(row: inout SQLRow) throws {
                row[Self.x] = SQLValue(x)
                row[Self.y] = SQLValue(y)
            }
        }
        let context = try SQLContext()
        try context.createTableIfNotExists(Cell.self)
        try context.insert(Cell(x: 0, y: 0))
        #expect(try context.selectAll(sql: "SELECT X, Y FROM CELL") == [[.long(0), .long(0)]])
    }

    @Test("more values than SQLite allows parameters are its error")
    func manyValues() throws {
        let context = try SQLContext()
        try context.createTableIfNotExists(Item.self)
        try context.insert(Item(id: 7, name: "a"))
        // SQLite's default at compile time; some systems allow more.
        sqlite3_limit(
            try context.connection.requireHandle(), SQLITE_LIMIT_VARIABLE_NUMBER, 32_766)
        let error = #expect(throws: SQLError.self) {
            try context.fetchAll(Item.self, where: .in(Item.id, (0..<40_000).map { SQLValue($0) }))
        }
        #expect(error?.message == "too many SQL variables")
        let some = (0..<32_766).map { SQLValue($0) }
        #expect(try context.fetchAll(Item.self, where: .in(Item.id, some)).map(\.id) == [7])
    }

    @Test("a name with a NUL, a value too many and a tree too deep are errors")
    func hostile() throws {
        let context = try SQLContext()
        let name = SQLColumn(name: "A\0\" INTEGER); --", type: .long)
        #expect(throws: SQLError.self) {
            try context.createTableIfNotExists(SQLTable(name: "T", columns: [name]))
        }
        #expect(try context.tables().isEmpty)
        try context.createTableIfNotExists(Item.self)
        let values = (0..<300_000).map { SQLValue($0) }
        #expect(throws: SQLError.self) { try context.count(Item.self, where: Item.id.in(values)) }
        let one = Item.id.equals(.long(1))
        #expect(throws: SQLError.self) {
            try context.count(Item.self, where: .and((0..<5000).map { _ in one }))
        }
        #expect(throws: SQLError.self) {
            try context.count(Item.self, where: (0..<2000).reduce(one) { tree, _ in tree.not() })
        }
    }
}
