internal import FleeceLite

extension SQLPPParser {
    /// Reads an operand other than a number, without prefix operators and without a following path.
    mutating func parsePrimary() throws -> QueryExpression {
        switch kind {
        case .name, .quotedName: return try parseNamed()
        case .symbol(.star):
            growLeaf()
            return .property(try parsePath())
        case .symbol(.leftParenthesis): return try parseParentheses()
        case .symbol(.leftBracket):
            advance()
            return .array(try parseList(to: .rightBracket))
        case .symbol(.leftBrace):
            advance()
            return try parseDictionary()
        case .keyword(let keyword): return try parseKeyword(keyword)
        case .string: return parseLeaf(.literal(.string(unquoted)))
        case .parameter:
            return parseLeaf(.parameter(String(decoding: source.dropFirst(), as: UTF8.self)))
        default: throw unexpected("an expression")
        }
    }

    /// Reads the single token of a leaf expression.
    private mutating func parseLeaf(_ expression: QueryExpression) -> QueryExpression {
        advance()
        growLeaf()
        return expression
    }

    private mutating func parseKeyword(_ keyword: SQLPPKeyword) throws -> QueryExpression {
        switch keyword {
        case .true: return parseLeaf(.literal(.boolean(true)))
        case .false: return parseLeaf(.literal(.boolean(false)))
        case .null: return parseLeaf(.literal(.null))
        case .missing: return parseLeaf(.literal(.missing))
        case .case: return try parseCases()
        case .any, .every: return try parseQuantifier()
        default: throw unexpected("an expression")
        }
    }

    private mutating func parseParentheses() throws -> QueryExpression {
        advance()
        let expression = try parseEnclosed()
        enclosed = (expression, position)
        return expression
    }

    /// Reads an expression or query and its closing parenthesis.
    mutating func parseEnclosed() throws -> QueryExpression {
        let start = position
        let expression = try startsQuery ? parseSubquery() : parseExpression()
        if case .subquery = expression.bare, let query = try parseRest(of: expression) {
            return located(query, from: start)
        }
        try expect(.rightParenthesis, or: "an operator or ")
        return located(expression, from: start)
    }

    /// Reads a query up to its closing parenthesis, which is not consumed.
    private mutating func parseSubquery() throws -> QueryExpression {
        let query = try withinScope { try $0.parseQuery() }
        guard kind == .symbol(.rightParenthesis) else {
            throw unexpected(stage.expected + " or ')'")
        }
        try grow(on: height)
        return .subquery(query)
    }

    /// Reads the rest of a query and its closing parenthesis if the preceding parenthesized query
    /// is its first operand; returns nil if there is no more.
    mutating func parseRest(of first: QueryExpression) throws -> QueryExpression? {
        guard case .subquery(let query) = first.bare, continuesQuery else { return nil }
        height -= 1
        let whole = try parseQuery(after: query)
        try expectQueryEnd()
        try grow(on: height)
        return .subquery(whole)
    }

    /// Reads a call, the path of a property, or the path of a variable.
    private mutating func parseNamed() throws -> QueryExpression {
        if kind == .name, kind(after: 1) == .symbol(.leftParenthesis) { return try parseCall() }
        if isWord(.some), kind(after: 2) == .keyword(.in), startsWithName(after: 1) {
            return try parseQuantifier()
        }
        if isWord(.exists), startsWithName(after: 1), !isNamed { return try parseExistence() }
        growLeaf()
        let path = try parsePath()
        guard case .key(let name) = path.components.first, variables.contains(name) else {
            return .reading(path)
        }
        return .variable(name, PropertyPath(Array(path.components.dropFirst())))
    }

    /// Whether the next token is a property that an item's end follows.
    private var isNamed: Bool { itemNesting == nesting && endsItem(after: 2) }

    /// `EXISTS path`
    private mutating func parseExistence() throws -> QueryExpression {
        advance()
        try enter()
        let start = position
        let operand = try parseSuffixes(after: parsePrimary())
        leave()
        try grow(on: height)
        return .operation(.exists, [located(operand, from: start)])
    }

    private func startsWithName(after count: Int) -> Bool {
        kind(after: count) == .name || kind(after: count) == .quotedName
    }

    /// `CASE [subject] WHEN condition THEN value … [ELSE value] END`
    private mutating func parseCases() throws -> QueryExpression {
        advance()
        var tallest = 0
        var subject: QueryExpression?
        if kind != .keyword(.when) {
            subject = try parseExpression()
            tallest = height
        }
        var branches: [QueryCase] = []
        try expect(.when, or: "an operator or ")
        repeat {
            let condition = try parseExpression()
            tallest = max(tallest, height)
            try expect(.then, or: "an operator or ")
            let value = try parseExpression()
            tallest = max(tallest, height)
            branches.append(QueryCase(condition: condition, value: value))
        } while skip(.when)
        var otherwise: QueryExpression?
        if skip(.else) {
            otherwise = try parseExpression()
            tallest = max(tallest, height)
        }
        try expect(.end, or: otherwise == nil ? "an operator, WHEN, ELSE or " : "an operator or ")
        try grow(on: tallest)
        return .cases(subject: subject, branches, otherwise: otherwise)
    }

    /// `ANY variable IN collection SATISFIES condition END`; also `SOME` and `EVERY`.
    private mutating func parseQuantifier() throws -> QueryExpression {
        var kind = QueryQuantifier.Kind.every
        if !skip(.every) {
            advance()
            kind = .any
            if skip(.and) {
                try expect(.every)
                kind = .anyAndEvery
            }
        }
        let variable = try parseName("the name of a variable")
        try expect(.in)
        let collection = try parseExpression()
        let collectionHeight = height
        try expect(.satisfies, or: "an operator or ")
        variables.append(variable)
        let condition = try parseExpression()
        variables.removeLast()
        try expect(.end, or: "an operator or ")
        try grow(on: max(collectionHeight, height))
        return .quantified(
            QueryQuantifier(
                kind: kind, variable: variable, collection: collection, condition: condition))
    }
}
