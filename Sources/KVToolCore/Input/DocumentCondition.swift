package import DocumentStore

/// An SQL++ condition that selects documents of a collection.
package struct DocumentCondition {
    /// The name of the document in the condition, as in a query of the collection.
    static let name = "_"

    /// The query for the IDs of the documents that meet the condition.
    package let query: Query
    private let condition: String
    /// The number of characters before the condition in the query.
    private let start: Int

    private static let beginning = "SELECT META(_).id FROM _ WHERE "

    /// Parses a condition. `_` in it is the collection, as in a query of it.
    ///
    /// - Parameter onlyParameter: whether the query reads only the document in the parameter `id`.
    /// - Throws: `.invalidQuery` if the text is not a single condition.
    package init(
        _ condition: String, _ name: CollectionName, onlyParameter: Bool = false
    ) throws {
        // Parsed alone first, so that it cannot close the parentheses that are added around it.
        try Self.locating(condition, after: Self.beginning.count) {
            let alone = try Query("\(Self.beginning)\(condition)\n", in: name)
            if let parameter = alone.parameterNames.first {
                throw ToolError(
                    "the condition has the parameter $\(Text.line(parameter)), which has no "
                        + "value here; write the value instead", status: .usage)
            }
        }
        let start = Self.beginning + (onlyParameter ? "META(_).id = $id AND " : "") + "("
        // After a line break, because the condition may end with a comment.
        query = try Query("\(start)\(condition)\n)", in: name)
        self.condition = condition
        self.start = start.count
    }

    /// Runs a closure that compiles the query; an error has its position in the condition, which
    /// the terminal shows.
    package func locatingErrors<T>(_ body: () throws -> T) throws -> T {
        try Self.locating(condition, after: start, body)
    }

    private static func locating<T>(
        _ condition: String, after start: Int, _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error as StoreError {
            guard let position = error.positionInQuery else { throw error }
            throw located(error, position, condition, after: start)
        }
    }

    private static func located(
        _ error: StoreError, _ position: (line: Int, column: Int), _ condition: String,
        after start: Int
    ) -> StoreError {
        let written = "line \(position.line), column \(position.column)"
        // What precedes the condition is not the user's text.
        guard position.line > 1 || position.column > start else {
            return StoreError(
                domain: error.domain, code: error.code,
                error.message.replacing("\(written): ", with: ""))
        }
        let lines = condition.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // The end of the condition is on the following line.
        let line = min(position.line, lines.count)
        let column =
            line < position.line
            ? (lines.last?.count ?? 0) + 1 : position.column - (line == 1 ? start : 0)
        SyntaxMark.show(condition, line: line, column: column)
        return StoreError(
            domain: error.domain, code: error.code,
            error.message.replacing(written, with: "line \(line), column \(column)"),
            underlying: error.underlying)
    }
}
