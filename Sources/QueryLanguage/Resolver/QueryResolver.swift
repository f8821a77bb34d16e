internal import FleeceLite
internal import StoreFormat

/// The first stage of a translation: binds the names of a query to what they stand for.
///
/// A name of `LET` or of a result is replaced by its expression, which is resolved once, where it
/// is defined, and shared by all its uses.
package final class QueryResolver {
    /// Nil for the expression of an index, which reads no other tables.
    private let catalog: (any QueryCatalog)?
    /// Nil unless an error is being located.
    let origins: QueryOrigins?
    private(set) var parameters: Set<String> = []
    private(set) var tables: [QueryTable] = []
    private var blockCount = 0
    private var tableCount = 0
    /// The number of outer queries of the current one.
    private var queryDepth = 0
    /// The number of expressions so far, each counted wherever it is used.
    private(set) var size = 0
    /// The nesting depth of the names that were used since it was reset.
    private var nameDepth = 0
    /// The nesting depth of the current expression, and the largest one since it was reset.
    private var level = 0
    private var height = 0

    private init(_ catalog: (any QueryCatalog)?, _ origins: QueryOrigins? = nil) {
        self.catalog = catalog
        self.origins = origins
    }

    /// The catalog of a query.
    ///
    /// - Throws: `.invalidQuery` if the expression is that of an index.
    func catalog(for what: String) throws -> any QueryCatalog {
        guard let catalog else { throw StoreError.invalidQuery("\(what) is not allowed here") }
        return catalog
    }

    /// Resolves the names of a query.
    ///
    /// - Throws: `.invalidQuery` for an invalid query, `.notFound` if a collection does not exist,
    ///   `.missingIndex` if a full-text index does not exist, `CancellationError` if the task is
    ///   cancelled.
    package static func resolve(
        _ query: QuerySelect, _ catalog: any QueryCatalog, _ origins: QueryOrigins? = nil
    ) throws -> ResolvedQuery {
        let resolver = QueryResolver(catalog, origins)
        let bound = try resolver.query(query, OuterContext())
        return ResolvedQuery(
            query: bound, parameters: resolver.parameters, tables: resolver.tables)
    }

    /// Resolves the names in an expression of an index.
    static func resolve(
        _ expression: QueryExpression, of source: ResolvedSource
    ) throws -> BoundExpression {
        let scope = NameScope(OuterContext(), block: source.block)
        scope.sources = [source]
        let context = ResolverContext(names: NameEnvironment(all: scope))
        return try QueryResolver(nil).expression(expression, context.ofManyRows)
    }

    /// SQLite's parser accepts fewer nested subqueries.
    private static let deepestQuery = 20
    private static let deepestName = 60
    /// Names are replaced by their expressions wherever they are used, recursively, so the size can
    /// be exponential in the length of the text.
    private static let mostExpressions = 500_000

    func use(_ table: QueryTable) {
        if !tables.contains(where: { $0.store == table.store }) { tables.append(table) }
    }

    func use(parameter name: String) { parameters.insert(name) }

    func newBlock() -> Int {
        blockCount += 1
        return blockCount
    }

    /// Counts expressions.
    ///
    /// - Throws: `.invalidQuery` if there are too many, `CancellationError` if the task is
    ///   cancelled.
    func count(_ more: Int = 1) throws {
        let before = size
        size += more
        guard size <= Self.mostExpressions else {
            throw StoreError.invalidQuery(
                "the query is too long once its names are replaced by their expressions")
        }
        if size / 256 != before / 256 { try Task.checkCancellation() }
    }

    /// SQLite accepts no deeper expressions.
    private static let deepestExpression = 1000

    /// Resolves a part of an expression.
    func nested<T>(_ resolve: () throws -> T) throws -> T {
        level += 1
        defer { level -= 1 }
        height = max(height, level)
        guard level <= Self.deepestExpression else { throw tooDeep() }
        return try resolve()
    }

    private func tooDeep() -> StoreError {
        .invalidQuery(
            "the query is nested too deeply: expressions can have \(Self.deepestExpression) levels")
    }

    /// Resolves the expression of a name where it is defined, so that a chain of names does not
    /// become a chain of calls.
    func define(_ name: ScopeName, _ resolve: () throws -> BoundExpression) {
        let outer = (size, nameDepth, level, height)
        (nameDepth, level, height) = (0, 0, 0)
        name.resolved = Result {
            let expression = try resolve()
            guard nameDepth <= Self.deepestName else {
                throw StoreError.invalidQuery(
                    "names of LET or of results are nested more than \(Self.deepestName) levels "
                        + "deep")
            }
            return ResolvedName(
                expression: expression, size: size - outer.0, depth: nameDepth + 1, height: height)
        }
        (size, nameDepth, level, height) = outer
    }

    /// The expression of a name where it is used.
    func use(_ name: ScopeName) throws -> BoundExpression? {
        guard let known = try name.resolved?.get() else { return nil }
        try count(known.size)
        nameDepth = max(nameDepth, known.depth)
        height = max(height, level + known.height)
        guard height <= Self.deepestExpression else { throw tooDeep() }
        return known.expression
    }
}

