internal import StoreFormat

extension SQLPPParser {
    /// The maximum number of `SELECT` blocks in a statement.
    static let maximumBlocks = 500

    /// `SELECT [DISTINCT | ALL] results [FROM …] [LET …] [WHERE …] [GROUP BY …] [HAVING …]`
    mutating func parseBlock() throws -> QueryBlock {
        blocks += 1
        guard blocks <= Self.maximumBlocks else {
            throw error(found: "more than \(Self.maximumBlocks) SELECT", expected: "fewer")
        }
        var block = QueryBlock()
        block.position = textPosition(ofToken: position)
        advance()
        block.isDistinct = skip(.distinct)
        if !block.isDistinct, isWord(.all), startsItem(after: 1) { advance() }
        try refuseRaw()
        repeat { block.results.append(try parseResult()) } while skip(.comma)
        if skip(.from) { block.sources = try parseSources() }
        if skip(.let) { block.bindings = try parseBindings() }
        if skip(.where) {
            block.condition = try parseTerm()
            stage = .condition
        }
        if skip(.group) {
            try expect(.by)
            repeat { block.groups.append(try parseTerm()) } while skip(.comma)
            stage = .group
        }
        if skip(.having) {
            block.groupCondition = try parseTerm()
            stage = .groupCondition
        }
        return block
    }

    /// `expression [[AS] alias]`
    private mutating func parseResult() throws -> QueryResult {
        let expression = try parseItem()
        let alias = try parseAlias()
        stage = alias == nil ? .result : .namedResult
        var result = QueryResult(expression: expression, alias: alias)
        if alias != nil { result.aliasPosition = textPosition(ofToken: position - 1) }
        return result
    }

    /// Reads an expression that an alias may follow without `AS`.
    mutating func parseItem() throws -> QueryExpression {
        let outside = itemNesting
        itemNesting = nesting
        let expression = try parseTerm()
        itemNesting = outside
        return expression
    }

    /// `name = expression, …`
    private mutating func parseBindings() throws -> [QueryBinding] {
        var bindings: [QueryBinding] = []
        repeat {
            let start = textPosition(ofToken: position)
            let name = try parseName("a name")
            try expect(.equal)
            bindings.append(
                QueryBinding(name: name, expression: try parseTerm(), position: start))
        } while skip(.comma)
        stage = .binding
        return bindings
    }

    /// Whether an expression begins after so many tokens, rather than continuing the current one.
    private func startsItem(after count: Int) -> Bool {
        switch kind(after: count) {
        case .name:
            // A word is an alias if nothing else follows.
            true
        case .quotedName, .string, .integer, .real, .parameter: true
        case .symbol(let symbol):
            switch symbol {
            case .star, .plus, .minus, .leftParenthesis, .leftBracket, .leftBrace: true
            default: false
            }
        case .keyword(let keyword):
            switch keyword {
            case .not, .case, .any, .every, .true, .false, .null, .missing: true
            default: false
            }
        default: false
        }
    }

    /// - Throws: if the query asks for raw values instead of rows (`RAW` and similar keywords of
    ///   N1QL).
    private func refuseRaw() throws {
        guard isWord(.raw) || isWord(.value) || isWord(.element), startsItem(after: 1) else {
            return
        }
        let isName =
            switch kind(after: 1) {
            // An operator, or an index.
            case .symbol(let symbol): symbol != .leftBrace
            case .keyword(.not): true
            case .name: Self.operators.contains { isWord($0, after: 1) }
            default: false
            }
        if isName { return }
        let word = String(decoding: source, as: UTF8.self)
        throw error(
            found: "SELECT \(word.asciiUppercased), which is not supported",
            expected: "columns, or \(word) AS and a name if it is a property")
    }

    /// Words that may follow a property without an alias.
    private static let operators: [SQLPPContextualKeyword] = [.let, .union, .intersect, .except]
}
