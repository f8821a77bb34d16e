internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

// FROM.
extension QueryResolver {
    /// Adds the sources of a block to its scope.
    func sources(
        of block: QueryBlock, _ scope: NameScope, _ outerContext: OuterContext
    ) throws -> [BoundSource] {
        guard !block.sources.isEmpty else {
            let source = try block.position.locating {
                try addDocuments(
                    catalog(for: "FROM").defaultTable(), alias: "_doc", prefix: nil,
                    isOptional: false, scope)
            }
            return [BoundSource(source: source, content: .documents, join: nil, condition: nil)]
        }
        return try block.sources.enumerated().map { index, source in
            guard (index == 0) == (source.join == nil) else {
                throw StoreError.invalidQuery("only the first source of a query has no JOIN")
            }
            var outerContext = outerContext
            outerContext.hiddenSources += block.sources.filter { $0 != source }.compactMap(\.name)
            return try source.position.locating { try add(source, scope, outerContext) }
        }
    }

    private func add(
        _ source: QuerySource, _ scope: NameScope, _ outerContext: OuterContext
    ) throws -> BoundSource {
        let added: ResolvedSource
        let content: BoundSource.Content
        switch source.kind {
        case .collection(let name):
            if name.scope == nil, let table = scope.table(called: name.collection) {
                added = try addRows(
                    source, alias: source.alias ?? table.name, table.columnNames, scope)
                content = .cte(table.sqlName)
            } else {
                added = try addDocuments(
                    catalog(for: "FROM").table(name), alias: source.alias ?? name.collection,
                    prefix: source.alias == nil ? name.scope : nil,
                    isOptional: source.join == .left, scope)
                content = .documents
            }
        case .query(let query):
            let inner = try self.query(query, outerContext)
            let alias = source.alias ?? "query\(scope.sources.count + 1)"
            added = try addRows(source, alias: alias, inner.columnNames, scope)
            content = .query(inner)
        case .unnest(let array):
            let (element, array) = try addElements(source, array, scope)
            (added, content) = (element, .elements(array))
        }
        let condition = try source.condition.map {
            try expression(
                $0,
                ResolverContext(
                    names: NameEnvironment(bindings: scope), variables: scope.variables))
        }
        guard source.join != nil || condition == nil else {
            throw StoreError.invalidQuery("the first source of a query has no ON")
        }
        return BoundSource(
            source: added, content: content, join: source.join, condition: condition)
    }

    private func addDocuments(
        _ table: QueryTable, alias: String, prefix: String?, isOptional: Bool, _ scope: NameScope
    ) throws -> ResolvedSource {
        let name = prefix.map { $0 + "." + alias } ?? alias
        let source = ResolvedSource(
            alias: alias, prefix: prefix, sqlAlias: try scope.newAlias(name),
            kind: .documents(table), block: scope.block, position: scope.sources.count,
            isOptional: isOptional)
        use(table)
        scope.sources.append(source)
        return source
    }

    private func addRows(
        _ source: QuerySource, alias: String, _ columnNames: [String], _ scope: NameScope
    ) throws -> ResolvedSource {
        let rows = ResolvedSource(
            alias: alias, sqlAlias: try scope.newAlias(alias),
            kind: .rows(QueryColumns(columnNames)), block: scope.block,
            position: scope.sources.count, isOptional: source.join == .left)
        scope.sources.append(rows)
        return rows
    }

    private func addElements(
        _ source: QuerySource, _ array: QueryExpression, _ scope: NameScope
    ) throws -> (ResolvedSource, BoundExpression) {
        guard source.condition == nil, source.join != nil else {
            throw StoreError.invalidQuery("UNNEST must follow another source and has no ON")
        }
        guard case .property(let path) = array.bare,
            case .source(let owner, let rest) =
                try NameEnvironment(bindings: scope).resolution(of: path),
            !rest.components.isEmpty || !owner.isOfDocuments
        else {
            throw StoreError.invalidQuery(
                "only a property path is allowed after UNNEST, such as \(scope.sources[0].alias)"
                    + ".names")
        }
        let elements = BoundExpression(try property(rest, of: owner))
        let alias = try source.alias ?? Self.lastName(of: path)
        let added = ResolvedSource(
            alias: alias, sqlAlias: try scope.newAlias(alias),
            kind: .elements(of: owner, array: rest), block: scope.block,
            position: scope.sources.count, isOptional: source.join == .left)
        scope.sources.append(added)
        return (added, elements)
    }

    private static func lastName(of path: PropertyPath) throws -> String {
        guard case .key(let name) = path.components.last else {
            throw StoreError.invalidQuery("UNNEST \(path) needs a name: AS …")
        }
        return name
    }
}

extension NameScope {
    /// The visible CTE with a name; nil if there is none.
    fileprivate func table(called name: String) -> ResolvedCTE? {
        tables.last { $0.name.hasSameBytes(as: name) }
            ?? tables.last { NameComparison.ignoringCase.areEqual($0.name, name) }
    }

    /// A unique alias of a source in SQL, whose names are case-insensitive.
    fileprivate func newAlias(_ name: String) throws -> String {
        guard !name.hasNUL else {
            throw StoreError.invalidQuery("an alias cannot contain U+0000")
        }
        guard !sources.contains(where: { name.hasSameBytes(as: $0.fullName) }) else {
            throw StoreError.invalidQuery(
                "two sources have the name \(name); give one another "
                    + "with AS")
        }
        let identifier = name.sqlIdentifier
        if sources.isEmpty, variables.isEmpty, outer == nil { return identifier }
        var taken = sources.map { $0.sqlAlias.asciiLowercased }
        // A name of the outer query may stand for an expression that reads its source.
        if let outer = outer?.scope, outer.hasNames || outer.hasSource(like: name) {
            taken += outer.sqlAliases
        }
        taken += variables.map { $0.sqlAlias.asciiLowercased }
        var alias = name
        while taken.contains(alias.sqlIdentifier.asciiLowercased) { alias += "_" }
        return alias.sqlIdentifier
    }
}
