internal import SQLCore

/// Inserts rows of one table, with one statement for rows that leave out the same columns.
final class SQLInserter {
    private let context: SQLContext
    private let table: SQLTable
    private let schema: String?
    private let upsert: Bool

    /// The columns of the last row that were written.
    private(set) var supplied: [Bool]
    private var sql: String?
    private var statements: [[Bool]: String] = [:]
    /// The positions of the columns that are not generated.
    private let positions: [Int]
    /// The position of the column for which 0 requests a new key.
    private let zeroPosition: Int?

    /// The number of statements to cache: rows with many columns can leave
    /// out many different ones.
    private let cacheLimit = 64

    init(context: SQLContext, table: SQLTable, schema: String?, upsert: Bool) throws {
        if upsert {
            try SQLiteFeature.upsert.require()
            _ = try table.requireKeys()
        }
        self.context = context
        self.table = table
        self.schema = schema
        self.upsert = upsert
        positions = table.declaration.writtenPositions
        zeroPosition = table.rowIDPosition.flatMap { table.columns[$0].autoincrement ? $0 : nil }
        supplied = [Bool](repeating: false, count: table.columns.count)
    }

    /// Inserts a row: null columns are left out, and so is an autoincremented 0.
    func insert(_ row: SQLRow) throws {
        try context.withStatement(sql: sql(for: row)) { statement in
            var parameter = 0
            for position in positions where supplied[position] {
                parameter += 1
                try statement.bind(row.values[position], at: parameter)
            }
            while try statement.next() {}
        }
    }

    private func sql(for row: SQLRow) -> String {
        var isSame = true
        for position in positions {
            let isSupplied = !isLeftOut(row.values[position], at: position)
            if supplied[position] != isSupplied {
                supplied[position] = isSupplied
                isSame = false
            }
        }
        if isSame, let sql { return sql }
        let next = statements[supplied] ?? insertSQL()
        if statements.count < cacheLimit { statements[supplied] = next }
        sql = next
        return next
    }

    private func isLeftOut(_ value: SQLValue, at position: Int) -> Bool {
        switch value {
        case .null: true
        case .long(0): position == zeroPosition
        default: false
        }
    }

    private func insertSQL() -> String {
        let names = positions.filter { supplied[$0] }.map { table.columns[$0].quotedName }
        let placeholders = [String](repeating: "?", count: names.count).joined(separator: ", ")
        let values =
            names.isEmpty
            ? " DEFAULT VALUES" : " (\(names.joined(separator: ", "))) VALUES (\(placeholders))"
        let insert = "INSERT INTO " + table.quotedName(inSchema: schema) + values
        // Without a value for the key there cannot be a conflict.
        return upsert && !names.isEmpty ? insert + conflictSQL(names) : insert
    }

    /// The update of a row with the same key: each supplied column as supplied, the others null
    /// except for generated ones.
    private func conflictSQL(_ names: [String]) -> String {
        let keys = table.primaryKeyColumns.map(\.quotedName).joined(separator: ", ")
        let nulls = positions.filter { !supplied[$0] && !table.columns[$0].primaryKey }
        let changes =
            names.map { "\($0) = EXCLUDED.\($0)" }
            + nulls.map { "\(table.columns[$0].quotedName) = NULL" }
        return " ON CONFLICT(\(keys)) DO UPDATE SET " + changes.joined(separator: ", ")
    }
}
