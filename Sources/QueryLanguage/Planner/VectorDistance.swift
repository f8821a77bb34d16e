internal import FleeceLite
internal import StoreFormat

/// `APPROX_VECTOR_DISTANCE(property, vector [, metric [, probes [, accurate]]])`: the distance of
/// documents from a vector, by the vector index on the property.
struct VectorDistance {
    private let block: BoundBlock

    init(_ block: BoundBlock) {
        self.block = block
    }

    /// Joins the vector tables of a query.
    ///
    /// - Throws: `.invalidQuery`, or `.missingIndex`.
    func join(_ planner: inout ExpressionPlanner) throws {
        for result in block.results { try join(in: result.expression, &planner) }
        for term in block.tail.order { try join(in: term.expression, &planner) }
        guard let condition = block.condition, condition.facts.contains(.vectorDistance) else {
            return
        }
        for part in condition.conjuncts {
            if case .operation(.or, _) = part.form, part.facts.contains(.vectorDistance) {
                throw planner.located(
                    StoreError.invalidQuery(
                        "APPROX_VECTOR_DISTANCE() is not allowed inside OR"), part)
            }
            try join(in: part, &planner)
        }
    }

    private func join(in expression: BoundExpression, _ planner: inout ExpressionPlanner) throws {
        guard expression.facts.contains(.vectorDistance) else { return }
        if case .function(let function, let arguments) = expression.form,
            function.name == QueryFunction.vectorDistance
        {
            do {
                try join(arguments, &planner)
            } catch {
                throw planner.located(error, expression)
            }
        }
        for part in expression.form.parts { try join(in: part, &planner) }
    }

    private func join(
        _ arguments: [BoundExpression], _ planner: inout ExpressionPlanner
    ) throws {
        let content = try Self.content(arguments, planner)
        guard arguments.count >= 2, planner.join(content) == nil,
            let statement = planner.statement
        else { return }
        let (table, source) = try table(of: arguments, planner)
        try requireMetric(arguments, table, planner)
        let alias = statement.newJoinAlias()
        let vector = SQLExpression.call(
            "encode_vector", [try planner.value(arguments[1], ValueUse().typed())])
        let probes = try self.probes(arguments, planner)
        if let name = table.ownName {
            guard case .none = arguments[1].sources else {
                throw planner.located(
                    StoreError.invalidQuery(
                        "the second argument of APPROX_VECTOR_DISTANCE() cannot depend on the "
                            + "document"), arguments[1])
            }
            var nearest = NearestPlan(
                table: table.sqlName, ownName: name, vector: vector, probes: probes,
                limit: try ownLimit(of: arguments, source, planner))
            nearest.documents = try documents(of: source, planner)
            planner.joins.append(
                JoinPlan(content: content, table: .nearest(nearest), alias: alias, source: source))
            return
        }
        // Without other conditions the nearest documents are found first.
        guard let limit = try limit(statement) else {
            let column = SQLExpression.column(alias, "vector")
            let probing = probes.map {
                SQLExpression.call("vectorsearch_probes", [column, .atom("\($0)")])
            }
            planner.joins.append(
                JoinPlan(
                    content: content, table: .table(table.sqlName), alias: alias, source: source,
                    conditions: [.match("\(alias).vector", words: vector)]
                        + (probing.map { [$0] } ?? [])))
            return
        }
        let nearest = NearestPlan(
            table: table.sqlName, vector: vector, probes: probes, limit: limit)
        planner.joins.append(
            JoinPlan(content: content, table: .nearest(nearest), alias: alias, source: source))
    }

    static func content(
        _ arguments: [BoundExpression], _ planner: ExpressionPlanner
    ) throws -> JoinPlan.Content {
        .distance(try arguments.map { try planner.exact($0) })
    }

    /// The number of nearest documents, if there is no other condition.
    private func limit(_ statement: QueryPlanner) throws -> SQLExpression? {
        let conjuncts = block.condition?.conjuncts ?? []
        guard conjuncts.allSatisfy({ $0.facts.contains(.vectorDistance) }) else { return nil }
        guard let limit = block.tail.limit else {
            throw StoreError.invalidQuery(
                "APPROX_VECTOR_DISTANCE() needs a LIMIT if there is no other condition")
        }
        return try statement.bound(limit)
    }

    /// The number of nearest documents from which the rows of the query follow; nil if all are
    /// needed, since the query is not ordered by the distance alone, or has no limit.
    private func ownLimit(
        of arguments: [BoundExpression], _ source: ResolvedSource, _ planner: ExpressionPlanner
    ) throws -> SQLExpression? {
        guard let statement = planner.statement else { return nil }
        // Without another condition, a limit is required.
        let required = try limit(statement)
        guard let limit = block.tail.limit, !block.isDistinct, block.groups.isEmpty,
            block.groupCondition == nil,
            !block.results.contains(where: {
                $0.expression.facts.contains(.aggregate) || $0.expression.facts.contains(.window)
            }),
            let first = block.tail.order.first, !first.isDescending,
            case .function(let function, let operands) = first.expression.form,
            function.name == QueryFunction.vectorDistance,
            try Self.content(operands, planner) == Self.content(arguments, planner)
        else { return nil }
        guard try isOnlyDistance(Self.content(arguments, planner), planner) else { return nil }
        let count = try required ?? statement.bound(limit)
        guard let offset = block.tail.offset else { return count }
        return .infix("+", [count, try statement.bound(offset)], 4)
    }

