internal import FleeceLite

/// Finds documents by the elements of their arrays, with the tables of array indexes.
///
/// `ANY x IN likes SATISFIES x = 'chess' END` looks into each document. If all rows must meet it, a
/// term of `WHERE` before it says which documents come into question at all.
struct ElementSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard !scope.translation.options.avoidsIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .quantified(let quantifier) = operand, quantifier.kind == .any,
                case .property(let path) = quantifier.collection,
                case .source(let source, let rest) = try scope.place(of: path),
                case .records(let table) = source.kind, !source.includesDeleted,
                scope.sources.contains(where: { $0.sql == source.sql }),
                let elements = table.indexes.arrays[rest.description]
            else { return nil }
            return try term(quantifier, elements, source)
        }
    }

    private func term(
        _ quantifier: QueryQuantifier, _ elements: QueryIndexes.ElementTable,
        _ source: ScopeSource
    ) throws -> String? {
        for part in quantifier.condition.conjuncts {
            guard case .operation(let known, var operands) = part, Self.searches.contains(known),
                case .variable(quantifier.variable, let path) = operands[0],
                operands.dropFirst().allSatisfy({ isPlain($0) })
            else { continue }
            operands[0] = .property(path)
            let value = try SQLExpressionWriter.sql(operands[0], .elements)
            guard elements.expressions.contains(value) else { continue }
            let others = try operands.dropFirst().map {
                try SQLExpressionWriter.sql($0, .scope(scope))
            }
            let table = elements.sqlName.unquotedSQLName
            scope.translation.sourceNames[table] = elements.title
            scope.translation.elementTables.insert(table)
            return "\(source.sql).rowid IN (SELECT docid FROM \(elements.sqlName) WHERE "
                + Self.comparison(known, value, others) + ")"
        }
        return nil
    }

    private static let searches: Set<QueryOperator> = [
        .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between,
    ]

    private static func comparison(
        _ known: QueryOperator, _ value: String, _ others: [String]
    ) -> String {
        known == .between
            ? "\(value) BETWEEN \(others[0]) AND \(others[1])"
            : "\(value) \(known.rawValue) \(others[0])"
    }

    /// Whether it is a text or a number: of other values SQL and `ANY` have different ideas.
    private func isPlain(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .literal(.string), .literal(.integer), .literal(.real): true
        case .parameter(let name):
            scope.translation.options.parameters[name] == nil
                && scope.translation.options.plainParameters.contains(name)
        default: false
        }
    }
}
