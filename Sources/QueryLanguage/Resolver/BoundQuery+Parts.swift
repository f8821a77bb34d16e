extension BoundQuery {
    /// The query with its expressions replaced, those of subqueries included.
    package func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundQuery<Other> {
        BoundQuery<Other>(
            with: try with.map {
                BoundCTE<Other>(sqlName: $0.sqlName, query: try $0.query.mapping(map))
            }, body: try body.mapping(map), columnNames: columnNames)
    }
}

extension BoundQuery {
    /// The blocks of the query and of its CTEs and the subqueries in `FROM`, innermost first.
    package var blocks: [BoundBlock<Value>] {
        let inner = with.flatMap(\.query.blocks)
        return switch body {
        case .block(let block): inner + block.blocks
        case .nested(let query): inner + query.blocks
        case .compound(let compound): inner + compound.rows.blocks
        }
    }
}

extension BoundRows {
    fileprivate var blocks: [BoundBlock<Value>] {
        switch self {
        case .block(let block): block.blocks
        case .nested(let query): query.blocks
        case .compound(_, _, let left, let right): left.blocks + right.blocks
        }
    }
}

extension BoundBlock {
    /// The block after those of the subqueries in its `FROM`.
    fileprivate var blocks: [BoundBlock<Value>] {
        let inner = sources.flatMap { source -> [BoundBlock<Value>] in
            if case .query(let query) = source.content { query.blocks } else { [] }
        }
        return inner + [self]
    }
}

extension BoundBody {
    fileprivate func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundBody<Other> {
        switch self {
        case .block(let block): .block(try block.mapping(map))
        case .nested(let query): .nested(try query.mapping(map))
        case .compound(let compound):
            .compound(
                BoundCompound<Other>(
                    block: compound.block, rows: try compound.rows.mapping(map),
                    tail: try compound.tail.mapping(map)))
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

    fileprivate func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundRows<Other> {
        switch self {
        case .block(let block): .block(try block.mapping(map))
        case .nested(let query): .nested(try query.mapping(map))
        case .compound(let known, let isAll, let left, let right):
            .compound(known, isAll: isAll, try left.mapping(map), try right.mapping(map))
        }
    }
}

extension BoundTail {
    fileprivate func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundTail<Other> {
        BoundTail<Other>(
            order: try order.map { try $0.mapping(map) }, limit: try limit.map(map),
            offset: try offset.map(map))
    }
}

extension BoundBlock {
    /// The expressions on groups, if there are any: of the results, `HAVING` and `ORDER BY`.
    var expressionsOnGroups: [Value] {
        results.map(\.expression) + tail.order.map(\.expression)
            + (groupCondition.map { [$0] } ?? [])
    }

    /// The expressions of all clauses but `FROM`.
    var expressionsAfterSources: [Value] {
        expressionsOnGroups + groups + (condition.map { [$0] } ?? [])
    }

    /// All expressions, except those of subqueries.
    package var expressions: [Value] {
        var all = expressionsAfterSources
        for source in sources {
            if let condition = source.condition { all.append(condition) }
            if case .elements(let array) = source.content { all.append(array) }
        }
        return all
    }

    fileprivate func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundBlock<Other> {
        BoundBlock<Other>(
            number: number, isDistinct: isDistinct,
            results: try results.map {
                BoundResult<Other>(expression: try map($0.expression), alias: $0.alias)
            }, columnNames: columnNames, sources: try sources.map { try $0.mapping(map) },
            condition: try condition.map(map), groups: try groups.map(map),
            groupCondition: try groupCondition.map(map), tail: try tail.mapping(map))
    }
}

extension BoundSource {
    fileprivate func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundSource<Other> {
        let content: BoundSource<Other>.Content =
            switch content {
            case .documents: .documents
            case .elements(let array): .elements(try map(array))
            case .query(let query): .query(try query.mapping(map))
            case .cte(let name): .cte(name)
            }
        return BoundSource<Other>(
            source: source, content: content, join: join, condition: try condition.map(map))
    }
}
