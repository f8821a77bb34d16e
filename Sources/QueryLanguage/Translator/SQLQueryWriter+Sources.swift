internal import FleeceLite
internal import StoreFormat

// FROM.
extension SQLQueryWriter {
    /// Adds the sources to a scope; returns the items of `FROM`.
    mutating func sources(
        of block: QueryBlock, _ results: [QueryResult], _ tail: QueryTail, _ scope: QueryScope
    ) throws -> String {
        let expressions = block.allExpressions(results, tail)
        guard !block.sources.isEmpty else {
            let source = try addRecords(
                translation.catalog().defaultTable(), alias: "_doc", prefix: nil, [], expressions,
                scope)
            return table(of: source)
        }
        var sql = ""
        for (index, source) in block.sources.enumerated() {
            guard (index == 0) == (source.join == nil) else {
                throw StoreError.invalidQuery("only the first source of a query has no JOIN")
            }
            let siblings = block.sources.filter { $0 != source }.compactMap(\.name)
            sql += try add(source, siblings, expressions, scope)
        }
        return sql
    }

    private mutating func add(
        _ source: QuerySource, _ siblings: [String], _ expressions: [QueryExpression],
        _ scope: QueryScope
    ) throws -> String {
        switch source.kind {
        case .collection(let name):
            if name.scope == nil, let table = cte(name.collection) {
                return try join(
                    source, rows: table.columnNames, table.sql,
                    alias: source.alias ?? table.name, scope)
            }
            let added = try addRecords(
                translation.catalog().table(name), alias: source.alias ?? name.collection,
                prefix: source.alias == nil ? name.scope : nil, siblings, expressions, scope,
                isOptional: source.join == .left)
            return try join(source, table(of: added), added, scope)
        case .query(let query):
            var writer = self
            writer.hiddenSources += siblings
            let inner = try writer.write(query, as: .typed)
            let alias = source.alias ?? "query\(scope.sources.count + 1)"
            return try join(source, rows: inner.columnNames, "(\(inner.sql))", alias: alias, scope)
        case .unnest(let array): return try unnest(source, array, scope)
        }
    }

    /// Joins the rows of a subquery. If a row may have no match, an additional column indicates
    /// whether there is one.
    private func join(
        _ source: QuerySource, rows columnNames: [String], _ table: String, alias: String,
        _ scope: QueryScope
    ) throws -> String {
        var added = ScopeSource(
            alias: alias, prefix: nil, sql: try newAlias(alias, scope),
            kind: .rows(QueryColumns(columnNames)))
        added.isOptional = source.join == .left
        scope.sources.append(added)
        let rows = added.isOptional ? "(SELECT *, 1 AS c0 FROM \(table))" : table
        return try join(source, "\(rows) AS \(added.sql)", added, scope)
    }

    private func join(
        _ source: QuerySource, _ table: String, _ added: ScopeSource, _ scope: QueryScope
    ) throws -> String {
        var conditions: [String] = []
        if let condition = source.condition {
            var writer = SQLExpressionWriter(.scope(scope))
            writer.variables = variables
            let alive = scope.sources.count > 1 ? aliveTest(added) : nil
            try writer.within(alive == nil ? 0 : 2) { try $0.write(condition) }
            conditions = [writer.sql]
        }
        guard let join = source.join else {
            guard source.condition == nil else {
                throw StoreError.invalidQuery("the first source of a query has no ON")
            }
            return table
        }
        if let alive = aliveTest(added) { conditions.append(alive) }
        let on = conditions.isEmpty ? "" : " ON " + conditions.joined(separator: " AND ")
        return " \(join.sql) JOIN \(table)\(on)"
    }
}

extension QuerySource.Join {
    fileprivate var sql: String {
        switch self {
        case .inner: "INNER"
        case .left: "LEFT"
        case .cross: "CROSS"
        }
    }
}

// Tables.
extension SQLQueryWriter {
    private func addRecords(
        _ table: QueryTable, alias: String, prefix: String?, _ siblings: [String],
        _ expressions: [QueryExpression], _ scope: QueryScope, isOptional: Bool = false
    ) throws -> ScopeSource {
        var source = ScopeSource(
            alias: alias, prefix: prefix,
            sql: try newAlias(prefix.map { $0 + "." + alias } ?? alias, scope),
            kind: .records(table))
        source.isOptional = isOptional
        let isOnly = scope.sources.isEmpty
        source.includesDeleted = expressions.contains { expression in
            expression.asksForDeleted { owner in
                guard let owner else { return isOnly }
                return source.isCalled(owner, .exact)
                    || source.isCalled(owner, .ignoringCase)
                        && !siblings.contains { $0.hasSameBytes(as: owner) }
            }
        }
        translation.use(table)
        translation.sqlTables[source.sql.unquotedSQLName] = table.live
        scope.sources.append(source)
        return source
    }

    private func cte(_ name: String) -> CTE? {
        tables.last { $0.name.hasSameBytes(as: name) }
            ?? tables.last { NameComparison.ignoringCase.areEqual($0.name, name) }
    }

    /// The table, or both tables if the query includes tombstones. Indexes do not cover the rowids
    /// of tombstones, so their rows have none.
    private func table(of source: ScopeSource) -> String {
        guard case .records(let table) = source.kind else { return "" }
        guard source.includesDeleted, let tombstones = table.tombstones else {
            return "\(table.live) AS \(source.sql)"
        }
        let columns =
            "key, sequence, flags, version, body, "
            + (table.hasExpiration ? "expiration" : "NULL AS expiration")
        return "(SELECT rowid AS rowid, \(columns) FROM \(table.live) UNION ALL "
            + "SELECT NULL, \(columns) FROM \(tombstones)) AS \(source.sql)"
    }

