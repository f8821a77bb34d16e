package import DocumentStore

/// A SQL++ condition that says which documents of a collection are meant.
package enum DocumentCondition {
    /// What a document is called in it, as in a query of the collection.
    static let name = "_"

    /// The query whose rows are the ids of the documents that meet it, or of the one among them
    /// that the parameter `id` names.
    ///
    /// `_` in it stands for the collection, as in a query of it.
    ///
    /// Throws `.invalidQuery` for a text that is more, or less, than one condition.
    package static func query(
        _ condition: String, _ name: CollectionName, onlyParameter: Bool = false
    ) throws -> Query {
        let one = onlyParameter ? "META(_).id = $id AND " : ""
        // By itself first: brackets around it must not close what it opens.
        let beginning = "SELECT META(_).id FROM _ WHERE "
        do {
            let alone = try Query("\(beginning)\(condition)\n", in: name)
            if let parameter = alone.parameterNames.first {
                throw ToolError(
                    "the condition has the parameter $\(Text.line(parameter)), which has no "
                        + "value here; write the value in its place", status: .usage)
            }
        } catch let error as StoreError {
            guard let place = error.underlying as? QuerySyntaxError else { throw error }
            throw located(error, place, condition, after: beginning.count)
        }
        // Behind a line's end, as the condition may end with a comment.
        return try Query(
            "SELECT META(_).id FROM _ WHERE \(one)(\(condition)\n)", in: name)
    }

    /// The error with the place in the condition, which a person is shown.
    private static func located(
        _ error: StoreError, _ place: QuerySyntaxError, _ condition: String, after count: Int
    ) -> StoreError {
        let lines = condition.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // Its end is in the line behind it.
        let line = min(place.line, lines.count)
        let column =
            line < place.line
            ? (lines.last?.count ?? 0) + 1 : max(1, place.column - (line == 1 ? count : 0))
        SyntaxMark.show(condition, line: line, column: column)
        let message = error.message.replacing(
            "line \(place.line), column \(place.column)", with: "line \(line), column \(column)")
        return StoreError(.invalidQuery, message, underlying: error.underlying)
    }
}
