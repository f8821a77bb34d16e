internal import FleeceLite

/// What is wrong with the text of a query or expression, and where.
///
/// It is what underlies a `StoreError` with the code `invalidQuery`.
public struct QuerySyntaxError: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The character of that line, from 1, as a reader counts them.
    public let column: Int
    /// What stands there, such as `'FROM'`.
    public let found: String
    /// What could stand there.
    public let expected: String

    /// An error at a place.
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

/// What the columns of a result are called.
package final class QueryColumns: Sendable {
    package let columnNames: [String]
    private let places: [ExactString: Int]

    package init(_ columnNames: [String]) {
        self.columnNames = columnNames
        places = Dictionary(
            columnNames.enumerated().map { (ExactString($1), $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number of a column; nil if none has this title.
    package func index(_ title: String) -> Int? { places[ExactString(title)] }
}
