internal import StoreFormat

// Values in the form of results.
extension ExpressionPlanner {
    /// The value of an expression so that it can leave SQL, or be stored by it, without losing its
    /// type: types that SQL does not have are encoded as Fleece, which `fl_plain` decodes.
    func result(
        _ expression: BoundExpression, _ use: ValueUse = ValueUse()
    ) throws -> SQLExpression {
        if let groups, let column = try key(expression, groups) { return .column("", column) }
        switch expression.encoding {
        case .plain: return try value(expression, use.typed())
        case .boolean:
            return .call("fl_boolean_result", [try value(expression, use.typed(false))])
        case .any: return try anyResult(expression, use)
        }
    }

    private func anyResult(
        _ expression: BoundExpression, _ use: ValueUse
    ) throws -> SQLExpression {
        if groups == nil, case .subquery(let query) = expression.form { return try scalar(query) }
        let value = encoded(try self.value(expression, use.typed()), expression)
        guard groups == nil, !trustsIndexes, use.element == nil,
            let slot = try servingIndex(of: expression)
        else { return value }
        // The value of the index, unless it is ambiguous there. A function can also return bytes
        // that are not Fleece.
        let served = expression.isProperty ? "fl_served" : "fl_served_value"
        return .call("ifnull", [.call(served, [slot.annotated]), value])
    }

    /// A property of a document in one call: for values of groups, which SQLite would otherwise
    /// copy.
    private func encoded(
        _ value: SQLExpression, _ expression: BoundExpression
    ) -> SQLExpression {
        if joinsResults, case .property = expression.form,
            case .call("fl_value", let arguments) = value
        {
            return .call("fl_result_value", arguments)
        }
        return .call("fl_result", [value])
    }
}
