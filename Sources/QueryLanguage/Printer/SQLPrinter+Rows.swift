internal import StoreFormat

// Queries.
extension SQLPrinter {
    mutating func write(_ rows: RowsPlan) throws {
        let outer = enter()
        defer { leave(outer) }
        switch rows {
        case .select(let select): try write(select)
        case .all(let inner):
            sql += "SELECT * FROM ("
            try write(inner)
            sql += ")"
        case .combined(let known, let left, let right):
            try write(left)
            sql += " \(known) "
            try write(right)
        case .counted(let known, let left, let right, let columnCount):
            let columns = (1...columnCount).map { "c\($0)" }.joined(separator: ", ")
            sql += "SELECT \(columns) FROM ("
            try number(left, columns)
            sql += " \(known) "
            try number(right, columns)
            sql += ")"
        case .with(let tables, let rows):
            sql += "WITH "
            for (index, table) in tables.enumerated() {
                if index > 0 { sql += ", " }
                sql += "\(table.name) AS ("
                try write(table.rows)
                sql += ")"
            }
            sql += " "
            try write(rows)
        }
    }

    private mutating func number(_ rows: RowsPlan, _ columns: String) throws {
        sql += "SELECT *, row_number() OVER (PARTITION BY \(columns)) FROM ("
        try write(rows)
        sql += ")"
    }

    private mutating func write(_ select: SelectPlan) throws {
        sql += select.isDistinct ? "SELECT DISTINCT " : "SELECT "
        for (index, column) in select.columns.enumerated() {
            if index > 0 { sql += ", " }
            try write(column.expression, within: 0)
            if let name = column.name { sql += " AS " + name }
        }
        sql += " FROM "
        for source in select.sources { try write(source) }
        if !select.conditions.isEmpty {
            sql += " WHERE "
            try conjunction(select.conditions)
        }
        if !select.groups.isEmpty {
            sql += " GROUP BY "
            try list(select.groups)
        }
        if let condition = select.groupCondition {
            sql += " HAVING "
            try write(condition, within: 0)
        }
        if !select.order.isEmpty {
            sql += " ORDER BY "
            try write(select.order)
        }
        guard select.limit != nil || select.offset != nil else { return }
        sql += " LIMIT "
        try write(select.limit ?? .atom("-1"), within: 0)
        guard let offset = select.offset else { return }
        sql += " OFFSET "
        try write(offset, within: 0)
    }

    private mutating func conjunction(_ conditions: [SQLExpression]) throws {
        for (index, condition) in conditions.enumerated() {
            if index > 0 { sql += " AND " }
            try write(condition, within: conditions.count > 1 ? 2 : 0)
        }
    }

    private mutating func write(_ source: SourcePlan) throws {
        if let join = source.join { sql += " \(join.rawValue) " }
        if source.marksMatches { sql += "(SELECT *, 1 AS c0 FROM " }
        try write(source.table)
        if source.marksMatches { sql += ")" }
        if let alias = source.alias { sql += " AS " + alias }
        guard !source.conditions.isEmpty else { return }
        sql += " ON "
        try conjunction(source.conditions)
    }

    private mutating func write(_ table: SourcePlan.Table) throws {
        switch table {
        case .table(let name), .cte(let name): sql += name
        case .withTombstones(let live, let tombstones, let hasExpiration):
            let columns =
                "key, sequence, flags, version, body, "
                + (hasExpiration ? "expiration" : "NULL AS expiration")
            sql +=
                "(SELECT rowid AS rowid, \(columns) FROM \(live) UNION ALL "
                + "SELECT NULL, \(columns) FROM \(tombstones))"
        case .rows(let rows): try parentheses { try $0.write(rows) }
        case .elements(let call): try write(call)
        case .nearest(let nearest) where nearest.ownName != nil: try writeOwn(nearest)
        case .nearest(let nearest):
            sql += "(SELECT docid, distance FROM \(nearest.table) WHERE vector MATCH "
            try write(nearest.vector)
            if let probes = nearest.probes { sql += " AND vectorsearch_probes(vector, \(probes))" }
            sql += " LIMIT "
            try write(nearest.limit ?? .atom("-1"), within: 0)
            sql += ")"
        }
    }

    /// `vector_nearest('index', vector, limit, probes, (SELECT document_set(rowid) FROM …))`
    mutating func writeOwn(_ nearest: NearestPlan) throws {
        sql += "vector_nearest(" + (nearest.ownName ?? "").sqlLiteral + ", "
        try write(nearest.vector)
        sql += ", "
        try write(nearest.limit ?? .atom("NULL"), within: 0)
        sql += nearest.probes.map { ", \($0), " } ?? ", NULL, "
        if let documents = nearest.documents {
            try parentheses { try $0.write(documents) }
        } else {
            sql += "NULL"
        }
        sql += ")"
    }

    mutating func write(_ list: SQLRowList) throws {
        switch list {
        case .decoded(let rows):
            sql += "SELECT fl_plain(c1) FROM ("
            try write(rows)
            sql += ")"
        case .values(let call):
            sql += "SELECT value FROM fl_each("
            try write(call, within: 0)
            sql += ")"
        case .lookup(let lookup):
            sql += "SELECT \(lookup.column) FROM \(lookup.table)"
            if let index = lookup.index { sql += " INDEXED BY " + index }
            sql += " WHERE "
            try write(lookup.condition, within: 0)
        }
    }
}
