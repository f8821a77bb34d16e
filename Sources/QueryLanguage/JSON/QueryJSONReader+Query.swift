internal import FleeceLite
internal import StoreFormat

extension QueryJSONReader {
    /// The number of expression levels that a query counts for.
    private static let queryDepth = 4

    /// The keys of a query.
    private static let blockKeys: Set<String> = [
        "WHAT", "FROM", "LET", "WHERE", "GROUP_BY", "HAVING", "DISTINCT",
    ]
    private static let queryKeys: Set<String> = blockKeys.union([
        "WITH", "SELECT", "ORDER_BY", "LIMIT", "OFFSET",
    ])

    /// The query that an array represents; nil if the array is not a query.
    mutating func query(_ array: FleeceArray) throws -> QuerySelect? {
        guard let name = array.first?.string?.asciiUppercased else { return nil }
        if name == "SELECT" {
            guard array.count == 2, let clauses = array[1].dictionary else {
                throw StoreError.invalidQuery("SELECT needs a dictionary of clauses")
            }
            return try select(clauses).simplified
        }
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = words.first, let operation = QuerySetOperator(rawValue: String(first)),
            words.count == 1 || words.count == 2 && words[1] == "ALL"
        else { return nil }
        guard array.count > 2 else {
            throw StoreError.invalidQuery("\(name) needs two queries or more")
        }
        try descend(levels: Self.queryDepth)
        defer { ascend(levels: Self.queryDepth) }
        var body = QueryBody(try query(array[1]))
        for operand in array.dropFirst(2) {
            body = .compound(
                operation, isAll: words.count == 2, body, QueryBody(try query(operand)))
        }
        return QuerySelect(body: body)
    }

    /// Reads a value that must be a query.
    mutating func query(_ value: FleeceValue) throws -> QuerySelect {
        if let clauses = value.dictionary { return try select(clauses).simplified }
        if let array = value.array, let query = try query(array) { return query }
        throw StoreError.invalidQuery("not a query: \(Self.text(value))")
    }

    /// Reads the query of a dictionary of clauses.
    mutating func select(_ dictionary: FleeceDictionary) throws -> QuerySelect {
        try descend(levels: Self.queryDepth)
        defer { ascend(levels: Self.queryDepth) }
        let clauses = try QueryJSONClauses(dictionary, of: "SELECT", Self.queryKeys)
        let tables = try clauses.list("WITH").map { try cte($0) }
        var query = QuerySelect(with: tables, body: try body(clauses))
        query.order = try clauses.list("ORDER_BY").map { try order($0) }
        query.limit = try clauses["LIMIT"].map { try expression($0) }
        query.offset = try clauses["OFFSET"].map { try expression($0) }
        return query
    }

    private mutating func body(_ clauses: QueryJSONClauses) throws -> QueryBody {
        guard let inner = clauses["SELECT"] else { return .block(try block(clauses)) }
        try clauses.refuse(Self.blockKeys.sorted(), because: "since it has a SELECT")
        return QueryBody(try query(inner))
    }

    private mutating func block(_ clauses: QueryJSONClauses) throws -> QueryBlock {
        blocks += 1
        guard blocks <= SQLPPParser.maximumBlocks else {
            throw StoreError.invalidQuery(
                "the statement has more than \(SQLPPParser.maximumBlocks) queries")
        }
        var block = QueryBlock(isDistinct: try clauses.bool("DISTINCT"))
        block.results = try clauses.list("WHAT").map { try result($0) }
        block.sources = try sources(clauses.list("FROM"))
        block.bindings = try clauses.list("LET").map { try binding($0) }
        block.condition = try clauses["WHERE"].map { try expression($0) }
        block.groups = try clauses.list("GROUP_BY").map { try term($0) }
        block.groupCondition = try clauses["HAVING"].map { try expression($0) }
        return block
    }

    /// An expression, `"property"`, or `["AS", expression, "alias"]`.
    private mutating func result(_ value: FleeceValue) throws -> QueryResult {
        guard let array = value.array, array.first?.string?.asciiUppercased == "AS" else {
            return QueryResult(expression: try term(value))
        }
        guard array.count == 2 || array.count == 3 && array[2].string != nil else {
            throw StoreError.invalidQuery(
                "AS needs an expression and an alias: \(Self.text(value))")
        }
        return QueryResult(
            expression: try expression(array[1]), alias: array.count == 3 ? array[2].string : nil)
    }

    private mutating func binding(_ value: FleeceValue) throws -> QueryBinding {
        guard let array = value.array, array.count == 3, let name = array[2].string,
            array[0].string?.asciiUppercased == "AS"
        else {
            throw StoreError.invalidQuery(
                "LET lists [\"AS\", expression, \"name\"]: \(Self.text(value))")
        }
        return QueryBinding(name: name, expression: try expression(array[1]))
    }

