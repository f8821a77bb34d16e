internal import FleeceLite
internal import StoreFormat

/// `APPROX_VECTOR_DISTANCE(property, vector [, metric [, probes [, accurate]]])`: the distance of
/// documents from a vector, by the vector index on the property.
struct VectorDistanceJoin {
    /// The name of the function.
    static let function = "approx_vector_distance"

    let scope: QueryScope
    let tail: QueryTail
    let condition: QueryExpression?

    /// Joins the vector tables of a query.
    ///
    /// - Throws: `.invalidQuery`, or `.missingIndex`.
    func join(_ expressions: [QueryExpression]) throws {
        for expression in expressions { try join(in: expression) }
        for part in condition?.conjuncts ?? [] {
            if case .operation(.or, _) = part, part.hasVectorDistance {
                throw StoreError.invalidQuery("APPROX_VECTOR_DISTANCE() is not allowed inside OR")
            }
            try join(in: part)
        }
    }

    private func join(in expression: QueryExpression) throws {
        var calls: [QueryExpression] = []
        expression.visit {
            if case .function(Self.function, _) = $0 { calls.append($0) }
        }
        for call in calls where scope.join(of: call) == nil { try join(call) }
    }

    private func join(_ call: QueryExpression) throws {
        guard case .function(_, let arguments) = call, arguments.count >= 2 else { return }
        let (table, source) = try table(of: arguments[0])
        try requireMetric(arguments, table)
        let alias = scope.newJoinAlias()
        var vector = SQLExpressionWriter(.scope(scope))
        try vector.call("encode_vector", [arguments[1]])
        let probes = try self.probes(arguments)
        // Without other conditions the nearest documents are found first.
        guard (condition?.conjuncts ?? []).allSatisfy(\.hasVectorDistance) else {
            let match = " AND \(alias).vector MATCH \(vector.sql)"
            return scope.joins.append(
                ScopeJoin(
                    expression: call, table: table.sqlName, alias: alias, source: source,
                    condition: match
                        + (probes.map { " AND vectorsearch_probes(\(alias).vector, \($0))" } ?? ""))
            )
        }
        guard let limit = tail.limit else {
            throw StoreError.invalidQuery(
                "APPROX_VECTOR_DISTANCE() needs a LIMIT if there is no other condition")
        }
        let nearest =
            "(SELECT docid, distance FROM \(table.sqlName) WHERE vector MATCH \(vector.sql)"
            + (probes.map { " AND vectorsearch_probes(vector, \($0))" } ?? "")
            + " LIMIT \(try SQLQueryWriter.bound(limit, scope.translation)))"
        scope.joins.append(
            ScopeJoin(expression: call, table: nearest, alias: alias, source: source))
    }

    private func table(
        of property: QueryExpression
    ) throws -> (QueryIndexes.VectorTable, ScopeSource) {
        var writer = SQLExpressionWriter(.scope(scope))
        writer.isTextOfIndex = true
        try writer.write(property)
        guard let source = scope.sources.first(where: { writer.usedTables.contains($0.sql) }),
            case .records(let table) = source.kind, let index = table.indexes.vectors[writer.sql]
        else {
            throw StoreError(
                .missingIndex, "there is no vector index of \(SQLPPWriter.text(property))")
        }
        return (index, source)
    }

    private func requireMetric(
        _ arguments: [QueryExpression], _ table: QueryIndexes.VectorTable
    ) throws {
        if arguments.count > 2, case .literal(.string(let name)) = arguments[2],
            let metric = Self.metric(name)
        {
            guard metric == table.metric else {
                throw StoreError.invalidQuery(
                    "the vector index measures \(table.metric), not \(metric)")
            }
        } else if arguments.count > 2, arguments[2] != .literal(.null) {
            throw StoreError.invalidQuery(
                "the third argument of APPROX_VECTOR_DISTANCE() is the name of a metric")
        }
        if arguments.count > 4, arguments[4] != .literal(.boolean(false)) {
            throw StoreError.invalidQuery(
                "the fifth argument of APPROX_VECTOR_DISTANCE() can only be FALSE")
        }
    }

    private func probes(_ arguments: [QueryExpression]) throws -> Int64? {
        guard arguments.count > 3, arguments[3] != .literal(.null) else { return nil }
        guard case .literal(.integer(let probes)) = arguments[3], probes > 0 else {
            throw StoreError.invalidQuery(
                "the fourth argument of APPROX_VECTOR_DISTANCE() is a positive integer")
        }
        return probes
    }

    /// The canonical name of a metric; nil if it is unknown.
    static func metric(_ name: String) -> String? {
        switch name.asciiLowercased {
        case "euclidean2", "euclidean_squared", "l2_squared", "default": "euclidean2"
        case "euclidean", "l2": "euclidean"
        case "cosine", "cosine_distance": "cosine"
        case "cosine_similarity": "cosine_similarity"
        case "dot", "dot_product_distance": "dot"
        case "dot_product_similarity": "dot_product_similarity"
        default: nil
        }
    }
}

extension QueryExpression {
    /// Whether it uses a vector index.
    var hasVectorDistance: Bool {
        var has = false
        visit { if case .function(VectorDistanceJoin.function, _) = $0 { has = true } }
        return has
    }
}
