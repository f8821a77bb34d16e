import GRDB

/// The queries in SQL through GRDB, with cached statements.
final class CustomerGRDB: CustomerDatabase {
    private let pool: DatabasePool

    init(_ directory: String) throws {
        pool = try DatabasePool.standard(directory, .normal)
    }

    func close() throws { try pool.close() }

    func rows(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> [[String]] {
        try read(query, arguments) { rows in
            var result: [[String]] = []
            while let row = try rows.next() {
                result.append(row.databaseValues.map(Self.text))
            }
            return result
        }
    }

    func sum(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> CustomerSum {
        try read(query, arguments) { rows in
            var sum = CustomerSum()
            while let row = try rows.next() {
                sum.rows += 1
                for value in row.databaseValues { sum.sum += Self.number(value) }
            }
            return sum
        }
    }

    private func read<T>(
        _ query: CustomerQuery, _ arguments: [CustomerArgument], _ use: (RowCursor) throws -> T
    ) throws -> T {
        let arguments = StatementArguments(try arguments.map(Self.value))
        return try pool.read { database in
            let statement = try database.cachedStatement(sql: query.sql)
            return try use(Row.fetchCursor(statement, arguments: arguments))
        }
    }

    private static func value(
        _ argument: CustomerArgument
    ) throws -> any DatabaseValueConvertible {
        switch argument {
        case .string(let string): string
        case .number(let number): number
        case .strings(let strings): try CustomerData.json(strings)
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .int64(let number): String(number)
        case .string(let text): text
        default: ""
        }
    }

    private static func number(_ value: DatabaseValue) -> Int {
        switch value.storage {
        case .int64(let number): Int(number)
        case .string(let text): text.utf8.count
        default: 0
        }
    }
}
