/// An error of meaning in the text of a query, and its position: a name that refers to nothing, a
/// collection that does not exist, an aggregate function in the wrong clause.
///
/// It is the underlying error of a ``StoreError`` whose message is its description. The code is
/// that of the error: ``StoreError/Code/invalidQuery``, ``StoreError/Code/notFound`` for a
/// collection, or ``StoreError/Code/missingIndex``. An editor of queries marks the position:
///
/// ```swift
/// do {
///     show(try query.rows(in: snapshot).all())
/// } catch let error as StoreError {
///     guard let found = error.underlying as? QuerySemanticError else { throw error }
///     show("line \(found.line), column \(found.column): \(found.reason)")
/// }
/// ```
///
/// Such an error is found when the query is compiled for a file, since it can depend on the file;
/// an error of syntax, which is found before, is a ``QuerySyntaxError``. A query in the JSON form,
/// or from the query builder, has no text, so its errors have no underlying error.
public struct QuerySemanticError: Error, Hashable, Sendable {
    /// The line, from 1, as in ``QuerySyntaxError/line``.
    public let line: Int
    /// The character in that line, from 1, where the wrong expression, source or alias begins; see
    /// ``QuerySyntaxError/column``.
    public let column: Int
    /// What is wrong, in English, and what to do.
    public let reason: String

    /// Creates an error at a position.
    init(line: Int, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }
}

extension QuerySemanticError: CustomStringConvertible {
    /// The error in one line: `line 1, column 26: ORDER BY 2: the result has 1 column`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
