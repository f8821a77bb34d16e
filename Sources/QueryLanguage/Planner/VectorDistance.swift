internal import FleeceLite
internal import StoreFormat

/// `APPROX_VECTOR_DISTANCE(property, vector [, metric [, probes [, accurate]]])`: the distance of
/// documents from a vector, by the vector index on the property.
struct VectorDistance {
    let block: BoundBlock

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