    /// Whether the block has no other distance, and compares this one only with an upper bound: of
    /// the nearest documents, those within the bound are then the result.
    private func isOnlyDistance(
        _ content: JoinPlan.Content, _ planner: ExpressionPlanner
    ) throws -> Bool {
        let values = block.results.map(\.expression) + block.tail.order.map(\.expression)
        for value in values {
            guard try holds(value, content, planner) else { return false }
        }
        for part in block.condition?.conjuncts ?? [] where part.facts.contains(.vectorDistance) {
            guard case .operation(let known, let operands) = part.form, operands.count == 2,
                known == .less || known == .lessOrEqual,
                case .function(let function, let arguments) = operands[0].form,
                function.name == QueryFunction.vectorDistance,
                try Self.content(arguments, planner) == content, operands[1].isConstant
            else { return false }
        }
        return true
    }

    /// Whether all distances in an expression are this one.
    private func holds(
        _ expression: BoundExpression, _ content: JoinPlan.Content, _ planner: ExpressionPlanner
    ) throws -> Bool {
        guard expression.facts.contains(.vectorDistance) else { return true }
        if case .function(let function, let arguments) = expression.form,
            function.name == QueryFunction.vectorDistance
        {
            return try Self.content(arguments, planner) == content
        }
        for part in expression.form.parts {
            guard try holds(part, content, planner) else { return false }
        }
        return true
    }

    /// The rows whose documents the index searches: those that meet the other conditions; nil if
    /// there are none.
    private func documents(
        of source: ResolvedSource, _ planner: ExpressionPlanner
    ) throws -> RowsPlan? {
        let others = (block.condition?.conjuncts ?? []).filter {
            !$0.facts.contains(.vectorDistance)
        }
        guard !others.isEmpty || block.sources.count > 1, let statement = planner.statement else {
            return nil
        }
        return .select(try statement.documents(of: source, in: block, others, planner))
    }

    private func table(
        of arguments: [BoundExpression], _ planner: ExpressionPlanner
    ) throws -> (QueryIndexes.VectorTable, ResolvedSource) {
        let property = arguments[0]
        let text = try SQLPrinter.sql(try planner.exact(property), isBare: true)
        guard let source = property.sources.only, source.block == planner.block.number,
            let indexes = source.table?.indexes.vectors[text], let first = indexes.first
        else {
            throw StoreError(
                .missingIndex,
                "there is no vector index of \(SQLPPWriter.text(property.definition))")
        }
        guard arguments.count > 2, case .literal(.string(let name)) = arguments[2].form,
            let metric = Self.metric(name)
        else { return (first, source) }
        return (indexes.first { $0.metric == metric } ?? first, source)
    }

    private func requireMetric(
        _ arguments: [BoundExpression], _ table: QueryIndexes.VectorTable,
        _ planner: ExpressionPlanner
    ) throws {
        if arguments.count > 2, case .literal(.string(let name)) = arguments[2].form,
            let metric = Self.metric(name)
        {
            guard metric == table.metric else {
                throw planner.located(
                    StoreError.invalidQuery(
                        "the vector index measures \(table.metric), not \(metric)"),
                    arguments[2])
            }
        } else if arguments.count > 2, !arguments[2].isNull {
            throw planner.located(
                StoreError.invalidQuery(
                    "the third argument of APPROX_VECTOR_DISTANCE() is the name of a metric"),
                arguments[2])
        }
        guard arguments.count > 4 else { return }
        guard case .literal(.boolean(false)) = arguments[4].form else {
            throw planner.located(
                StoreError.invalidQuery(
                    "the fifth argument of APPROX_VECTOR_DISTANCE() can only be FALSE"),
                arguments[4])
        }
    }

    private func probes(
        _ arguments: [BoundExpression], _ planner: ExpressionPlanner
    ) throws -> Int64? {
        guard arguments.count > 3, !arguments[3].isNull else { return nil }
        guard case .literal(.integer(let probes)) = arguments[3].form, probes > 0 else {
            throw planner.located(
                StoreError.invalidQuery(
                    "the fourth argument of APPROX_VECTOR_DISTANCE() is a positive integer"),
                arguments[3])
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

extension BoundExpression {
    /// Whether it is a literal or a parameter.
    fileprivate var isConstant: Bool {
        switch form {
        case .literal, .parameter: true
        default: false
        }
    }
}

extension ExpressionPlanner {
    /// The distance of a document from a vector.
    func vectorDistance(_ arguments: [BoundExpression]) throws -> SQLExpression {
        guard let join = join(try VectorDistance.content(arguments, self)) else {
            throw StoreError.invalidQuery("APPROX_VECTOR_DISTANCE() is not allowed here")
        }
        return .column(join.alias, "distance")
    }
}
