extension SQLPredicate {
    /// `operand BETWEEN min AND max`, both bounds included.
    public static func between(
        _ operand: any SQLRepresentable, min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate {
        range(operand, " BETWEEN ", min, max)
    }

    /// `operand NOT BETWEEN min AND max`
    public static func notBetween(
        _ operand: any SQLRepresentable, min: any SQLRepresentable, max: any SQLRepresentable
    ) -> SQLPredicate {
        range(operand, " NOT BETWEEN ", min, max)
    }

    private static func range(
        _ operand: any SQLRepresentable, _ verb: SQLExpression, _ min: any SQLRepresentable,
        _ max: any SQLRepresentable
    ) -> SQLPredicate {
        let bounds = min.sqlExpression + " AND " + max.sqlExpression
        return SQLPredicate(operand.sqlExpression + verb + bounds)
    }

    /// `operand IN (…)`; of a tuple, `operand IN (VALUES (…), (…))`. No choices: never true.
    public static func `in`(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        let list = SQLExpression.joined(choices.map(\.sqlExpression), ", ")
        let isTuple = operand is SQLTuple && !choices.isEmpty
        return SQLPredicate(
            operand.sqlExpression + (isTuple ? " IN (VALUES " : " IN (") + list + ")")
    }

    /// `operand NOT IN (…)`
    public static func notIn(
        _ operand: any SQLRepresentable, _ choices: [any SQLRepresentable]
    ) -> SQLPredicate {
        .not(.in(operand, choices))
    }
}
