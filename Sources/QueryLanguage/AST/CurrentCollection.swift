/// Replaces the default collection `_` of a statement by another collection.
///
/// Its documents keep their name in the statement: `FROM _` becomes `FROM hr.staff AS _`. A CTE of
/// this name is not replaced, and neither are `_default` and `_._default`.
package struct CurrentCollection {
    private let name: QueryCollectionName
    /// Whether a CTE has the name.
    private var isHidden = false

    private static let mark = "_"

    /// - Parameter name: the collection with its scope, so that the name cannot refer to a CTE.
    package init(_ name: QueryCollectionName) { self.name = name }

    /// The statement with the collection replaced.
    package func statement(_ statement: QueryStatement) -> QueryStatement {
        switch statement {
        case .select(let select): return .select(self.select(select))
        case .update(var update):
            update.target = source(update.target)
            for index in update.assignments.indices {
                update.assignments[index].value = expression(update.assignments[index].value)
            }
            update.condition = update.condition.map(expression)
            update.limit = update.limit.map(expression)
            return .update(update)
        case .delete(var delete):
            delete.target = source(delete.target)
            delete.condition = delete.condition.map(expression)
            delete.limit = delete.limit.map(expression)
            return .delete(delete)
        }
    }

    private func select(_ query: QuerySelect) -> QuerySelect {
        var (query, inner) = (query, self)
        for index in query.with.indices {
            query.with[index].query = inner.select(query.with[index].query)
            if query.with[index].name == Self.mark { inner.isHidden = true }
        }
        query.body = inner.body(query.body)
        query.order = query.order.map { $0.mappingExpression(inner.expression) }
        query.limit = query.limit.map(inner.expression)
        query.offset = query.offset.map(inner.expression)
        return query
    }

    private func body(_ body: QueryBody) -> QueryBody {
        switch body {
        case .block(let block): .block(self.block(block))
        case .nested(let query): .nested(select(query))
        case .compound(let known, let isAll, let left, let right):
            .compound(known, isAll: isAll, self.body(left), self.body(right))
        }
    }

    private func block(_ block: QueryBlock) -> QueryBlock {
        var block = block
        for index in block.results.indices {
            block.results[index].expression = expression(block.results[index].expression)
        }
        block.sources =
            block.sources.isEmpty
            ? [QuerySource(kind: .collection(name), alias: "_doc")] : block.sources.map(source)
        for index in block.bindings.indices {
            block.bindings[index].expression = expression(block.bindings[index].expression)
        }
        block.condition = block.condition.map(expression)
        block.groups = block.groups.map(expression)
        block.groupCondition = block.groupCondition.map(expression)
        return block
    }

    private func source(_ source: QuerySource) -> QuerySource {
        var source = source
        switch source.kind {
        case .collection(let known):
            if !isHidden, known.scope == nil, known.collection == Self.mark {
                source.kind = .collection(name)
                source.alias = source.alias ?? Self.mark
            }
        case .unnest(let array): source.kind = .unnest(expression(array))
        case .query(let query): source.kind = .query(select(query))
        }
        source.condition = source.condition.map(expression)
        return source
    }

    private func expression(_ expression: QueryExpression) -> QueryExpression {
        if case .subquery(let query) = expression { return .subquery(select(query)) }
        return expression.mappingChildren(self.expression)
    }
}