    private mutating func cte(_ value: FleeceValue) throws -> QueryCTE {
        guard let dictionary = value.dictionary else {
            throw StoreError.invalidQuery("WITH lists dictionaries: \(Self.text(value))")
        }
        let clauses = try QueryJSONClauses(dictionary, of: "WITH", ["AS", "SELECT"])
        guard let name = try clauses.text("AS"), let inner = clauses["SELECT"] else {
            throw StoreError.invalidQuery("an item of WITH needs AS and SELECT")
        }
        return QueryCTE(name: name, query: try query(inner))
    }

    /// An expression, in `["DESC", …]` or `["ASC", …]`, and that in `["NULLS LAST", …]`.
    mutating func order(_ value: FleeceValue) throws -> QueryOrder {
        guard let array = value.array, let name = array.first?.string?.asciiUppercased,
            ["ASC", "DESC", "NULLS FIRST", "NULLS LAST"].contains(name)
        else { return QueryOrder(expression: try term(value)) }
        guard array.count == 2 else {
            throw StoreError.invalidQuery("Wrong number of arguments to \(name)")
        }
        if name == "ASC" || name == "DESC" {
            return QueryOrder(
                expression: try expression(array[1]), isDescending: name == "DESC")
        }
        try descend(levels: 1)
        defer { ascend(levels: 1) }
        var order = try order(array[1])
        order.missingIsLast = name == "NULLS LAST"
        return order
    }
}

// Sources.
extension QueryJSONReader {
    private mutating func sources(_ list: [FleeceValue]) throws -> [QuerySource] {
        guard list.count <= SQLPPParser.maximumSources else {
            throw StoreError.invalidQuery(
                "FROM has more than \(SQLPPParser.maximumSources) items")
        }
        var sources: [QuerySource] = []
        for value in list { sources.append(try source(value, after: sources.first)) }
        return sources
    }

    private mutating func source(
        _ value: FleeceValue, after first: QuerySource?
    ) throws -> QuerySource {
        let isFirst = first == nil
        guard let dictionary = value.dictionary else {
            throw StoreError.invalidQuery("FROM lists dictionaries: \(Self.text(value))")
        }
        let clauses = try QueryJSONClauses(
            dictionary, of: "an item of FROM",
            ["COLLECTION", "SCOPE", "AS", "JOIN", "ON", "UNNEST", "SELECT"])
        if isFirst {
            try clauses.refuse(["JOIN", "ON", "UNNEST"], because: "since it is the first")
        }
        if let array = clauses["UNNEST"] { return try unnest(array, clauses) }
        var source = QuerySource(
            kind: try kind(clauses, after: first), alias: try Self.alias(clauses),
            join: isFirst ? nil : try Self.join(clauses))
        source.condition = try clauses["ON"].map { try expression($0) }
        return source
    }

    /// The kind of a source. An item without a collection refers to that of the first item.
    private mutating func kind(
        _ clauses: QueryJSONClauses, after first: QuerySource?
    ) throws -> QuerySource.Kind {
        guard let inner = clauses["SELECT"] else {
            let isNamed = clauses["COLLECTION"] != nil || clauses["SCOPE"] != nil
            if !isNamed, case .collection(let name) = first?.kind { return .collection(name) }
            return .collection(try clauses.collection())
        }
        try clauses.refuse(["COLLECTION", "SCOPE"], because: "since it has a SELECT")
        return .query(try query(inner))
    }

    private mutating func unnest(
        _ array: FleeceValue, _ clauses: QueryJSONClauses
    ) throws -> QuerySource {
        try clauses.refuse(
            ["COLLECTION", "SCOPE", "SELECT", "ON"], because: "since it has UNNEST")
        let array = try expression(array)
        guard let alias = try Self.alias(clauses) ?? array.lastName else {
            throw StoreError.invalidQuery("UNNEST needs AS")
        }
        let join = try Self.join(clauses)
        guard join != .cross else { throw StoreError.invalidQuery("UNNEST cannot have CROSS") }
        return QuerySource(kind: .unnest(array), alias: alias, join: join)
    }

    /// The alias of an item, in which a backslash escapes characters that have a meaning in paths.
    private static func alias(_ clauses: QueryJSONClauses) throws -> String? {
        guard let text = try clauses.text("AS") else { return nil }
        var alias = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in text.unicodeScalars {
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { alias.append(scalar) }
        }
        return String(alias)
    }

    private static func join(_ clauses: QueryJSONClauses) throws -> QuerySource.Join {
        guard let name = try clauses.text("JOIN")?.asciiUppercased else { return .inner }
        if name == "LEFT" { return .left }
        guard let join = QuerySource.Join(rawValue: name) else {
            throw StoreError.invalidQuery("JOIN cannot be \(name), only INNER, LEFT or CROSS")
        }
        return join
    }
}
