/// An expression of a query as an index of its only source could contain it.
package struct IndexTerm {
    package let source: ResolvedSource
    /// Its SQL text in the index.
    package let sql: String
    /// Whether SQLite can use an index on it: not if one of its arguments is indexed too.
    package let keepsTypes: Bool
    /// The expression as in the definition of the index.
    package let definition: QueryExpression

    /// Nil for an expression that no index of one source can contain.
    package init?(_ expression: BoundExpression) {
        guard let source = expression.sources.only,
            expression.facts.isDisjoint(with: [.aggregate, .window, .subquery])
        else { return nil }
        let planner = QueryPlanner.analyst(of: source)
        let parts = TypedParts()
        guard let sql = try? planner.exact(expression, parts),
            let text = try? SQLPrinter.sql(sql, isBare: true),
            let keepsTypes = try? planner.keepsTypes(source, parts)
        else { return nil }
        self.source = source
        self.sql = text
        self.keepsTypes = keepsTypes
        definition = expression.definition.withExactDivision
    }
}

extension BoundExpression {
    /// Whether it reads rows of a source, apart from its subqueries.
    package func reads(_ source: ResolvedSource) -> Bool {
        switch form {
        case .property(let owner, _), .metadata(_, let owner), .blob(let owner, _):
            owner === source
        case .match(let index, _), .rank(let index): index.source === source
        default: form.parts.contains { $0.reads(source) }
        }
    }
}
