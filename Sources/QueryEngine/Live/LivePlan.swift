internal import QueryLanguage
internal import StoreFormat

/// What the rows of a query depend on, as far as its text shows.
struct LivePlan: Sendable {
    /// Which rows a changed document can affect.
    enum Reach {
        /// Any row.
        case everything
        /// Any row, unless the document neither is nor was in the result of the query.
        case documents
        /// Its own row only.
        case itself
    }

    let reach: Reach
    /// Whether the result depends on more than the documents: on the time, or on random numbers.
    let isVolatile: Bool
    /// Whether the query specifies an order of its rows.
    let isOrdered: Bool
    /// The query that reads the rows of changed documents.
    let probe: Query
    /// The parameters that the probe does not have.
    let unusedParameters: Set<String>

    init(_ query: Query, _ limits: QueryLimits) {
        guard case .select(let select) = query.statement else {
            self.init(.everything, isVolatile: false, isOrdered: false, query)
            return
        }
        let isVolatile = select.mayBeVolatile
        // A limited result must be counted again.
        let isBounded = limits.rows != nil || limits.bytes != nil
        guard !isVolatile, !isBounded, select.isOfSingleDocuments, select.offset == nil else {
            self.init(.everything, isVolatile: isVolatile, isOrdered: true, query)
            return
        }
        guard select.limit != nil else {
            self.init(.itself, isVolatile: false, isOrdered: !select.order.isEmpty, query)
            return
        }
        var unlimited = select
        unlimited.limit = nil
        self.init(
            .documents, isVolatile: false, isOrdered: true, Query(.select(unlimited), from: query),
            unused: select.limit?.parameters.subtracting(select.parametersOfRows) ?? [])
    }

    private init(
        _ reach: Reach, isVolatile: Bool, isOrdered: Bool, _ probe: Query,
        unused: Set<String> = []
    ) {
        self.reach = reach
        self.isVolatile = isVolatile
        self.isOrdered = isOrdered
        self.probe = probe
        unusedParameters = unused
    }
}

extension QuerySelect {
    /// Whether each row depends on exactly one document of one collection.
    fileprivate var isOfSingleDocuments: Bool {
        guard with.isEmpty, case .block(let block) = body, !block.isDistinct,
            block.groups.isEmpty, block.groupCondition == nil, block.sources.count <= 1
        else { return false }
        if let source = block.sources.first {
            guard case .collection = source.kind else { return false }
        }
        return (block.expressions + order.map(\.expression)).allSatisfy(\.isOfOneDocument)
    }

    /// The parameters of a query of documents, except those of `LIMIT` and `OFFSET`.
    fileprivate var parametersOfRows: Set<String> {
        guard case .block(let block) = body else { return [] }
        return (block.expressions + order.map(\.expression)).reduce(into: []) {
            $0.formUnion($1.parameters)
        }
    }

    /// Whether an expression in it, or in a subquery, is volatile.
    fileprivate var mayBeVolatile: Bool {
        let tail = order.map(\.expression) + [limit, offset].compactMap(\.self)
        return with.contains { $0.query.mayBeVolatile } || body.mayBeVolatile
            || tail.contains(where: \.mayBeVolatile)
    }
}

extension QueryBody {
    fileprivate var mayBeVolatile: Bool {
        switch self {
        case .block(let block):
            block.expressions.contains(where: \.mayBeVolatile)
                || block.sources.contains { $0.kind.mayBeVolatile }
        case .nested(let query): query.mayBeVolatile
        case .compound(_, _, let left, let right): left.mayBeVolatile || right.mayBeVolatile
        }
    }
}

extension QuerySource.Kind {
    fileprivate var mayBeVolatile: Bool {
        switch self {
        case .collection: false
        case .unnest(let array): array.mayBeVolatile
        case .query(let query): query.mayBeVolatile
        }
    }
}

extension QueryBlock {
    /// All expressions except those of subqueries in `FROM`.
    fileprivate var expressions: [QueryExpression] {
        results.map(\.expression) + bindings.map(\.expression) + groups
            + [condition, groupCondition].compactMap(\.self) + sources.compactMap(\.condition)
    }
}

extension QueryExpression {
    /// Whether its value for a document is independent of all other documents.
    ///
    /// Prediction models, blobs and rowids may change while the document does not; the rank of a
    /// full-text match depends on all indexed documents.
    fileprivate var isOfOneDocument: Bool {
        if hasAggregate { return false }
        var isOfOne = true
        visit { expression in
            switch expression {
            case .subquery, .match, .rank, .prediction, .blob, .meta(.rowid, _): isOfOne = false
            case .call(let call) where call.window != nil: isOfOne = false
            // A vector index finds the nearest of all documents.
            case .function(let name, _)
            where QueryFunction(named: name)?.name == QueryFunction.vectorDistance:
                isOfOne = false
            default: break
            }
        }
        return isOfOne
    }

    /// The parameters in it, except those of subqueries.
    fileprivate var parameters: Set<String> {
        var names: Set<String> = []
        visit { if case .parameter(let name) = $0 { names.insert(name) } }
        return names
    }

    fileprivate var mayBeVolatile: Bool {
        var isVolatile = false
        visit { expression in
            switch expression {
            case .function(let name, _):
                isVolatile = isVolatile || QueryFunction(named: name)?.isVolatile ?? false
            case .call(let call):
                isVolatile = isVolatile || QueryFunction(named: call.function)?.isVolatile ?? false
            case .subquery(let query): isVolatile = isVolatile || query.mayBeVolatile
            default: break
            }
        }
        return isVolatile
    }
}
