package import SQLCore

/// A row of a SQL statement, in the memory of SQLite.
///
/// Valid inside the closure that it is lent to, as are the bytes that it lends.
package struct SQLRowView: ~Copyable {
    let statement: SQLStatement
    /// The names of the columns.
    package let columnNames: [String]

    /// How many columns there are.
    package var count: Int { columnNames.count }

    /// The value of a column, `.null` where there is none; text that is not UTF-8 is repaired.
    package func value(at column: Int) -> SQLValue { statement.value(at: column) }

    /// Lends the bytes of a text or blob; nil for other values.
    package func withBytes<T>(
        at column: Int, _ use: (UnsafeRawBufferPointer?) throws -> T
    ) rethrows -> T {
        switch statement.type(at: column) {
        case .text, .blob: try use(statement.bytes(at: column))
        case .long, .real, .null: try use(nil)
        }
    }
}
