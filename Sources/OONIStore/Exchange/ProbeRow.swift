internal import SQLCore

/// The columns that are read from a table; their raw values are indices in `names`.
protocol ProbeColumns: RawRepresentable where RawValue == Int {
    /// The table.
    static var table: OONIStore.ImportReport.Table { get }
    /// The name of each column, followed by its names in older versions.
    static var names: [[String]] { get }
}

/// A row of a table, whose values may be of any type.
struct ProbeRow<Columns: ProbeColumns> {
    let statement: SQLStatement
    /// The columns of the current row that have a value of an unexpected kind.
    let unreadable = Unreadable()

    final class Unreadable {
        fileprivate(set) var columns: [String] = []
    }

    /// Starts the next row.
    func begin() { unreadable.columns = [] }

    /// Returns the value of a column and records the column as unreadable if the value is nil but
    /// the column is not NULL.
    private func noted<Value>(_ value: Value?, _ column: Columns) -> Value? {
        if value == nil, statement.type(at: column.rawValue) != .null {
            unreadable.columns.append(Columns.names[column.rawValue][0])
        }
        return value
    }

    /// The string of a column; a number is converted to a string.
    func text(_ column: Columns) -> String? { statement.text(at: column.rawValue) }

    /// A string that is not empty.
    func word(_ column: Columns) -> String? {
        text(column).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A whole number, also from a string; nil for any other value.
    func long(_ column: Columns) -> Int64? {
        let index = column.rawValue
        let number: Int64? =
            switch statement.type(at: index) {
            case .long: statement.long(at: index)
            case .real: Int64(exactly: statement.real(at: index).rounded(.towardZero))
            case .text: statement.text(at: index).flatMap { Int64($0) }
            default: nil
            }
        return noted(number, column)
    }

    /// A finite number; nil for any other value.
    func real(_ column: Columns) -> Double? {
        let index = column.rawValue
        let number: Double? =
            switch statement.type(at: index) {
            case .long, .real: statement.real(at: index)
            case .text: statement.text(at: index).flatMap { Double($0) }
            default: nil
            }
        return noted(number.flatMap { $0.isFinite ? $0 : nil }, column)
    }

    /// A Boolean value: NULL is false, as in the app.
    func flag(_ column: Columns) -> Bool { long(column) == 1 }

    /// An instant in milliseconds.
    func instant(_ column: Columns) -> OONIStore.Instant? {
        long(column).map { OONIStore.Instant(milliseconds: $0) }
    }
}
