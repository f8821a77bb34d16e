public import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// Some rows of a query, and the position of the next ones.
///
/// ``Query/page(of:after:in:_:limits:)`` returns it. It owns its rows and remains valid after the
/// snapshot ends.
///
/// ```swift
/// let people = try Query("SELECT name FROM people ORDER BY age DESC")
/// let page = try people.page(of: 50, in: snapshot)
/// print(page.rows.count, page.next == nil ? "complete" : "more")
/// ```
public struct QueryPage: Sendable {
    /// The rows, at most as many as requested; empty only if no more rows exist.
    public let rows: [ResultRow]
    /// The cursor for the next page; nil if this is the last one.
    ///
    /// It is nil even if the last page is exactly full: one more row is read to determine it.
    public let next: QueryCursor?
}

/// The position of a row in the order of a query, after which the next page begins.
///
/// It contains the row's values of `ORDER BY` and the document ID, not a row number: rows that are
/// inserted or deleted before it move no row to another page, and continuing from it costs the same
/// on every page if an index has the order. An `OFFSET` has neither property.
///
/// ```swift
/// let byAge = try Query("SELECT META().id, age FROM people ORDER BY age")
/// var cursor: QueryCursor?
/// repeat {
///     let page = try byAge.page(of: 100, after: cursor, in: snapshot)
///     for row in page.rows { print(row["id"]) }
///     cursor = page.next
/// } while cursor != nil
/// ```
/// A cursor belongs to a query with the same `ORDER BY` expressions, and is independent of the
/// snapshot and the process: ``text`` sends it to a client. Its row need not exist any more.
public struct QueryCursor: Hashable, Sendable {
    /// The values of `ORDER BY` and the document ID.
    let values: [QueryValue]

    /// The cursor as a JSON string, to be stored or sent. It is neither encrypted nor signed: it
    /// contains the values of `ORDER BY` and the document ID.
    ///
    /// ```swift
    /// let page = try query.page(of: 20, in: snapshot)
    /// if let token = try page.next?.text {
    ///     print("next page:", token)
    /// }
    /// ```
    /// A server that must not disclose these values encrypts the string, or stores the cursor and
    /// sends a key of its own.
    public var text: String {
        get throws {
            var encoder = FleeceEncoder()
            encoder.beginArray()
            for value in values {
                // JSON has no missing value.
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

    /// Parses the string of a cursor.
    ///
    /// ```swift
    /// let cursor = try QueryCursor(text: #"[[36],["ada"]]"#)
    /// let page = try query.page(of: 20, after: cursor, in: snapshot)
    /// show(page.rows)
    /// ```
    /// A string from a client is safe: its values are parameters of the query. They only determine
    /// where the page begins.
    ///
    /// - Parameter text: the string of ``text``.
    /// - Throws: `.invalidParameter` if the string is not a cursor.
    public init(text: String) throws {
        guard let array = try? QueryValue(json: text).array else {
            throw StoreError(.invalidParameter, "not a query cursor: \(text)")
        }
        values = try array.map { element in
            guard let value = element.array, value.count < 2 else {
                throw StoreError(.invalidParameter, "not a query cursor: \(text)")
            }
            return value.first.map { QueryValue($0) } ?? .missing
        }
    }
}

extension Query {
    /// Returns the next page of rows in the order of the query.
    ///
    /// ```swift
    /// let people = try Query("SELECT name FROM people ORDER BY age DESC")
    /// var page = try people.page(of: 50, in: snapshot)
    /// while let next = page.next { page = try people.page(of: 50, after: next, in: snapshot) }
    /// ```
    /// The rows of a page are those after the position of the cursor in the current snapshot, so
    /// the pages may come from different snapshots: no row is repeated or skipped unless its own
    /// values of `ORDER BY` change. Documents with equal values are ordered by their IDs.
    ///
    /// With an index on the `ORDER BY` expressions each page reads only its own rows and one more.
    /// Without one each page reads all documents that meet the condition, and sorts those after the
    /// cursor. To read all rows in one pass use ``rows(in:_:limits:)``, which does not need pages.
    ///
    /// - Parameters:
    ///   - size: the largest number of rows, at least 1.
    ///   - cursor: the end of the previous page; nil for the first one.
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for the parameters of the query, the same for each page.
    ///   - limits: the limits of reading one page; none by default.
    /// - Returns: the rows, and the cursor for the next ones.
    /// - Throws: `.unsupported` for a query whose rows are not documents of one collection, that
    ///   has a `LIMIT`, an `OFFSET`, or `NULLS FIRST` or `LAST`; `.invalidParameter` for a size
    ///   below 1 and for the cursor of another query; and the errors of ``rows(in:_:limits:)``.
    public func page(
        of size: Int, after cursor: QueryCursor? = nil, in snapshot: Snapshot,
        _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> QueryPage {
        let pages = try QueryPages(statement)
        var parameters = parameters
        let statement = try pages.statement(size, cursor, &parameters)
        let rows = try Query(.select(statement), from: self)
            .rows(in: snapshot, parameters, limits: limits).all()
        let last = rows.count > size ? rows[size - 1] : nil
        return QueryPage(
            rows: rows.prefix(size).map { $0.dropping(last: pages.order.count) },
            next: last.map { row in
                QueryCursor((0..<pages.order.count).map { row[row.count - pages.order.count + $0] })
            })
    }
}

/// A query that is read page by page.
struct QueryPages {
    private let query: QuerySelect
    private let block: QueryBlock
    /// The order of the rows, which ends with the document ID.
    let order: [QueryOrder]

    init(_ statement: QueryStatement) throws {
        guard case .select(let query) = statement, case .block(let block) = query.body,
            block.isOfDocuments, query.limit == nil, query.offset == nil,
            query.order.allSatisfy({ $0.missingIsLast == nil })
        else {
            throw StoreError(
                .unsupported,
                "paging needs a query whose rows are documents of one collection, without "
                    + "DISTINCT, groups, UNION, joins, LIMIT, OFFSET and NULLS FIRST or LAST")
        }
        self.query = query
        self.block = block
        let columns = QueryBlock.columns(block.results)
        let last = QueryOrder(expression: .meta(.id, source: nil))
        order = try query.order.map { try $0.ofColumn(columns) } + [last]
    }

    /// The query for one row more than a page has, with the `ORDER BY` expressions as its last
    /// columns.
    func statement(
        _ size: Int, _ cursor: QueryCursor?, _ parameters: inout QueryParameters
    ) throws -> QuerySelect {
        guard size > 0, size < Int.max else {
            throw StoreError(.invalidParameter, "a page must have at least 1 row, not \(size)")
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
                throw StoreError(.invalidParameter, "the cursor belongs to another query")
            }
            // The prefix must not collide with the query's own parameters.
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

    /// Resolves result aliases, which have no meaning among the results.
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

    /// The result with this alias; nil if the name is a source or a property.
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
        // An index serves this condition, but not the alternatives.
        guard !value.isMissing, !item.isDescending else { return either }
        return .operation(.and, [compare(item.expression, .greaterOrEqual, bound), either])
    }

    /// The condition that a value comes later; nil if none can. Missing values come first.
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
