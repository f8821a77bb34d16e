/// A plan as text, one clause to a line, in which `[byAge: …]` marks an expression that the index
/// `byAge` can provide.
package struct PlanText {
    private var lines: [String] = []
    private var depth = 0

    /// The text of a plan.
    ///
    /// - Throws: `.invalidQuery` if an expression is too long.
    package static func text(_ plan: QueryStatementPlan) throws -> String {
        var text = PlanText()
        try text.add(plan.rows)
        for check in plan.guards {
            let value = try SQLPrinter.sql(check.expression, isBare: true)
            text.lines.append("if no \(value) in \(check.table) is ambiguous")
        }
        if plan.hasKeys { text.lines.append("with document IDs") }
        if !plan.bodies.isEmpty {
            let columns = plan.bodies.sorted().map { plan.columnNames[$0] }
            text.lines.append("with stored bodies: " + columns.joined(separator: ", "))
        }
        return text.lines.joined(separator: "\n")
    }

    private mutating func add(_ line: String) {
        lines.append(String(repeating: "  ", count: depth) + line)
    }

    private mutating func indented(_ body: (inout PlanText) throws -> Void) rethrows {
        depth += 1
        try body(&self)
        depth -= 1
    }

    private mutating func add(_ rows: RowsPlan) throws {
        switch rows {
        case .select(let select): try add(select)
        case .all(let inner): try add(inner)
        case .combined(let known, let left, let right):
            add(known.lowercased())
            try indented {
                try $0.add(left)
                try $0.add(right)
            }
        case .counted(let known, let left, let right, _):
            add(known.lowercased() + " all, of numbered rows")
            try indented {
                try $0.add(left)
                try $0.add(right)
            }
        case .with(let tables, let rows):
            for table in tables {
                add("with \(table.name)")
                try indented { try $0.add(table.rows) }
            }
            try add(rows)
        }
    }

    private mutating func add(_ select: SelectPlan) throws {
        let columns = try select.columns.map { column in
            try Self.sql(column.expression) + (column.name.map { " as " + $0 } ?? "")
        }
        add((select.isDistinct ? "select distinct " : "select ") + columns.joined(separator: ", "))
        try indented { text in
            for source in select.sources { try text.add(source) }
            for condition in select.conditions { text.add("where " + (try Self.sql(condition))) }
            for group in select.groups { text.add("group by " + (try Self.sql(group))) }
            if let having = select.groupCondition { text.add("having " + (try Self.sql(having))) }
            for order in select.order {
                text.add(
                    "order by " + (try Self.sql(order.expression))
                        + (order.isDescending ? " desc" : "")
                        + (order.missingIsLast.map { $0 ? " nulls last" : " nulls first" } ?? ""))
            }
            if let limit = select.limit { text.add("limit " + (try Self.sql(limit))) }
            if let offset = select.offset { text.add("offset " + (try Self.sql(offset))) }
        }
    }

    private mutating func add(_ source: SourcePlan) throws {
        let join = source.join.map { $0.rawValue.lowercased() } ?? "from"
        let alias = source.alias.map { " as " + $0 } ?? ""
        switch source.table {
        case .table(let name), .cte(let name): add("\(join) \(name)\(alias)")
        case .withTombstones(let live, let tombstones, _):
            add("\(join) \(live) and \(tombstones)\(alias)")
        case .elements(let call): add("\(join) \(try Self.sql(call))\(alias)")
        case .nearest(let nearest):
            add("\(join) the nearest in \(nearest.ownName ?? nearest.table)\(alias)")
        case .rows(let rows):
            add("\(join) rows\(alias)")
            try indented { try $0.add(rows) }
        }
        for condition in source.conditions { add("  on " + (try Self.sql(condition))) }
    }

    private static func sql(_ expression: SQLExpression) throws -> String {
        try SQLPrinter.sql(expression, marksIndexes: true)
    }
}
