public import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// Some rows of a query, and where the next ones begin.
public struct QueryPage: Sendable {
    /// The rows.
    public let rows: [ResultRow]
    /// What the next page begins after; nil if this is the last one.
    public let next: QueryCursor?
}

/// The place of a row in the order of a query.
///
/// It is made of the values that the query is ordered by, not of a number of rows: what is inserted
/// or deleted before it moves no row to another page, and going on from it costs as much for the
/// thousandth page as for the first.
public struct QueryCursor: Hashable, Sendable {
    /// The values of `ORDER BY`, and the document's ID.
    let values: [QueryValue]

    /// The cursor as a text, to be kept or sent; it is not a secret what stands in it.
    public var text: String {
        get throws {
            var encoder = FleeceEncoder()
            encoder.beginArray()
            for value in values {
                // A value that is missing has no place in JSON.
                encoder.beginArray()
                if !value.isMissing { try encoder.write(value) }
                try encoder.endArray()
            }
            try encoder.endArray()
            return try FleeceDocument(trusted: encoder.finish()).root.json()
        }
    }

    init(_ values: [QueryValue]) {
        self.values = values
    }

    /// The cursor of a text.
    ///
    /// Throws `.invalidParameter` if it is none.
    public init(text: String) throws {
        guard let array = try? QueryValue(json: text).array else {
            throw StoreError(.invalidParameter, "this is the text of no cursor: \(text)")
        }
        values = try array.map { element in
            guard let value = element.array, value.count < 2 else {
                throw StoreError(.invalidParameter, "this is the text of no cursor: \(text)")
            }
            return value.first.map { QueryValue($0) } ?? .missing
        }
    }
}

extension Query {
    /// The next rows of a query in its order.
    ///
    /// ```swift
    /// let people = try Query("SELECT name FROM people ORDER BY age DESC")
    /// var page = try people.page(of: 50, in: snapshot)
    /// while let next = page.next { page = try people.page(of: 50, after: next, in: snapshot) }
    /// ```
    /// Documents with equal values come in the order of their IDs. With an index of what the query
    /// is ordered by no other rows are read.
    ///
    /// - Parameters:
    ///   - size: the most rows.
    ///   - cursor: where the last page ended; nil for the first one.
    ///
    /// Throws `.unsupported` for a query whose rows are not documents, or that has limits of its
    /// own; `.invalidParameter` for a cursor of another query; as `rows` does.
    public func page(
        of size: Int, after cursor: QueryCursor? = nil, in snapshot: Snapshot,
        _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> QueryPage {
        let pages = try QueryPages(statement)
        var parameters = parameters
        let statement = try pages.statement(size, cursor, &parameters)
        let rows = try Query(.select(statement))
            .rows(in: snapshot, parameters, limits: limits).all()
        let last = rows.count > size ? rows[size - 1] : nil
        return QueryPage(
            rows: rows.prefix(size).map { $0.dropping(last: pages.order.count) },
            next: last.map { row in
                QueryCursor((0..<pages.order.count).map { row[row.count - pages.order.count + $0] })
            })
    }
}

/// A query that is asked page by page.
struct QueryPages {
    private let query: QuerySelect
    private let block: QueryBlock
    /// What the rows are ordered by, at the end the IDs.
    let order: [QueryOrder]

    init(_ statement: QueryStatement) throws {
        guard case .select(let query) = statement, case .block(let block) = query.body,
            block.isOfDocuments, query.limit == nil, query.offset == nil,
            query.order.allSatisfy({ $0.missingIsLast == nil })
        else {
            throw StoreError(
                .unsupported,
                "only a query whose rows are documents of one collection has pages: without "
                    + "DISTINCT, groups, UNION, joins, LIMIT, OFFSET and NULLS FIRST or LAST")
        }
        self.query = query
        self.block = block
        let columns = QueryBlock.columns(block.results)
        let last = QueryOrder(expression: .meta(.id, source: nil))
        order = try query.order.map { try $0.ofColumn(columns) } + [last]
    }

