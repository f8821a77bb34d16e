internal import FleeceLite

extension SQLExpression {
    /// The direct parts, except those of subqueries.
    var parts: [SQLExpression] {
        switch self {
        case .atom, .literal, .parameterNamed, .columnOf, .scalar, .exists: []
        case .call(_, let parts), .infix(_, let parts, _): parts
        case .aggregate(let aggregate): aggregate.parts
        case .not(let value), .negative(let value), .isNotNull(let value),
            .match(_, let value), .collated(let value, _), .cast(let value, _),
            .isDeleted(let value), .isAlive(let value), .hidden(let value),
            .prefixed(_, let value), .grouped(_, let value), .within(_, let value),
            .bare(let value), .indexed(let value, _):
            [value]
        case .between(let one, let two, let three), .like(let one, let two, let three),
            .element(let one, let two, let three):
            [one, two, three]
        case .cases(let subject, let branches, let otherwise):
            [subject, otherwise].compactMap(\.self) + branches.flatMap { [$0.condition, $0.value] }
        case .isIn(let value, let others, _): [value] + others
        case .isInRows(let value, .values(let call), _): [value, call]
        case .isInRows(let value, .lookup(let lookup), _): [value, lookup.condition]
        case .isInRows(let value, .decoded, _): [value]
        case .quantified(let quantifier):
            [quantifier.rows, quantifier.condition] + (quantifier.count.map { [$0] } ?? [])
        }
    }

    /// Its own subquery; nil if it is none.
    var rows: RowsPlan? {
        switch self {
        case .scalar(let rows), .exists(let rows), .isInRows(_, .decoded(let rows), _): rows
        default: nil
        }
    }

    /// Calls `body` with the expression and its parts, also those of subqueries.
    func visit(_ body: (SQLExpression) -> Void) {
        body(self)
        for part in parts { part.visit(body) }
        rows?.visit(body) { _ in }
    }
}

extension SQLAggregate {
    fileprivate var parts: [SQLExpression] {
        (arguments ?? []) + (filter.map { [$0] } ?? [])
            + (window.map { $0.partitions + $0.order.map(\.expression) } ?? [])
    }
}

extension RowsPlan {
    /// Calls functions with all expressions and all sources, also those of subqueries in `FROM`.
    func visit(
        _ expression: (SQLExpression) -> Void, _ source: (SourcePlan) -> Void
    ) {
        for select in selects {
            for part in select.expressions { part.visit(expression) }
            for item in select.sources {
                source(item)
                for condition in item.conditions { condition.visit(expression) }
                switch item.table {
                case .rows(let rows): rows.visit(expression, source)
                case .elements(let call): call.visit(expression)
                case .nearest(let nearest): nearest.vector.visit(expression)
                case .table, .withTombstones, .cte: break
                }
            }
        }
    }

    /// The `SELECT`s that it combines.
    private var selects: [SelectPlan] {
        switch self {
        case .select(let select): [select]
        case .all(let rows): rows.selects
        case .combined(_, let left, let right), .counted(_, let left, let right, _):
            left.selects + right.selects
        case .with(let tables, let rows): tables.flatMap(\.rows.selects) + rows.selects
        }
    }
}

extension SelectPlan {
    /// The expressions, except those of its `FROM`.
    var expressions: [SQLExpression] {
        columns.map(\.expression) + conditions + groups + order.map(\.expression)
            + [groupCondition, limit, offset].compactMap(\.self)
    }

    /// Whether it reads a column of the table with this alias, apart from its `FROM`.
    func reads(_ alias: String) -> Bool {
        var found = false
        for expression in expressions {
            expression.visit {
                if case .columnOf(let table, _) = $0, table == ExactString(alias) { found = true }
            }
        }
        return found
    }
}
