internal import FleeceLite

extension SQLPPParser {
    /// The maximum number of sources of a query, which is SQLite's limit for joins.
    static let maximumSources = 64

    /// Reads the items of `FROM`.
    mutating func parseSources() throws -> [QuerySource] {
        var sources = [try parseSource(join: nil)]
        while let source = try parseJoined() {
            guard sources.count < Self.maximumSources else {
                throw error(
                    found: "more than \(Self.maximumSources) sources of one query",
                    expected: "fewer")
            }
            sources.append(source)
        }
        return sources
    }

    /// Reads a source after a comma, `JOIN` or `UNNEST`; nil if there is none.
    private mutating func parseJoined() throws -> QuerySource? {
        switch kind {
        case .symbol(.comma):
            advance()
            return try parseSource(join: .cross)
        case .keyword(.unnest): return try parseUnnest(join: .inner)
        case .keyword(.join): return try parseJoin(.inner)
        case .keyword(.inner):
            advance()
            return kind == .keyword(.unnest)
                ? try parseUnnest(join: .inner) : try parseJoin(.inner, or: "UNNEST or ")
        case .keyword(.cross):
            advance()
            return try parseJoin(.cross)
        case .keyword(.left):
            advance()
            let isOuter = skip(.outer)
            return kind == .keyword(.unnest)
                ? try parseUnnest(join: .left)
                : try parseJoin(.left, or: isOuter ? "UNNEST or " : "OUTER, UNNEST or ")
        default: return nil
        }
    }

    /// `JOIN source [ON condition]`
    private mutating func parseJoin(
        _ join: QuerySource.Join, or others: String = ""
    ) throws -> QuerySource {
        try expect(.join, or: others)
        var source = try parseSource(join: join)
        stage = source.alias == nil ? .joined : .namedJoin
        if skip(.on) {
            source.condition = try parseTerm()
            stage = .joinCondition
        }
        return source
    }

    /// `UNNEST expression [[AS] alias]`
    private mutating func parseUnnest(join: QuerySource.Join) throws -> QuerySource {
        advance()
        let start = textPosition(ofToken: position)
        let expression = try parseItem()
        let given = try parseSourceAlias()
        guard let alias = given ?? expression.lastName else {
            throw unexpected("an operator, or AS and a name")
        }
        stage = given == nil ? .source : .namedSource
        sourceNames.append(alias)
        var source = QuerySource(kind: .unnest(expression), alias: alias, join: join)
        source.position = start
        return source
    }

    /// `collection [[AS] alias]` or `(query) [[AS] alias]`
    private mutating func parseSource(join: QuerySource.Join?) throws -> QuerySource {
        let start = textPosition(ofToken: position)
        let kind: QuerySource.Kind =
            self.kind == .symbol(.leftParenthesis)
            ? .query(try parseNestedQuery())
            : .collection(try parseCollectionName("the name of a collection or '('"))
        let alias = try parseSourceAlias()
        stage = alias == nil ? .source : .namedSource
        var source = QuerySource(kind: kind, alias: alias, join: join)
        source.position = start
        sourceNames += source.metaNames
        return source
    }

    /// Reads the alias of a source, which must differ from enclosing `ANY` variables: the variable
    /// would hide the source.
    private mutating func parseSourceAlias() throws -> String? {
        let token = position
        let alias = try parseAlias()
        if let alias, variables.contains(alias) {
            throw error(
                found: "the alias \(alias), which is also an outer variable",
                expected: "another one", at: token)
        }
        return alias
    }

    /// `collection` or `scope.collection`
    mutating func parseCollectionName(_ expected: String) throws -> QueryCollectionName {
        let name = try parseName(expected)
        guard skip(.dot) else { return QueryCollectionName(parsing: name) }
        return QueryCollectionName(scope: name, collection: try parseStep("a name"))
    }
}

extension QueryCollectionName {
    /// Parses a collection name with an optional scope and dot.
    init(parsing name: String) {
        guard let dot = name.firstIndex(of: ".") else {
            self.init(scope: nil, collection: name)
            return
        }
        self.init(
            scope: String(name[..<dot]), collection: String(name[name.index(after: dot)...]))
    }
}

extension QueryExpression {
    /// The default name of the elements of an array: the last name of its path.
    var lastName: String? {
        switch self {
        case .property(let path), .variable(_, let path), .nested(_, let path): path.lastName
        case .located(_, let value): value.lastName
        default: nil
        }
    }
}

extension PropertyPath {
    fileprivate var lastName: String? {
        guard case .key(let name) = components.last else { return nil }
        return name
    }
}
