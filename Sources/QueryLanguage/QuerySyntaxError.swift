internal import FleeceLite

/// A syntax error in the text of a query or expression, and its position.
///
/// It is the underlying error of a `StoreError` with the code `invalidQuery`.
public struct QuerySyntaxError: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character in that line, from 1, counting user-perceived characters.
    public let column: Int
    /// The text at the position, such as `'FROM'`.
    public let found: String
    /// What would be valid at the position.
    public let expected: String

    /// Creates an error at a position.
    init(line: Int, column: Int, found: String, expected: String) {
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
    }
}

extension QuerySyntaxError: CustomStringConvertible {
    /// `line 1, column 8: found 'FROM', expected an expression`
    public var description: String {
        "line \(line), column \(column): found \(found), expected \(expected)"
    }
}

/// The column names of a result.
package final class QueryColumns: Sendable {
    package let columnNames: [String]
    private let indexes: [ExactString: Int]

    package init(_ columnNames: [String]) {
        self.columnNames = columnNames
        indexes = Dictionary(
            columnNames.enumerated().map { (ExactString($1), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The index of a column; nil if no column has this name.
    package func index(_ title: String) -> Int? { indexes[ExactString(title)] }
}
