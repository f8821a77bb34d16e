internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

/// Where an expression stands.
struct ResolverContext {
    var names: NameEnvironment
    /// The variables of the enclosing `ANY` and `EVERY`.
    var variables: [ResolvedVariable] = []
    var allowsAggregates = false
    var allowsWindows = false

    init(names: NameEnvironment, variables: [ResolvedVariable] = []) {
        self.names = names
        self.variables = variables
    }

    /// The same place where aggregate and window functions are allowed.
    var ofManyRows: ResolverContext {
        var context = self
        context.allowsAggregates = true
        context.allowsWindows = true
        return context
    }

    /// The same place where no aggregate functions are allowed.
    var ofOneRow: ResolverContext {
        var context = self
        context.allowsAggregates = false
        return context
    }
}

// One SELECT.
extension QueryResolver {
    func block(
        _ block: QueryBlock, _ tail: QueryTail, _ outerContext: OuterContext
    ) throws -> BoundBlock {
        let scope = NameScope(outerContext, block: newBlock())
        let results = block.results.isEmpty ? Self.documents(of: block) : block.results
        let (block, tail) = try block.withoutOrdinalPositions(results, tail)
        let sources = try sources(of: block, scope, outerContext)
        try addNames(block, results, tail, to: scope)
        let selected = ResolverContext(
            names: NameEnvironment(bindings: scope), variables: outerContext.variables)
        let rows = ResolverContext(
            names: NameEnvironment(all: scope), variables: outerContext.variables)
        let columnNames = try ColumnNames.columnNames(
            of: results, block.results.isEmpty, selected.names)
        let columns = try self.results(results, scope, selected.ofManyRows)
        let groups = try block.groups.map { try group($0, rows) }
        let condition = try block.condition.map { try expression($0, rows) }
        let having = try having(block, columns, rows)
        let end = try self.tail(tail, rows.ofManyRows)
        try requireGroups(block, columns, end, tail.order)
        return BoundBlock(
            number: scope.block, isDistinct: block.isDistinct,
            results: columns, columnNames: columnNames, sources: sources, condition: condition,
            groups: groups, groupCondition: having, tail: end)
    }

    /// Without results, the columns are the ID and sequence of the first source's documents.
    private static func documents(of block: QueryBlock) -> [QueryResult] {
        let name = block.sources.first?.name
        return [MetaProperty.id, .sequence].map {
            QueryResult(expression: .meta($0, source: name))
        }
    }

    /// Adds the names of `LET` and of results, each of which can use the earlier ones of `LET`.
    private func addNames(
        _ block: QueryBlock, _ results: [QueryResult], _ tail: QueryTail, to scope: NameScope
    ) throws {
        for binding in block.bindings {
            guard !scope.hasName(binding.name) else {
                throw binding.position.located(
                    StoreError.invalidQuery("LET has two expressions named \(binding.name)"))
            }
            scope.add(ScopeName(binding.name, binding.expression), isBinding: true)
            define(scope.names.count - 1, scope)
        }
        for result in results {
            guard let alias = result.alias else { continue }
            scope.add(ScopeName(alias, result.expression))
        }
        for name in block.columnNames(results, tail) { scope.add(name) }
    }

    private func results(
        _ results: [QueryResult], _ scope: NameScope, _ context: ResolverContext
    ) throws -> [BoundResult] {
        var number = scope.bindingCount
        return try results.map { result in
            guard let alias = result.alias else {
                return BoundResult(
                    expression: try expression(result.expression, context), alias: nil)
            }
            guard !alias.hasNUL else {
                throw result.aliasPosition.located(
                    StoreError.invalidQuery("an alias cannot contain U+0000"))
            }
            defer { number += 1 }
            return BoundResult(expression: try expression(ofName: number, scope), alias: alias)
        }
    }

    private func group(
        _ group: QueryExpression, _ context: ResolverContext
    ) throws -> BoundExpression {
        guard !group.hasAggregate else {
            throw group.position.located(
                StoreError.invalidQuery("GROUP BY cannot be an aggregate function"))
        }
        return try expression(group, context)
    }

    private func having(
        _ block: QueryBlock, _ results: [BoundResult],
        _ context: ResolverContext
    ) throws -> BoundExpression? {
        guard let having = block.groupCondition else { return nil }
        guard
            !block.groups.isEmpty
                || results.contains(where: { $0.expression.facts.contains(.aggregate) })
        else {
            throw having.position.located(
                StoreError.invalidQuery(
                    "HAVING needs GROUP BY, or an aggregate function as a result"))
        }
        var context = context
        context.allowsAggregates = true
        return try expression(having, context)
    }

    private func requireGroups(
        _ block: QueryBlock, _ results: [BoundResult],
        _ tail: BoundTail, _ order: [QueryOrder]
    ) throws {
        guard block.groups.isEmpty, block.groupCondition == nil,
            let number = tail.order.firstIndex(where: { $0.expression.facts.contains(.aggregate) }),
            !results.contains(where: { $0.expression.facts.contains(.aggregate) })
        else { return }
        throw order[number].expression.position.located(
            StoreError.invalidQuery(
                "ORDER BY an aggregate function needs GROUP BY, or such a function as a result"))
    }
}

// Order and limits.
extension QueryResolver {
    func tail(
        _ tail: QueryTail, _ context: ResolverContext
    ) throws -> BoundTail {
        BoundTail(
            order: try tail.order.map { try order($0, context) },
            limit: try tail.limit.map { try bound($0) },
            offset: try tail.offset.map { try bound($0) })
    }

    func order(
        _ order: QueryOrder, _ context: ResolverContext
    ) throws -> BoundOrder {
        BoundOrder(
            expression: try expression(order.expression, context),
            isDescending: order.isDescending, missingIsLast: order.missingIsLast)
    }

    /// A number of rows; it does not depend on a row, so it cannot use the sources.
    private func bound(_ expression: QueryExpression) throws -> BoundExpression {
        if case .literal(let literal) = expression.bare {
            guard case .integer = literal else {
                throw expression.position.located(
                    StoreError.invalidQuery("LIMIT and OFFSET need an integer"))
            }
        }
        guard expression.isConstant else {
            throw expression.position.located(
                StoreError.invalidQuery("LIMIT and OFFSET cannot depend on a document"))
        }
        let scope = NameScope(OuterContext(), block: newBlock())
        return try self.expression(
            expression, ResolverContext(names: NameEnvironment(all: scope)))
    }
}
