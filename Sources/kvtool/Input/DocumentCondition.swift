internal import DataFileCore

/// A SQL++ condition that says which documents of a collection are meant.
enum DocumentCondition {
    /// What a document is called in it, as in a query of the collection.
    static let name = "_"

    /// The query whose rows are the ids of the documents that meet it, or of the one among them
    /// that the parameter `id` names.
    ///
    /// `_` in it stands for the collection, as in a query of it.
    ///
    /// Throws `.invalidQuery` for a text that is more, or less, than one condition.
    static func query(
        _ condition: String, _ name: CollectionName, onlyParameter: Bool = false
    ) throws -> Query {
        let one = onlyParameter ? "META(_).id = $id AND " : ""
        // By itself first: brackets around it must not close what it opens.
        let alone = try Query("SELECT META(_).id FROM _ WHERE \(condition)\n", in: name)
        if let parameter = alone.parameterNames.first {
            throw ToolError(
                "the condition has the parameter $\(Text.line(parameter)), which has no value "
                    + "here; write the value in its place", status: .usage)
        }
        // Behind a line's end, as the condition may end with a comment.
        return try Query(
            "SELECT META(_).id FROM _ WHERE \(one)(\(condition)\n)", in: name)
    }
}