// Queries.
extension QueryResolver {
    func query(
        _ query: QuerySelect, _ outerContext: OuterContext
    ) throws -> BoundQuery {
        queryDepth += 1
        defer { queryDepth -= 1 }
        guard queryDepth <= Self.deepestQuery else {
            throw StoreError.invalidQuery("subqueries are nested too deeply")
        }
        var outerContext = outerContext
        var with: [BoundCTE] = []
        for (index, table) in query.with.enumerated() {
            guard !query.with[..<index].contains(where: { $0.name.hasSameBytes(as: table.name) })
            else {
                throw table.position.located(
                    StoreError.invalidQuery("WITH has two queries named \(table.name)"))
            }
            let bound = try self.query(table.query, outerContext)
            tableCount += 1
            with.append(BoundCTE(sqlName: "w\(tableCount)", query: bound))
            outerContext.tables.append(
                ResolvedCTE(
                    name: table.name, sqlName: "w\(tableCount)", columnNames: bound.columnNames))
        }
        let (body, columnNames) = try body(of: query, outerContext)
        return BoundQuery(with: with, body: body, columnNames: columnNames)
    }

    private func body(
        of query: QuerySelect, _ outerContext: OuterContext
    ) throws -> (BoundBody, [String]) {
        switch query.body {
        case .block(let block):
            let bound = try self.block(
                block, QueryTail(order: query.order, limit: query.limit, offset: query.offset),
                outerContext)
            return (.block(bound), bound.columnNames)
        case .nested(let inner)
        where query.order.isEmpty && query.limit == nil && query.offset == nil:
            let bound = try self.query(inner, outerContext)
            return (.nested(bound), bound.columnNames)
        case .nested, .compound: return try compound(query, outerContext)
        }
    }

    private func compound(
        _ query: QuerySelect, _ outerContext: OuterContext
    ) throws -> (BoundBody, [String]) {
        let (rows, columnNames) = try rows(of: query.body, outerContext)
        var outer = OuterContext()
        outer.outer = outerContext.outer
        let scope = NameScope(outer, block: newBlock())
        scope.sources = [
            ResolvedSource(
                alias: "", sqlAlias: "q", kind: .rows(QueryColumns(columnNames)),
                block: scope.block)
        ]
        let order = try query.order.map { try $0.ofColumn(columnNames.map { .named($0) }) }
        let tail = try tail(
            QueryTail(order: order, limit: query.limit, offset: query.offset),
            ResolverContext(names: NameEnvironment(all: scope)))
        return (.compound(BoundCompound(block: scope.block, rows: rows, tail: tail)), columnNames)
    }

    private func rows(
        of body: QueryBody, _ outerContext: OuterContext
    ) throws -> (BoundRows, [String]) {
        switch body {
        case .block(let block):
            let bound = try self.block(block, QueryTail(), outerContext)
            return (.block(bound), bound.columnNames)
        case .nested(let inner):
            let bound = try query(inner, outerContext)
            return (.nested(bound), bound.columnNames)
        case .compound(let known, let isAll, let left, let right):
            let (one, columnNames) = try rows(of: left, outerContext)
            let (other, _) = try rows(of: right, outerContext)
            guard one.columnCount == other.columnCount else {
                throw right.position.located(
                    StoreError.invalidQuery(
                        "\(known.rawValue) needs queries with equally many columns: "
                            + "\(one.columnCount) before it, \(other.columnCount) after it"))
            }
            return (.compound(known, isAll: isAll, one, other), columnNames)
        }
    }
}

/// The end of a query: `ORDER BY … LIMIT … OFFSET …`
package struct QueryTail {
    package var order: [QueryOrder] = []
    var limit: QueryExpression?
    var offset: QueryExpression?

    package init(
        order: [QueryOrder] = [], limit: QueryExpression? = nil, offset: QueryExpression? = nil
    ) {
        self.order = order
        self.limit = limit
        self.offset = offset
    }
}
