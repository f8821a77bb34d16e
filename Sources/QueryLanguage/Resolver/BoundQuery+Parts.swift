extension BoundQuery {
    /// The blocks of the query and of its CTEs and the subqueries in `FROM`, innermost first.
    package var blocks: [BoundBlock] {
        let inner = with.flatMap(\.query.blocks)
        return switch body {
        case .block(let block): inner + block.blocks
        case .nested(let query): inner + query.blocks
        case .compound(let compound): inner + compound.rows.blocks
        }
    }

    /// Calls `body` with the expressions of all clauses, those of CTEs and of the subqueries in
    /// `FROM` included.
    func forEachExpression(_ body: (BoundExpression) -> Void) {
        for table in with { table.query.forEachExpression(body) }
        switch self.body {
        case .block(let block): block.forEachExpression(body)
        case .nested(let query): query.forEachExpression(body)
        case .compound(let compound):
            compound.rows.forEachExpression(body)
            compound.tail.forEachExpression(body)
        }
    }
}

extension BoundRows {
    /// The number of columns.
    var columnCount: Int {
        switch self {
        case .block(let block): block.results.count
        case .nested(let query): query.columnNames.count
        case .compound(_, _, let left, _): left.columnCount
        }
    }

    fileprivate var blocks: [BoundBlock] {
        switch self {
        case .block(let block): block.blocks
        case .nested(let query): query.blocks
        case .compound(_, _, let left, let right): left.blocks + right.blocks
        }
    }

    fileprivate func forEachExpression(_ body: (BoundExpression) -> Void) {
        switch self {
        case .block(let block): block.forEachExpression(body)
        case .nested(let query): query.forEachExpression(body)
        case .compound(_, _, let left, let right):
            left.forEachExpression(body)
            right.forEachExpression(body)
        }
    }
}

extension BoundTail {
    fileprivate func forEachExpression(_ body: (BoundExpression) -> Void) {
        for item in order { body(item.expression) }
        limit.map(body)
        offset.map(body)
    }
}

extension BoundBlock {
    /// The expressions on groups, if there are any: of the results, `HAVING` and `ORDER BY`.
    var expressionsOnGroups: [BoundExpression] {
        results.map(\.expression) + tail.order.map(\.expression)
            + (groupCondition.map { [$0] } ?? [])
    }

    /// Calls `body` with the expressions of all clauses but `FROM` and the limits.
    func forEachExpressionAfterSources(_ body: (BoundExpression) throws -> Void) rethrows {
        for result in results { try body(result.expression) }
        try condition.map(body)
        for group in groups { try body(group) }
        try groupCondition.map(body)
        for item in tail.order { try body(item.expression) }
    }

    /// All expressions, except those of subqueries and the limits.
    package var expressions: [BoundExpression] {
        var all: [BoundExpression] = []
        forEachExpressionAfterSources { all.append($0) }
        for source in sources {
            if let condition = source.condition { all.append(condition) }
            if case .elements(let array) = source.content { all.append(array) }
        }
        return all
    }

    /// The block after those of the subqueries in its `FROM`.
    fileprivate var blocks: [BoundBlock] {
        let inner = sources.flatMap { source -> [BoundBlock] in
            if case .query(let query) = source.content { query.blocks } else { [] }
        }
        return inner + [self]
    }

    fileprivate func forEachExpression(_ body: (BoundExpression) -> Void) {
        for source in sources {
            switch source.content {
            case .documents, .cte: break
            case .elements(let array): body(array)
            case .query(let query): query.forEachExpression(body)
            }
            source.condition.map(body)
        }
        forEachExpressionAfterSources(body)
        tail.limit.map(body)
        tail.offset.map(body)
    }
}