    /// The query for one row more than a page has, with what it is ordered by as last columns.
    func statement(
        _ size: Int, _ cursor: QueryCursor?, _ parameters: inout QueryParameters
    ) throws -> QuerySelect {
        guard size > 0, size < Int.max else {
            throw StoreError(.invalidParameter, "a page has at least 1 row, not \(size)")
        }
        var block = block
        if block.results.isEmpty {
            block.results = [.id, .sequence].map {
                QueryResult(expression: .meta($0, source: nil), alias: $0.shortName)
            }
        }
        block.results += order.map { QueryResult(expression: named($0.expression)) }
        if let cursor {
            guard cursor.values.count == order.count else {
                throw StoreError(.invalidParameter, "the cursor is one of another query")
            }
            // The query may have parameters of its own, whatever they are called.
            var prefix = "cursor_"
            while parameters.values.keys.contains(where: { $0.hasPrefix(prefix) }) { prefix += "_" }
            for (number, value) in cursor.values.enumerated() where !value.isMissing {
                parameters[prefix + "\(number)"] = value
            }
            let later = condition(cursor.values[...], 0, prefix)
            block.condition = block.condition.map { .operation(.and, [$0, later]) } ?? later
        }
        var query = query
        query.body = .block(block)
        query.order = order
        query.limit = .literal(.integer(Int64(size + 1)))
        return query
    }

    /// The names of results have no meaning among the results.
    private func named(_ expression: QueryExpression) -> QueryExpression {
        expression.mappingProperties { path in
            let index = QueryExpression.property(path).columnIndex
            if let index, block.results.indices.contains(index) {
                return block.results[index].expression
            }
            guard case .key(let name) = path.components.first, let result = result(name) else {
                return .property(path)
            }
            let rest = PropertyPath(Array(path.components.dropFirst()))
            return rest.components.isEmpty ? result.expression : .nested(result.expression, rest)
        }
    }

    /// The result that a name means; nil if it means a source, or a property.
    private func result(_ name: String) -> QueryResult? {
        for comparison in NameComparison.allCases {
            let isName = { (other: String?) in
                other.map { comparison.areEqual($0, name) } ?? false
            }
            guard !block.sources.contains(where: { isName($0.name) }) else { return nil }
            if let result = block.results.first(where: { isName($0.alias) }) { return result }
        }
        return nil
    }

    /// The condition that a row comes later in the order.
    private func condition(
        _ values: ArraySlice<QueryValue>, _ number: Int, _ prefix: String
    ) -> QueryExpression {
        let (value, item) = (values[number], order[number])
        let bound: QueryExpression =
            value.isMissing ? .literal(.missing) : .parameter(prefix + "\(number)")
        let later = later(item, value, bound)
        guard number + 1 < order.count else { return later ?? .literal(.boolean(false)) }
        let same = compare(item.expression, value.isMissing ? .is : .equal, bound)
        let rest = QueryExpression.operation(.and, [same, condition(values, number + 1, prefix)])
        guard let later else { return rest }
        let either = QueryExpression.operation(.or, [later, rest])
        // An index can look this up, the alternatives it cannot.
        guard !value.isMissing, !item.isDescending else { return either }
        return .operation(.and, [compare(item.expression, .greaterOrEqual, bound), either])
    }

    /// The condition that one value comes later; nil if none can. What is missing comes first.
    private func later(
        _ item: QueryOrder, _ value: QueryValue, _ bound: QueryExpression
    ) -> QueryExpression? {
        switch (item.isDescending, value.isMissing) {
        case (false, true): return compare(item.expression, .isNot, .literal(.missing))
        case (false, false): return compare(item.expression, .greater, bound)
        case (true, true): return nil
        case (true, false):
            let missing = compare(item.expression, .is, .literal(.missing))
            return .operation(.or, [compare(item.expression, .less, bound), missing])
        }
    }

    private func compare(
        _ expression: QueryExpression, _ known: QueryOperator, _ other: QueryExpression
    ) -> QueryExpression {
        guard case .collate(let order, let value) = expression else {
            return .operation(known, [expression, other])
        }
        return .collate(order, .operation(known, [value, other]))
    }
}

extension QueryBlock {
    /// Whether each row is a document of the only collection.
    var isOfDocuments: Bool {
        let isOneCollection =
            switch sources.first?.kind {
            case .collection, nil: sources.count < 2
            default: false
            }
        return isOneCollection && !isDistinct && groups.isEmpty && groupCondition == nil
            && !results.contains { $0.expression.hasAggregate || $0.expression.hasWindow }
    }
}