    /// A unique alias of a source in SQL, whose names are case-insensitive.
    private func newAlias(_ name: String, _ scope: QueryScope) throws -> String {
        guard !name.utf8.contains(0) else {
            throw StoreError.invalidQuery("an alias cannot contain U+0000")
        }
        guard !scope.sources.contains(where: { name.hasSameBytes(as: $0.fullName) }) else {
            throw StoreError.invalidQuery(
                "two sources have the name \(name); give one another "
                    + "with AS")
        }
        var taken = scope.sources.map { $0.sql.asciiLowercased }
        // A name of the outer query may stand for an expression that reads its source.
        if let outer = scope.outer, outer.hasNames || outer.hasTable(like: name) {
            taken += outer.tables
        }
        taken += variables.map { $0.table.asciiLowercased }
        var alias = name
        while taken.contains(alias.sqlIdentifier.asciiLowercased) { alias += "_" }
        translation.sourceNames[alias] = name
        return alias.sqlIdentifier
    }
}

// Elements of arrays.
extension SQLQueryWriter {
    private func unnest(
        _ source: QuerySource, _ array: QueryExpression, _ scope: QueryScope
    ) throws -> String {
        guard source.condition == nil, let kind = source.join else {
            throw StoreError.invalidQuery("UNNEST must follow another source and has no ON")
        }
        guard case .property(let path) = array,
            case .source(let owner, let rest) = try scope.resolution(of: path),
            !rest.components.isEmpty || !owner.isRecords
        else {
            throw StoreError.invalidQuery(
                "only a property path is allowed after UNNEST, such as \(scope.sources[0].alias)"
                    + ".names")
        }
        let alias = try source.alias ?? Self.lastName(of: path)
        let sql = try newAlias(alias, scope)
        let join = kind == .left ? " LEFT JOIN" : " JOIN"
        if let index = elements(rest, of: owner) {
            let array = owner.array(rest)
            scope.sources.append(
                ScopeSource(alias: alias, prefix: nil, sql: sql, kind: .indexed(index, array)))
            translation.sourceNames[sql.unquotedSQLName] = index.title
            translation.elementTables.insert(sql.unquotedSQLName)
            return "\(join) \(index.sqlName) AS \(sql) ON \(sql).docid=\(owner.sql).rowid"
        }
        var writer = SQLExpressionWriter(.scope(scope))
        try writer.collectionCall("fl_each", array)
        scope.sources.append(
            ScopeSource(
                alias: alias, prefix: nil, sql: sql, kind: .elements(of: owner.sql, array: rest)))
        translation.elementSources.insert(sql.unquotedSQLName)
        return "\(join) \(writer.sql) AS \(sql)"
    }

    /// The table of the elements of an array; nil if there is none.
    private func elements(
        _ path: PropertyPath, of owner: ScopeSource
    ) -> QueryIndexes.ElementTable? {
        guard !translation.options.avoidsIndexes, !owner.includesDeleted else { return nil }
        return switch owner.kind {
        case .records(let table): table.indexes.arrays[path.description]
        case .indexed(let table, _): table.inner[path.description]
        case .elements, .rows: nil
        }
    }

    private static func lastName(of path: PropertyPath) throws -> String {
        guard case .key(let name) = path.components.last else {
            throw StoreError.invalidQuery("UNNEST \(path) needs a name: AS …")
        }
        return name
    }
}

extension ScopeSource {
    /// An array in the element, as seen from the documents.
    fileprivate func array(_ path: PropertyPath) -> IndexedArray {
        if case .indexed(_, let outer) = kind {
            return IndexedArray(in: outer, elements: sql, path: path.description)
        }
        return IndexedArray(table: sql, body: sql + ".body", path: path.description)
    }
}

extension SQLQueryWriter {
    /// The names in the scope of one SELECT, for its analysis.
    package mutating func scope(
        of block: QueryBlock, _ tail: QueryTail, with common: [QueryCTE]
    ) throws -> QueryScope {
        for table in common {
            let written = try write(table.query, as: .typed)
            tables.append(CTE(name: table.name, sql: "w", columnNames: written.columnNames))
        }
        let scope = QueryScope(translation, outer: outer)
        scope.tablesByName = tables
        _ = try sources(of: block, block.results, QueryTail(), scope)
        try addNames(block, block.results, tail, to: scope)
        scope.visibleNames = scope.names.count
        return scope
    }
}

extension QueryScope {
    /// Whether expressions of a subquery can read the sources of this query through names.
    fileprivate var hasNames: Bool { !names.isEmpty || outer?.hasNames ?? false }

    /// Whether a source has this name case-insensitively, as SQL compares names.
    fileprivate func hasTable(like name: String) -> Bool {
        let lowercase = name.asciiLowercased
        return sources.contains {
            $0.alias != name && $0.alias.asciiLowercased == lowercase
        } || outer?.hasTable(like: name) ?? false
    }
}

extension QueryBlock {
    /// All expressions of a query except those of subqueries in `FROM`.
    fileprivate func allExpressions(
        _ results: [QueryResult], _ tail: QueryTail
    ) -> [QueryExpression] {
        var all = results.map(\.expression) + bindings.map(\.expression) + groups
        all += sources.compactMap(\.condition) + tail.order.map(\.expression)
        return all + [condition, groupCondition].compactMap(\.self)
    }
}

extension QueryExpression {
    /// Whether it tests for deleted documents of a source that `isSource` identifies by its name.
    fileprivate func asksForDeleted(_ isSource: (String?) -> Bool) -> Bool {
        var asks = false
        visit {
            if case .meta(let property, let owner) = $0, property == .deleted || property == .all {
                asks = asks || isSource(owner)
            }
        }
        return asks
    }
}
