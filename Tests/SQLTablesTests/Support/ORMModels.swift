import SQLCore
import SQLTables

struct Item: SQLCodable, Equatable {
    var id: Int = 0
    static let id = SQLColumn(name: "ID", type: .long, primaryKey: true, autoincrement: true)
    var name: String?
    static let name = SQLColumn(name: "NAME", type: .text)
    var price: Double?
    static let price = SQLColumn(name: "PRICE", type: .real, defaultValue: .real(1.5))
    var note: String?
    static let note = SQLColumn(name: "NOTE", type: .text)

    static let table = SQLTable(name: "ITEM", columns: [id, name, price, note])

    init(id: Int = 0, name: String?, price: Double? = nil, note: String? = nil) {
        self.id = id
        self.name = name
        self.price = price
        self.note = note
    }

    init(row: SQLRow, context: SQLContext) throws {
        id = try Int(Self.id.longValueRequired(in: row))
        name = Self.name.textValue(in: row)
        price = Self.price.realValue(in: row)
        note = Self.note.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.id] = SQLValue(id)
        row[Self.name] = SQLValue(name)
        row[Self.price] = SQLValue(price)
        row[Self.note] = SQLValue(note)
    }
}

/// A row with a key of two columns.
struct Pair: SQLCodable, Equatable {
    var a: Int64?
    static let a = SQLColumn(name: "A", type: .long, primaryKey: true)
    var b: String?
    static let b = SQLColumn(name: "B", type: .text, primaryKey: true)
    var text: String?
    static let text = SQLColumn(name: "TEXT", type: .text)

    static let table = SQLTable(name: "PAIR", columns: [a, b, text])

    init(a: Int64?, b: String?, text: String? = nil) {
        self.a = a
        self.b = b
        self.text = text
    }

    init(row: SQLRow, context: SQLContext) throws {
        a = Self.a.longValue(in: row)
        b = Self.b.textValue(in: row)
        text = Self.text.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.a] = SQLValue(a)
        row[Self.b] = SQLValue(b)
        row[Self.text] = SQLValue(text)
    }
}

/// A row that refers to a `Pair` with both its columns, and to another note with one.
struct Note: SQLCodable, Equatable {
    var key: String?
    static let key = SQLColumn(name: "KEY", type: .text, primaryKey: true)
    var a: Int64?
    static let a = SQLColumn(name: "PAIR_A", type: .long)
    var b: String?
    static let b = SQLColumn(name: "PAIR_B", type: .text)
    var replyTo: String?
    static let replyTo = SQLColumn(
        name: "REPLY_TO", type: .text,
        references: SQLForeignKey(tableName: "NOTE", columnName: "KEY"))

    static let table = SQLTable(
        name: "NOTE", columns: [key, a, b, replyTo],
        foreignKeys: [
            SQLForeignKey(
                from: [a, b], table: Pair.table, columns: [Pair.a, Pair.b], onDelete: .cascade)
        ])

    init(key: String?, a: Int64? = nil, b: String? = nil, replyTo: String? = nil) {
        self.key = key
        self.a = a
        self.b = b
        self.replyTo = replyTo
    }

    init(row: SQLRow, context: SQLContext) throws {
        key = Self.key.textValue(in: row)
        a = Self.a.longValue(in: row)
        b = Self.b.textValue(in: row)
        replyTo = Self.replyTo.textValue(in: row)
    }

    func encode(row: inout SQLRow) throws {
        row[Self.key] = SQLValue(key)
        row[Self.a] = SQLValue(a)
        row[Self.b] = SQLValue(b)
        row[Self.replyTo] = SQLValue(replyTo)
    }
}
