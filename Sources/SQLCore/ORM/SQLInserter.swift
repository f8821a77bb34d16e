/// Inserts rows of one table, with one statement for rows that leave the same columns out.
final class SQLInserter {
    private let context: SQLContext
    private let table: SQLTable
    private let schema: String?
    private let upsert: Bool

    /// Which columns of the latest row were written.
    private(set) var supplied: [Bool]
    private var statement: SQLStatement?
    private var statements: [[Bool]: SQLStatement] = [:]

    /// How many statements are kept at most: rows of many columns can leave out many different
    /// ones.
    private let statementLimit = 32

    init(context: SQLContext, table: SQLTable, schema: String?, upsert: Bool) throws {
        if upsert { _ = try table.requireKeys() }
        self.context = context
        self.table = table
        self.schema = schema
        self.upsert = upsert
        supplied = [Bool](repeating: false, count: table.columns.count)
    }

    /// Writes a row: columns that are null are left out, and so is an autoincremented 0.
    func insert(_ row: SQLRow) throws {
        let statement = try statement(for: row)
        var place = 0
        for position in supplied.indices where supplied[position] {
            place += 1
            try statement.bind(row.values[position], at: place)
        }
        while try statement.next() {}
    }

    private func statement(for row: SQLRow) throws -> SQLStatement {
        var changed = false
        for position in supplied.indices {
            let isSupplied = !isLeftOut(row.values[position], at: position)
            if supplied[position] != isSupplied {
                supplied[position] = isSupplied
                changed = true
            }
        }
        if !changed, let statement { return statement }
        let next = try statements[supplied] ?? context.cachedStatement(sql: sql())
        if statements.count >= statementLimit { statements.removeAll() }
        statements[supplied] = next
        statement = next
        return next
    }

    private func isLeftOut(_ value: SQLValue, at position: Int) -> Bool {
        switch value {
        case .null: true
        case .long(0): table.columns[position].primaryKey && table.columns[position].autoincrement
        default: false
        }
    }

    private func sql() -> String {
        let names = supplied.indices.filter { supplied[$0] }.map { table.columns[$0].quotedName }
        let places = [String](repeating: "?", count: names.count).joined(separator: ", ")
        let values =
            names.isEmpty
            ? " DEFAULT VALUES" : " (\(names.joined(separator: ", "))) VALUES (\(places))"
        let insert = "INSERT INTO " + table.quotedName(inSchema: schema) + values
        // Without a value for the key there is nothing to conflict with.
        return upsert && !names.isEmpty ? insert + conflictSQL(names) : insert
    }

    /// What a row with the same key gets: each supplied column as supplied, the others null.
    private func conflictSQL(_ names: [String]) -> String {
        let keys = table.primaryKeyColumns.map(\.quotedName).joined(separator: ", ")
        let nulls = supplied.indices.filter { !supplied[$0] && !table.columns[$0].primaryKey }
        let changes =
            names.map { "\($0) = EXCLUDED.\($0)" }
            + nulls.map { "\(table.columns[$0].quotedName) = NULL" }
        return " ON CONFLICT(\(keys)) DO UPDATE SET " + changes.joined(separator: ", ")
    }
}
