internal import FleeceLite
internal import StoreFormat

// Subqueries of expressions.
extension SQLExpressionWriter {
    private func requireScope(_ what: String) throws -> QueryScope {
        guard case .scope(let scope) = source else {
            throw StoreError.invalidQuery("\(what) is not allowed here")
        }
        return scope
    }

    /// Writes the first value of a subquery, with its type.
    mutating func subquery(_ query: QuerySelect) throws {
        sql += "fl_plain("
        try scalar(query)
        sql += ")"
    }

    /// Writes the first value of a subquery, in the form of results.
    mutating func scalar(_ query: QuerySelect) throws {
        var writer = SQLQueryWriter(outer: try requireScope("a subquery"), variables)
        let inner = try writer.write(query, as: .typed)
        guard inner.columnNames.count == 1 else {
            throw StoreError.invalidQuery(
                "a scalar subquery must have 1 column, not \(inner.columnNames.count)")
        }
        sql += "(\(inner.sql))"
    }

    /// `EXISTS (SELECT …)`
    mutating func existence(_ query: QuerySelect) throws {
        var writer = SQLQueryWriter(outer: try requireScope("a subquery"), variables)
        sql += "EXISTS (\(try writer.write(query, as: .output).sql))"
    }

    /// `IN` with the rows of a query or the elements of a parameter; returns false for other
    /// operands.
    mutating func membershipInRows(
        _ value: QueryExpression, _ rows: QueryExpression, _ isNegated: Bool
    ) throws -> Bool {
        let list: String
        switch rows {
        case .subquery(let query):
            var writer = SQLQueryWriter(outer: try requireScope("a subquery"), variables)
            let inner = try writer.write(query, as: .typed)
            guard inner.columnNames.count == 1 else {
                throw StoreError.invalidQuery(
                    "a subquery after IN must have 1 column, not \(inner.columnNames.count)")
            }
            list = "SELECT fl_plain(c1) FROM (\(inner.sql))"
        // Otherwise as for an array of a document: a Boolean is not a number.
        case .parameter(let name) where collation != nil:
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

// Full-text matches and predictions.
extension SQLExpressionWriter {
    /// The output of a model, from the table of its predictive index if there is one, which is then
    /// joined.
    mutating func prediction(
        _ model: QueryExpression, _ input: QueryExpression, _ property: PropertyPath?
    ) throws {
        if case .scope(let scope) = source, !isTextOfIndex, variables.isEmpty,
            let table = try scope.predictionTable(model, input)
        {
            // A value from an index of that table has no type.
            let hides = keepsSubtypes || isHidden
            guard let property else { return try wholeAnswer(table, model, input, hides) }
            sql += "fl_unnested_value(\(hides ? "+" : "")\(table).body, "
            try text("." + property.description)
            return sql += ")"
        }
        let path = property.map { [QueryExpression.string("." + $0.description)] } ?? []
        try call("prediction", [model, input] + path)
    }

    /// The whole output of a model, in whose table a Boolean is a number.
    private mutating func wholeAnswer(
        _ table: String, _ model: QueryExpression, _ input: QueryExpression, _ hides: Bool
    ) throws {
        let value = "fl_unnested_value(\(table).body)"
        guard hides else { return sql += value }
        sql += "CASE WHEN typeof(\(value)) = 'integer' AND \(value) < 2 THEN "
        try call("prediction", [model, input])
        sql += " ELSE \(value) END"
    }

    /// The distance of a document from a vector.
    mutating func vectorDistance(_ expression: QueryExpression) throws {
        guard let join = try requireScope("APPROX_VECTOR_DISTANCE()").join(of: expression) else {
            throw StoreError.invalidQuery("APPROX_VECTOR_DISTANCE() is not allowed here")
        }
        sql += join.alias + ".distance"
    }

    /// Whether a document matches a full-text query: by a join with the full-text table, or by a
    /// subquery of its rows.
    mutating func match(_ name: String, _ words: QueryExpression) throws {
        let scope = try requireScope("MATCH()")
        let table = try scope.fullTextSource(name)
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

    /// The rank of a match.
    mutating func rank(_ name: String) throws {
        let scope = try requireScope("RANK()")
        let table = try scope.fullTextSource(name)
        guard let join = scope.rankedJoin(table.name) else {
            throw StoreError.invalidQuery(
                "RANK(\(name)) needs MATCH(\(name), …) as a condition that all rows meet")
        }
        sql += "rank(matchinfo(\(join.alias).\(table.name)))"
    }
}
