extension SQLPPParser {
    /// The number of expression levels that a query counts for.
    static let queryDepth = 4

    /// Whether a query follows, rather than an expression.
    var startsQuery: Bool {
        if kind == .keyword(.select) { return true }
        guard isWord(.with), kind(after: 2) == .keyword(.as) else { return false }
        return kind(after: 1) == .name || kind(after: 1) == .quotedName
    }

    /// Whether the preceding parenthesized query is only the beginning of a query.
    var continuesQuery: Bool {
        switch kind {
        case .keyword(.order), .keyword(.limit), .keyword(.offset): true
        default: setOperator != nil
        }
    }

    private var setOperator: QuerySetOperator? {
        guard kind == .name else { return nil }
        if isWord(.union) { return .union }
        if isWord(.intersect) { return .intersect }
        return isWord(.except) ? .except : nil
    }

    /// Reads a query without enclosing parentheses. Its height is that of its tallest expression.
    mutating func parseQuery() throws -> QuerySelect {
        try enter(levels: Self.queryDepth)
        let outside = tallest
        tallest = 1
        let with = isWord(.with) ? try parseCTEs() : []
        let query = try parseLimits(of: QuerySelect(with: with, body: try parseCompound()))
        height = tallest
        tallest = outside
        leave(levels: Self.queryDepth)
        return query
    }

    /// Reads the rest of a query after a parenthesized query that was read as an operand.
    mutating func parseQuery(after first: QuerySelect) throws -> QuerySelect {
        try enter(levels: Self.queryDepth)
        let outside = tallest
        tallest = height
        stage = .query
        let query = try parseLimits(
            of: QuerySelect(body: try parseCompound(after: QueryBody(first))))
        height = tallest
        tallest = outside
        leave(levels: Self.queryDepth)
        return query
    }

    /// Reads an expression that is part of a query.
    mutating func parseTerm() throws -> QueryExpression {
        let expression = try parseExpression()
        tallest = max(tallest, height)
        return expression
    }

    /// `WITH name AS (query), …`
    private mutating func parseCTEs() throws -> [QueryCTE] {
        advance()
        var tables: [QueryCTE] = []
        repeat {
            let start = textPosition(ofToken: position)
            let name = try parseName("a name")
            try expect(.as)
            tables.append(QueryCTE(name: name, query: try parseNestedQuery(), position: start))
        } while skip(.comma)
        stage = .cte
        return tables
    }

    /// Reads a parenthesized query that is part of another one.
    mutating func parseNestedQuery() throws -> QuerySelect {
        try expect(.leftParenthesis)
        let query = try withinScope { try $0.parseQuery() }
        tallest = max(tallest, height)
        try expectQueryEnd()
        return query
    }

    /// Reads the closing parenthesis of a query.
    mutating func expectQueryEnd() throws {
        try expect(.rightParenthesis, or: stage.expected + " or ")
    }

    /// Reads queries separated by `UNION` or `EXCEPT`.
    private mutating func parseCompound(after first: QueryBody? = nil) throws -> QueryBody {
        var body = try parseIntersection(after: first)
        while let operation = setOperator, operation != .intersect {
            advance()
            let isAll = skip(.all)
            body = .compound(operation, isAll: isAll, body, try parseIntersection())
        }
        return body
    }

    /// Reads queries separated by `INTERSECT`, which has a higher precedence.
    private mutating func parseIntersection(after first: QueryBody? = nil) throws -> QueryBody {
        var body = try first ?? parseOperand()
        while setOperator == .intersect {
            advance()
            let isAll = skip(.all)
            body = .compound(.intersect, isAll: isAll, body, try parseOperand())
        }
        return body
    }

    private mutating func parseOperand() throws -> QueryBody {
        if kind == .symbol(.leftParenthesis) {
            let query = try parseNestedQuery()
            stage = .query
            return QueryBody(query)
        }
        guard kind == .keyword(.select) else {
            throw unexpected(stage == .cte ? "',', SELECT or '('" : "SELECT or '('")
        }
        return .block(try parseBlock())
    }

    /// `[ORDER BY …] [LIMIT …] [OFFSET …]`, the last two in any order.
    private mutating func parseLimits(of body: QuerySelect) throws -> QuerySelect {
        var query = body
        if skip(.order) {
            try expect(.by)
            repeat { query.order.append(try parseOrder()) } while skip(.comma)
        }
        for _ in 0..<2 {
            if query.limit == nil, skip(.limit) {
                query.limit = try parseTerm()
                stage = query.offset == nil ? .limit : .limits
            } else if query.offset == nil, skip(.offset) {
                query.offset = try parseTerm()
                stage = query.limit == nil ? .offset : .limits
            }
        }
        return query.simplified
    }

    /// `expression [ASC | DESC] [NULLS FIRST | NULLS LAST]`
    mutating func parseOrder() throws -> QueryOrder {
        var order = QueryOrder(expression: try parseTerm())
        stage = .order
        if kind == .keyword(.asc) || kind == .keyword(.desc) {
            order.isDescending = kind == .keyword(.desc)
            advance()
            stage = .directedOrder
        }
        if skip(.nulls) {
            guard isWord(.first) || isWord(.last) else { throw unexpected("FIRST or LAST") }
            order.missingIsLast = isWord(.last)
            advance()
            stage = .finishedOrder
        }
        return order
    }
}

extension QuerySelect {
    /// Whether it consists of its body only.
    var isBare: Bool { with.isEmpty && order.isEmpty && limit == nil && offset == nil }

    /// The same query without redundant parentheses.
    var simplified: QuerySelect {
        guard isBare, case .nested(let query) = body else { return self }
        return query
    }
}

extension QueryBody {
    /// A parenthesized query; redundant parentheses are removed.
    init(_ query: QuerySelect) {
        self = query.isBare ? query.body : .nested(query)
    }
}
