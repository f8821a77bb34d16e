internal import FleeceLite
internal import StoreFormat

/// Writes queries as SQL.
package struct SQLQueryWriter {
    /// The form of the result columns.
    enum Form {
        /// They are read; each has its column name in the query.
        case output
        /// They are columns `c1`, `c2`, … of a subquery, and keep their types.
        case typed
    }

    /// A query in SQL.
    package struct Written {
        package var sql: String
        package var columnNames: [String]
        /// The columns that are document bodies as stored in the file.
        package var bodies: Set<Int> = []
        /// Whether an additional first column contains the document IDs.
        package var hasKeys = false
    }

    let translation: QueryTranslation
    let outer: QueryScope?
    /// The variables of the enclosing `ANY` and `EVERY`.
    let variables: [(name: String, table: String)]
    /// The visible CTEs.
    var tables: [CTE] = []
    /// Sources beside this query, which are not visible to it.
    var hiddenSources: [String] = []

    /// `name AS (SELECT …)`
    struct CTE {
        let name: String
        let sql: String
        let columnNames: [String]
    }

    package init(_ translation: QueryTranslation) {
        self.translation = translation
        outer = nil
        variables = []
    }

    /// A subquery of an expression.
    package init(outer: QueryScope, _ variables: [(name: String, table: String)]) {
        translation = outer.translation
        self.outer = outer
        self.variables = variables
        tables = outer.tablesByName
    }

    /// Writes a query.
    ///
    /// - Throws: `.invalidQuery` for an invalid query, `.notFound` if a collection does not exist.
    mutating func write(_ query: QuerySelect, as form: Form) throws -> Written {
        let outerTables = tables
        defer { tables = outerTables }
        translation.queryDepth += 1
        defer { translation.queryDepth -= 1 }
        guard translation.queryDepth <= QueryTranslation.deepestQuery else {
            throw StoreError.invalidQuery("subqueries are nested too deeply")
        }
        var with: [String] = []
        for (index, table) in query.with.enumerated() {
            guard !query.with[..<index].contains(where: { $0.name.hasSameBytes(as: table.name) })
            else { throw StoreError.invalidQuery("WITH has two queries named \(table.name)") }
            let written = try write(table.query, as: .typed)
            let name = "w\(translation.newNumber())"
            with.append("\(name) AS (\(written.sql))")
            tables.append(
                CTE(name: table.name, sql: name, columnNames: written.columnNames))
        }
        var written = try body(of: query, as: form)
        if !with.isEmpty { written.sql = "WITH \(with.joined(separator: ", ")) \(written.sql)" }
        try translation.requireLength(written.sql.utf8.count)
        return written
    }

    private mutating func body(of query: QuerySelect, as form: Form) throws -> Written {
        switch query.body {
        case .block(let block):
            return try write(
                block, QueryTail(order: query.order, limit: query.limit, offset: query.offset),
                as: form)
        case .nested(let inner)
        where query.order.isEmpty && query.limit == nil && query.offset == nil:
            return try write(inner, as: form)
        case .nested, .compound: return try compound(query, as: form)
        }
    }
}

