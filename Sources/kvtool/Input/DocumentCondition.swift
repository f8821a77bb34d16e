internal import DataFileCore

/// A SQL++ condition that says which documents of a collection are meant.
enum DocumentCondition {
    /// No property is called so: a condition can name every property by itself.
    static let name = "the document of kvtool"
    private static let alias = "`\(name)`"

    /// The query whose rows are the ids of the documents that meet it, or of the one among them
    /// that the parameter `id` names.
    ///
    /// Throws `.invalidQuery` for a text that is more, or less, than one condition.
    static func query(
        _ condition: String, _ name: CollectionName, onlyParameter: Bool = false
    ) throws -> Query {
        let source = name == .default ? "_" : "`\(name.scope)`.`\(name.name)`"
        let one = onlyParameter ? "META(\(alias)).id = $id AND " : ""
        // By itself first: brackets around it must not close what it opens.
        _ = try Query("SELECT META(\(alias)).id FROM \(source) AS \(alias) WHERE \(condition)\n")
        // Behind a line's end, as the condition may end with a comment.
        return try Query(
            "SELECT META(\(alias)).id FROM \(source) AS \(alias) WHERE \(one)(\(condition)\n)")
    }
}
