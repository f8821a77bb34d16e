internal import FleeceLite

/// A syntax error in the text of a query or expression, and its position.
///
/// It is the underlying error of a ``StoreError`` with the code ``StoreError/Code/invalidQuery``,
/// whose message contains its description. An editor of queries uses the position to mark the
/// error:
///
/// ```swift
/// do {
///     _ = try Query("SELECT name, FROM people")
/// } catch let error as StoreError {
///     guard let syntax = error.underlying as? QuerySyntaxError else { throw error }
///     show("line \(syntax.line), column \(syntax.column): expected \(syntax.expected)")
/// }
/// ```
///
/// Errors of meaning, such as a name that refers to nothing, are a ``QuerySemanticError``.
public struct QuerySyntaxError: Error, Hashable, Sendable {
    /// The line, from 1. Lines end with a line feed; a carriage return before it belongs to the
    /// line. It is the line in the text of the query or of the index expression, not in the
    /// program.
    public let line: Int
    /// The character in that line, from 1, counting user-perceived characters, as editors do.
    public let column: Int
    /// What is at the position, such as `'b'` or `the end`.
    public let found: String
    /// What would be valid at the position, in English, such as `an expression`. It names one
    /// possibility or a few, not all.
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
    /// The error in one line: `line 1, column 3: found 'b', expected an operator, ',' or the end of
    /// input`.
    ///
    /// The message of the ``StoreError`` ends with it, so that it need not be shown separately.
    public var description: String {
        "line \(line), column \(column): found \(found), expected \(expected)"
    }
}

extension [UInt8] {
    /// The line and the column of the byte at an offset in a text, as in ``QuerySyntaxError``.
    func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
        let before = self[..<offset]
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let head = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        return (line, 1 + String(decoding: head, as: UTF8.self).count)
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
    package func index(_ name: String) -> Int? { indexes[ExactString(name)] }
}