/// The end of a query: `ORDER BY … LIMIT … OFFSET …`
package struct QueryTail {
    package var order: [QueryOrder] = []
    var limit: QueryExpression?
    var offset: QueryExpression?

    package init(
        order: [QueryOrder] = [], limit: QueryExpression? = nil, offset: QueryExpression? = nil
    ) {
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}

extension SQLQueryWriter {
    /// Writes a statement that returns rows.
    package mutating func write(_ statement: QueryStatement) throws -> Written {
        guard case .select(let query) = statement else {
            throw StoreError.invalidQuery("an UPDATE or DELETE is not a SELECT")
        }
        return try write(query, as: .output)
    }
}

// Set operators.
extension SQLQueryWriter {
    private mutating func compound(_ query: QuerySelect, as form: Form) throws -> Written {
        let rows = try rows(of: query.body)
        let scope = QueryScope(translation, outer: outer)
        scope.sources = [
            ScopeSource(
                alias: "", prefix: nil, sql: "q", kind: .rows(QueryColumns(rows.columnNames)))
        ]
        let columns = rows.columnNames.enumerated().map { index, title in
            form == .output
                ? "q.c\(index + 1) AS \(title.sqlIdentifier)" : "q.c\(index + 1) AS c\(index + 1)"
        }
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM (\(rows.sql)) AS q"
        let order = try query.order.map { try $0.ofColumn(rows.columnNames.map { .named($0) }) }
        sql += try tail(
            QueryTail(order: order, limit: query.limit, offset: query.offset),
            SQLExpressionWriter(.scope(scope)))
        return Written(sql: sql, columnNames: rows.columnNames)
    }

    /// The rows of a part, in a form that is allowed in an SQL compound query.
    private mutating func rows(of body: QueryBody) throws -> Written {
        switch body {
        case .block(let block): return try write(block, QueryTail(), as: .typed)
        case .nested(let query):
            var written = try write(query, as: .typed)
            written.sql = "SELECT * FROM (\(written.sql))"
            return written
        case .compound(let known, let isAll, let left, let right):
            return try rows(known, isAll, rows(of: left), rows(of: right), rightIsCompound(right))
        }
    }

    /// SQL's set operators have equal precedence and associate from the left.
    private func rightIsCompound(_ body: QueryBody) -> Bool {
        if case .compound = body { true } else { false }
    }

    private func rows(
        _ known: QuerySetOperator, _ isAll: Bool, _ left: Written, _ right: Written,
        _ rightIsCompound: Bool
    ) throws -> Written {
        guard left.columnNames.count == right.columnNames.count else {
            throw StoreError.invalidQuery(
                "\(known.rawValue) needs queries with equally many columns: "
                    + "\(left.columnNames.count) before it, \(right.columnNames.count) after it")
        }
        if isAll, known != .union { return counted(known, left, right) }
        let other = rightIsCompound ? "SELECT * FROM (\(right.sql))" : right.sql
        let name = known.rawValue + (isAll ? " ALL" : "")
        return Written(sql: "\(left.sql) \(name) \(other)", columnNames: left.columnNames)
    }

    /// SQLite has no `INTERSECT ALL` and `EXCEPT ALL`: equal rows are numbered to make them
    /// distinct.
    private func counted(
        _ known: QuerySetOperator, _ left: Written, _ right: Written
    ) -> Written {
        let columns = left.columnNames.indices.map { "c\($0 + 1)" }.joined(separator: ", ")
        let parts = [left, right].map {
            "SELECT *, row_number() OVER (PARTITION BY \(columns)) FROM (\($0.sql))"
        }
        return Written(
            sql: "SELECT \(columns) FROM (\(parts.joined(separator: " \(known.rawValue) ")))",
            columnNames: left.columnNames)
    }
}

// Order and limits.
extension SQLQueryWriter {
    /// `ORDER BY … LIMIT … OFFSET …`
    func tail(_ tail: QueryTail, _ writer: SQLExpressionWriter) throws -> String {
        var sql = ""
        if !tail.order.isEmpty {
            let terms = try tail.order.map { order in
                guard translation.options.onlyChanged else { return try writer.order(order) }
                // A few documents are sorted: the `+` prevents the use of an index.
                let term = try writer.order(QueryOrder(expression: order.expression))
                return "+(\(term))" + order.direction
            }
            sql += " ORDER BY " + terms.joined(separator: ", ")
        }
        guard tail.limit != nil || tail.offset != nil else { return sql }
        sql += " LIMIT " + (try tail.limit.map { try Self.bound($0, translation) } ?? "-1")
        if let offset = tail.offset { sql += " OFFSET " + (try Self.bound(offset, translation)) }
        return sql
    }

    /// A number of rows; it does not depend on a row, so it cannot use the sources.
    static func bound(
        _ expression: QueryExpression, _ translation: QueryTranslation
    ) throws -> String {
        if case .literal(let literal) = expression {
            guard case .integer(let number) = literal else {
                throw StoreError.invalidQuery("LIMIT and OFFSET need an integer")
            }
            return "\(max(number, 0))"
        }
        guard expression.isConstant else {
            throw StoreError.invalidQuery("LIMIT and OFFSET cannot depend on a document")
        }
        let scope = QueryScope(translation, outer: nil)
        return "max(\(try SQLExpressionWriter.sql(expression, .scope(scope))), 0)"
    }
}
