internal import FleeceLite
internal import StoreFormat

/// Writes an expression so that its value can leave SQL, or be stored by it, without losing its
/// type: types that SQL does not have are encoded as Fleece, which `fl_plain` decodes.
enum SQLResultWriter {
    /// The SQL of a value.
    ///
    /// - Parameter writer: the writer with the current variables and collation; nil for none.
    static func sql(
        _ expression: QueryExpression, _ scope: QueryScope, like writer: SQLExpressionWriter? = nil
    ) throws -> String {
        var writer = writer ?? SQLExpressionWriter(.scope(scope))
        writer.sql = ""
        writer.precedence = 0
        if let column = try scope.groups?.key(expression, scope) { return column }
        if case .property(let path) = expression, scope.groups == nil,
            case .name(let owner, let number, let rest) = try scope.resolution(of: path),
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
        var copy = writer
        if scope.groups == nil, case .subquery(let query) = expression {
            try copy.scalar(query)
            return copy.sql
        }
        try copy.typed { try $0.write(expression) }
        let value = try joined(expression, copy.sql, scope) ?? "fl_result(\(copy.sql))"
        guard scope.groups == nil, scope.translation.options.servesValues, !scope.trustsIndexes,
            try scope.indexedTable(of: expression, writer.variables) != nil
        else { return value }
        scope.translation.hasServedValues = true
        var served = writer
        served.isVerbatim = true
        try served.write(expression)
        // Of the index values only these need a check: a function can also return bytes that are
        // not Fleece.
        let isOdd = expression.isProperty ? "" : "typeof(\(served.sql)) = 'blob' OR "
        return "CASE WHEN \(isOdd)typeof(\(served.sql)) = 'integer' AND \(served.sql) < 2 "
            + "THEN \(value) ELSE fl_result(\(served.sql)) END"
    }

    /// A property of a document in one call: for values of groups, which SQLite would otherwise
    /// copy.
    private static func joined(
        _ expression: QueryExpression, _ sql: String, _ scope: QueryScope
    ) throws -> String? {
        let name = "fl_value("
        guard scope.joinsResults, sql.hasPrefix(name), case .property(let path) = expression,
            case .source = try scope.resolution(of: path)
        else { return nil }
        return "fl_result_value(" + sql.dropFirst(name.count)
    }
}
