internal import QueryLanguage
internal import StoreFormat

/// The condition of an index that triggers keep.
struct TriggerCondition {
    private let expression: QueryExpression?

    /// Throws `.invalidQuery` if it asks for what changes without the triggers: they are told of
    /// new bodies only.
    init(_ expression: QueryExpression?, _ name: String) throws {
        guard expression?.readsMetadata != true else {
            throw StoreError.invalidQuery(
                "of META() only the id can stand in the condition of the index \(name): the rest "
                    + "changes without the document")
        }
        self.expression = expression
    }

    /// The condition of a row under an alias; nil if there is none.
    func sql(_ alias: String) throws -> String? {
        try expression.map { try SQLExpressionWriter.sql($0, .records(alias: alias)) }
    }

    /// The same after another condition.
    func sql(_ alias: String, after first: String) throws -> String {
        try sql(alias).map { "\(first) AND (\($0))" } ?? first
    }

    /// What tells the tables of different conditions apart; empty without one.
    var suffix: String {
        expression.map { " WHERE " + QueryJSONWriter.text($0).sha1Hexadecimal } ?? ""
    }
}

extension IndexTable.Trigger {
    init(
        _ suffix: String, of table: String, _ event: String, on source: String,
        when condition: String?, _ action: String
    ) {
        name = table + "::" + suffix
        sql = SchemaSQL.createTrigger(
            suffix, of: table, event, on: source, when: condition, action)
    }
}
