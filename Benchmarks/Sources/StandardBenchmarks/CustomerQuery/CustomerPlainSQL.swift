/// The queries in SQL through SQLite's C interface, each compiled once.
final class CustomerPlainSQL: CustomerDatabase {
    private let connection: PlainConnection
    private var statements: [CustomerQuery: PlainStatement] = [:]

    init(_ directory: String) throws {
        connection = try PlainConnection(directory, .normal)
    }

    func close() {}

    func rows(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> [[String]] {
        let statement = try statement(query)
        return try Self.withBound(statement, arguments[...]) {
            defer { statement.reset() }
            var rows: [[String]] = []
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.text(at: $0) })
            }
            return rows
        }
    }

    func sum(_ query: CustomerQuery, _ arguments: [CustomerArgument]) throws -> CustomerSum {
        let statement = try statement(query)
        return try Self.withBound(statement, arguments[...]) {
            var sum = CustomerSum()
            (sum.rows, sum.sum) = try statement.sumRows()
            return sum
        }
    }

    private func statement(_ query: CustomerQuery) throws -> PlainStatement {
        if let statement = statements[query] { return statement }
        let statement = try PlainStatement(connection, query.sql)
        statements[query] = statement
        return statement
    }

    /// Binds the arguments, one inside the other, since their bytes must stay valid.
    private static func withBound<T>(
        _ statement: PlainStatement, _ arguments: ArraySlice<CustomerArgument>,
        _ use: () throws -> T
    ) throws -> T {
        guard let first = arguments.first else { return try use() }
        let index = Int32(arguments.startIndex + 1)
        let text: String
        switch first {
        case .number(let number):
            statement.bind(number, at: index)
            return try withBound(statement, arguments.dropFirst(), use)
        case .string(let string): text = string
        case .strings(let strings): text = try CustomerData.json(strings)
        }
        return try text.withBytes { bytes in
            statement.bind(text: bytes, at: index)
            return try withBound(statement, arguments.dropFirst(), use)
        }
    }
}
