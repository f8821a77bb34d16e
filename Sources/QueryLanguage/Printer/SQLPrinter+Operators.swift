internal import StoreFormat

// Operators with more than symbols, and aggregates.
extension SQLPrinter {
    mutating func writeOfRows(_ expression: SQLExpression) throws {
        switch expression {
        case .between(let value, let low, let high):
            try operation(3) {
                try $0.write(value)
                $0.sql += " BETWEEN "
                try $0.write(low)
                $0.sql += " AND "
                try $0.write(high)
            }
        case .like(let value, let pattern, let escape):
            try operation(3) {
                try $0.write(value)
                $0.sql += " LIKE "
                try $0.write(pattern)
                $0.sql += " ESCAPE "
                try $0.write(escape, within: 10)
            }
        case .cases(let subject, let branches, let otherwise):
            try cases(subject, branches, otherwise)
        case .isIn(let value, let others, let isNegated):
            try operation(3) {
                try $0.write(value)
                $0.sql += isNegated ? " NOT IN (" : " IN ("
                try $0.list(others)
                $0.sql += ")"
            }
        case .isInRows(let value, let rows, let isNegated):
            try operation(3) {
                try $0.write(value)
                $0.sql += isNegated ? " NOT IN (" : " IN ("
                try $0.write(rows)
                $0.sql += ")"
            }
        case .quantified(let quantifier): try write(quantifier)
        case .scalar(let rows): try parentheses { try $0.write(rows) }
        case .exists(let rows):
            try operation(8) { printer in
                printer.sql += "EXISTS "
                try printer.parentheses { try $0.write(rows) }
            }
        case .element(let value, let rows, let number):
            sql += "(SELECT "
            try write(value, within: 0)
            sql += " FROM "
            try write(rows)
            sql += " WHERE rowid = "
            try write(number)
            sql += ")"
        // Written where this is called.
        case .atom, .literal, .columnOf, .parameterNamed, .call, .aggregate, .infix, .not,
            .negative, .isNotNull, .match, .collated, .cast, .isDeleted, .isAlive, .hidden,
            .prefixed, .grouped, .within, .bare, .indexed:
            break
        }
    }

    private mutating func cases(
        _ subject: SQLExpression?, _ branches: [SQLCase], _ otherwise: SQLExpression?
    ) throws {
        sql += "CASE"
        if let subject {
            sql += " "
            try write(subject, within: 0)
        }
        for branch in branches {
            sql += " WHEN "
            try write(branch.condition, within: 0)
            sql += " THEN "
            try write(branch.value, within: 0)
        }
        if let otherwise {
            sql += " ELSE "
            try write(otherwise, within: 0)
        }
        sql += " END"
    }

    private mutating func write(_ quantifier: SQLQuantifier) throws {
        // SQL's NOT would absorb a following operator into its operand.
        let isAmbiguous = quantifier.kind == .every && isNested(above: 2)
        try parentheses(if: isAmbiguous || quantifier.kind == .anyAndEvery) {
            if let count = quantifier.count {
                try $0.write(count)
                $0.sql += " > 0 AND "
            }
            if quantifier.kind != .any { $0.sql += "NOT " }
            $0.sql += "EXISTS (SELECT 1 FROM "
            try $0.write(quantifier.rows)
            $0.sql += " AS \(quantifier.alias) WHERE "
            try $0.write(quantifier.condition, within: 0)
            $0.sql += ")"
        }
    }

    mutating func write(_ aggregate: SQLAggregate) throws {
        sql += aggregate.function + "("
        if aggregate.isDistinct { sql += "DISTINCT " }
        if let arguments = aggregate.arguments { try list(arguments) } else { sql += "*" }
        sql += ")"
        if let filter = aggregate.filter {
            sql += " FILTER (WHERE "
            try write(filter, within: 0)
            sql += ")"
        }
        guard let window = aggregate.window else { return }
        sql += " OVER ("
        try write(window)
        sql += ")"
    }

    private mutating func write(_ window: SQLWindow) throws {
        var separator = ""
        if !window.partitions.isEmpty {
            sql += "PARTITION BY "
            try list(window.partitions)
            separator = " "
        }
        if !window.order.isEmpty {
            sql += separator + "ORDER BY "
            try write(window.order)
            separator = " "
        }
        guard let frame = window.frame else { return }
        sql += separator + frame.unit.rawValue + (frame.end == nil ? " " : " BETWEEN ")
        try write(frame.start)
        if let end = frame.end {
            sql += " AND "
            try write(end)
        }
        if let exclusion = frame.exclusion { sql += " EXCLUDE \(exclusion.rawValue)" }
    }

    private mutating func write(_ bound: SQLWindow.Bound) throws {
        switch bound {
        case .unboundedPreceding: sql += "UNBOUNDED PRECEDING"
        case .preceding(let distance):
            try write(distance, within: 10)
            sql += " PRECEDING"
        case .currentRow: sql += "CURRENT ROW"
        case .following(let distance):
            try write(distance, within: 10)
            sql += " FOLLOWING"
        case .unboundedFollowing: sql += "UNBOUNDED FOLLOWING"
        }
    }

    mutating func write(_ order: [SQLOrder]) throws {
        for (index, term) in order.enumerated() {
            if index > 0 { sql += ", " }
            try write(term.expression, within: 0)
            if term.isDescending { sql += " DESC" }
            if let isLast = term.missingIsLast { sql += isLast ? " NULLS LAST" : " NULLS FIRST" }
        }
    }
}

extension QueryCollation {
    /// The `COLLATE` suffix of a compared value.
    var sqlSuffix: String { " COLLATE " + sqlName.sqlIdentifier }

    /// Its name in SQL, as in LiteCore: `NOCASE`, `LCUnicode_CD_se`.
    package var sqlName: String {
        guard isUnicode else { return isCaseSensitive ? "BINARY" : "NOCASE" }
        return "LCUnicode_" + (isCaseSensitive ? "_" : "C") + (isDiacriticSensitive ? "_" : "D")
            + "_" + locale
    }
}
