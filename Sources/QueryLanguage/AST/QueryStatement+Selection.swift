internal import FleeceLite
internal import StoreFormat

extension QueryStatement {
    /// The query for the rows of the statement; for an `UPDATE` or `DELETE`, the query for the IDs
    /// of the documents that it changes, and for their new values.
    ///
    /// - Throws: `.invalidQuery` if two paths of an `UPDATE` are equal, or a value is an aggregate
    ///   function.
    package var selection: QuerySelect {
        get throws {
            switch self {
            case .select(let query): return query
            case .update(let update):
                try update.requireValues()
                try update.requireDifferentPaths()
                return Self.selection(
                    update.target, update.assignments.map(\.value), update.condition, update.limit)
            case .delete(let delete):
                return Self.selection(delete.target, [], delete.condition, delete.limit)
            }
        }
    }

    private static func selection(
        _ target: QuerySource, _ values: [QueryExpression], _ condition: QueryExpression?,
        _ limit: QueryExpression?
    ) -> QuerySelect {
        let columns = [.meta(.id, source: nil)] + values
        let block = QueryBlock(
            results: columns.map { QueryResult(expression: $0) }, sources: [target],
            condition: condition)
        return QuerySelect(body: .block(block), limit: limit)
    }
}

extension QueryUpdate {
    /// - Throws: `.invalidQuery` if a value is not that of one document.
    fileprivate func requireValues() throws {
        for value in assignments.map(\.value) where value.hasAggregate || value.hasWindow {
            throw value.position.located(
                StoreError.invalidQuery(
                    "an aggregate function cannot follow SET; a subquery can"))
        }
    }

    /// - Throws: `.invalidQuery` if two paths set the same property.
    fileprivate func requireDifferentPaths() throws {
        let paths =
            assignments.map { ($0.path, $0.position) } + removals.map { ($0.path, $0.position) }
        var known: Set<PropertyPath> = []
        for (path, position) in paths where !known.insert(path).inserted {
            throw position.located(
                StoreError.invalidQuery("\(path) is set twice in one UPDATE"))
        }
    }
}
