internal import FleeceLite
internal import StoreFormat

/// Writes an expression so that its value can leave SQL, or be kept by it, without losing its type:
/// what SQL has no type for is Fleece then. `fl_plain` makes the value of it again.
enum SQLResultWriter {
    /// The SQL of a value.
    ///
    /// - Parameter writer: what knows the variables and the collation around; nil for none.
    static func sql(
        _ expression: QueryExpression, _ scope: QueryScope, like writer: SQLExpressionWriter? = nil
    ) throws -> String {
        var writer = writer ?? SQLExpressionWriter(.scope(scope))
        writer.sql = ""
        writer.precedence = 0
        if let column = try scope.groups?.key(expression, scope) { return column }
        if case .property(let path) = expression, scope.groups == nil,
            case .name(let owner, let number, let rest) = try scope.place(of: path),
            rest.components.isEmpty, owner === scope
        {
            return try scope.translation.withName {
                try owner.withExpression(ofName: number) { try sql($0, scope, like: writer) }
            }
        }
        switch expression.resultType {
        case .plain:
            try writer.typed { try $0.write(expression) }
            return writer.sql
        case .boolean:
            try writer.typed(false) { try $0.write(expression) }
            return "fl_boolean_result(\(writer.sql))"
        case .any: return try any(expression, scope, writer)
        }
    }

    private static func any(
        _ expression: QueryExpression, _ scope: QueryScope, _ writer: SQLExpressionWriter
    ) throws -> String {
        var kept = writer
        if scope.groups == nil, case .subquery(let query) = expression {
            try kept.scalar(query)
            return kept.sql
        }
        try kept.typed { try $0.write(expression) }
        let value = try joined(expression, kept.sql, scope) ?? "fl_result(\(kept.sql))"
        guard scope.groups == nil, scope.translation.options.servesValues, !scope.trustsIndexes,
            try scope.indexedTable(of: expression, writer.variables) != nil
        else { return value }
        scope.translation.hasServedValues = true
        var served = writer
        served.isVerbatim = true
        try served.write(expression)
        // Of the values in an index only these can be something else: a function can also give
        // bytes that are no Fleece.
        let isOdd = expression.isProperty ? "" : "typeof(\(served.sql)) = 'blob' OR "
        return "CASE WHEN \(isOdd)typeof(\(served.sql)) = 'integer' AND \(served.sql) < 2 "
            + "THEN \(value) ELSE fl_result(\(served.sql)) END"
    }

    /// A property of a document in one call: for values of groups, which SQLite copies otherwise.
    private static func joined(
        _ expression: QueryExpression, _ sql: String, _ scope: QueryScope
    ) throws -> String? {
        let name = "fl_value("
        guard scope.joinsResults, sql.hasPrefix(name), case .property(let path) = expression,
            case .source = try scope.place(of: path)
        else { return nil }
        return "fl_result_value(" + sql.dropFirst(name.count)
    }
}
