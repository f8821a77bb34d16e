/// Finds documents by the elements of a parameter: `x IN $list` looks into the list for each
/// document. If all rows must meet it, a term of `WHERE` beside it lets SQLite look up the
/// elements in an index of `x`.
struct ListSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard scope.hasIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .operation(.in, let operands) = operand, operands.count == 2,
                case .parameter(let name) = operands[1],
                !scope.translation.options.oddLists.contains(name),
                try scope.indexedTable(of: operands[0]) != nil
            else { return nil }
            var value = SQLExpressionWriter(.scope(scope))
            value.isVerbatim = true
            try value.within(4) { try $0.write(operands[0]) }
            let list = try SQLExpressionWriter.sql(operands[1], .scope(scope))
            return "\(value.sql) IN (SELECT value FROM fl_each(\(list)))"
        }
    }
}
