internal import FleeceLite
internal import SQLCore

// Queries inside of expressions.
extension SQLExpressionWriter {
    private func requireScope(_ what: String) throws -> QueryScope {
        guard case .scope(let scope) = source else {
            throw StoreError.invalidQuery("\(what) cannot stand here")
        }
        return scope
    }

    /// The first value of a query, as what it is.
    mutating func subquery(_ query: QuerySelect) throws {
        sql += "fl_plain("
        try scalar(query)
        sql += ")"
    }

    /// The first value of a query, in the form of results.
    mutating func scalar(_ query: QuerySelect) throws {
        var writer = SQLQueryWriter(outer: try requireScope("a query"), variables)
        let inner = try writer.write(query, as: .typed)
        guard inner.titles.count == 1 else {
            throw StoreError.invalidQuery(
                "a query that stands for a value has 1 column, not \(inner.titles.count)")
        }
        sql += "(\(inner.sql))"
    }

    /// `EXISTS (SELECT …)`
    mutating func existence(_ query: QuerySelect) throws {
        var writer = SQLQueryWriter(outer: try requireScope("a query"), variables)
        sql += "EXISTS (\(try writer.write(query, as: .output).sql))"
    }

    /// `IN` the rows of a query, or the elements of a parameter; returns false for other operands.
    mutating func membershipInRows(
        _ value: QueryExpression, _ rows: QueryExpression, _ isNegated: Bool
    ) throws -> Bool {
        let list: String
        switch rows {
        case .subquery(let query):
            var writer = SQLQueryWriter(outer: try requireScope("a query"), variables)
            let inner = try writer.write(query, as: .typed)
            guard inner.titles.count == 1 else {
                throw StoreError.invalidQuery(
                    "a query behind IN has 1 column, not \(inner.titles.count)")
            }
            list = "SELECT fl_plain(c1) FROM (\(inner.sql))"
        case .parameter(let name):
            var writer = self
            writer.sql = ""
            writer.parameter(name)
            list = "SELECT value FROM fl_each(\(writer.sql))"
        default: return false
        }
        try operation(3) { writer in
            try writer.operand(value, isCollated: true)
            writer.sql += (isNegated ? " NOT IN (" : " IN (") + list + ")"
        }
        return true
    }
}

// Words and predictions.
extension SQLExpressionWriter {
    /// Whether a document matches words: by the table of words that the query is joined with, or
    /// by the rows of that table.
    mutating func match(_ name: String, _ words: QueryExpression) throws {
        let scope = try requireScope("MATCH()")
        let table = try scope.wordTable(name)
        if let join = scope.join(of: .match(index: name, words: words)) {
            scope.translation.searches.append(words)
            sql += "\(join.alias).\(table.name) MATCH "
            return try operand(words, isCollated: false)
        }
        scope.translation.searches.append(words)
        try operation(3) { writer in
            writer.sql += writer.columns(of: table.source) + "rowid IN (SELECT docid FROM "
            writer.sql += "\(table.name) WHERE \(table.name) MATCH "
            try writer.operand(words, isCollated: false)
            writer.sql += ")"
        }
    }

    /// How well a document matches.
    mutating func rank(_ name: String) throws {
        let scope = try requireScope("RANK()")
        let table = try scope.wordTable(name)
        guard let join = scope.rankedJoin(table.name) else {
            throw StoreError.invalidQuery(
                "RANK(\(name)) needs MATCH(\(name), …) as a condition that all rows meet")
        }
        sql += "rank(matchinfo(\(join.alias).\(table.name)))"
    }
}

/// A table that belongs to an index and that a query is joined with.
struct ScopeJoin {
    let expression: QueryExpression
    /// As SQL names them.
    let table: String
    let alias: String
    /// The documents' source.
    let source: ScopeSource
    /// Whether rows without a partner are kept.
    var isLeft = false

    var sql: String {
        " \(isLeft ? "LEFT" : "INNER") JOIN \(table) AS \(alias) ON \(alias).docid = "
            + "\(source.sql).rowid"
    }
}

extension QueryScope {
    /// The table of words of an index: `name`, or `source.name`.
    ///
    /// Throws `.invalidQuery` if there is none.
    func wordTable(_ name: String) throws -> (name: String, source: ScopeSource) {
        var scope: QueryScope? = self
        while let current = scope {
            for source in current.sources {
                guard case .records(let table) = source.kind else { continue }
                if let words = table.indexes.words[name] { return (words.sqlName, source) }
                if name.hasPrefix(source.alias + "."),
                    let words = table.indexes.words[String(name.dropFirst(source.alias.count + 1))]
                {
                    return (words.sqlName, source)
                }
            }
            scope = current.outer
        }
        throw StoreError.invalidQuery(
            "there is no full-text index \(name) of a collection of the query; "
                + "createIndex(.fullText(…)) makes one")
    }

    /// The join that answers an expression, once: FTS4 knows one condition of each table.
    func join(of expression: QueryExpression) -> ScopeJoin? {
        joins.first { $0.expression == expression }
    }

    func rankedJoin(_ table: String) -> ScopeJoin? {
        joins.first { $0.table == table } ?? outer?.rankedJoin(table)
    }

    /// Joins the tables of words that all rows of the query must match.
    func joinWords(of condition: QueryExpression?) throws {
        for operand in condition?.conjuncts ?? [] {
            guard case .match(let name, _) = operand else { continue }
            let table = try wordTable(name)
            guard !joins.contains(where: { $0.table == table.name }),
                sources.contains(where: { $0.sql == table.source.sql })
            else { continue }
            joins.append(
                ScopeJoin(
                    expression: operand, table: table.name, alias: newJoinAlias(),
                    source: table.source))
        }
    }

    /// `"<idx1>"`, as LiteCore calls it.
    private func newJoinAlias() -> String { "<idx\(translation.newNumber())>".sqlName }
}

extension QueryExpression {
    /// The conditions that must all be true for this one to be.
    var conjuncts: [QueryExpression] {
        guard case .operation(.and, let operands) = self else { return [self] }
        return operands.flatMap(\.conjuncts)
    }
}
