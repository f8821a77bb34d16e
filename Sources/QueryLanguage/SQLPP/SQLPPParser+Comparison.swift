extension SQLPPParser {
    /// Reads a keyword comparison: `IS`, `IN`, `LIKE`, `BETWEEN`, or one of them with `NOT`.
    mutating func parseComparison(after left: QueryExpression) throws -> QueryExpression {
        guard kind == .keyword(.not) else {
            switch kind {
            case .keyword(.is): return try parseIs(after: left)
            case .keyword(.in): return try parseIn(.in, after: left)
            case .keyword(.like): return try parseLike(after: left)
            default: return try parseBetween(after: left)
            }
        }
        let leftHeight = height
        advance()
        switch kind {
        case .keyword(.in): return try parseIn(.notIn, after: left)
        case .keyword(.like): return try negated(parseLike(after: left))
        case .keyword(.between): return try negated(parseBetween(after: left))
        case .keyword(.null):
            advance()
            try grow(on: leftHeight)
            return .operation(.isNot, [left, .literal(.null)])
        default: throw unexpected("IN, LIKE, BETWEEN or NULL")
        }
    }

    private mutating func negated(_ operand: QueryExpression) throws -> QueryExpression {
        try grow(on: height)
        return .operation(.not, [operand])
    }

    /// `LIKE pattern [ESCAPE character]`
    private mutating func parseLike(after left: QueryExpression) throws -> QueryExpression {
        let like = try parseOperation(.like, after: left)
        guard isWord(.escape), itemNesting != nesting || !endsItem(after: 1),
            case .operation(_, let operands) = like
        else { return like }
        let likeHeight = height
        advance()
        let sign = try parseExpression(.order)
        try grow(on: max(likeHeight - 1, height))
        return .operation(.like, operands + [sign])
    }

    /// `IS [NOT] operand`, `IS [NOT] VALUED`, `IS [NOT] DISTINCT FROM operand`
    private mutating func parseIs(after left: QueryExpression) throws -> QueryExpression {
        let isNegative = kind(after: 1) == .keyword(.not)
        if isNegative { advance() }
        if kind(after: 1) == .keyword(.distinct) {
            advance()
            guard kind(after: 1) == .keyword(.from) else {
                advance()
                throw unexpected("FROM")
            }
            advance()
            return try parseOperation(
                isNegative ? .isNotDistinctFrom : .isDistinctFrom, after: left)
        }
        guard kind(after: 1) == .keyword(.valued) else {
            return try parseOperation(isNegative ? .isNot : .is, after: left)
        }
        advance()
        advance()
        try grow(on: height)
        let isValued = QueryExpression.operation(.isValued, [left])
        return isNegative ? try negated(isValued) : isValued
    }

    /// `BETWEEN lowest AND highest`
    private mutating func parseBetween(after value: QueryExpression) throws -> QueryExpression {
        var tallest = height
        advance()
        let lowest = try parseExpression(.order)
        tallest = max(tallest, height)
        try expect(.and, or: "an operator or ")
        let highest = try parseExpression(.order)
        try grow(on: max(tallest, height))
        return .operation(.between, [value, lowest, highest])
    }

    /// `IN (list)`, `IN (query)`, or an expression with an array as its value.
    private mutating func parseIn(
        _ operation: QueryOperator, after left: QueryExpression
    ) throws -> QueryExpression {
        guard kind(after: 1) == .symbol(.leftParenthesis) else {
            return try parseOperation(operation, after: left)
        }
        let leftHeight = height
        advance()
        advance()
        let options: QueryExpression
        if startsQuery {
            options = try parseEnclosed()
        } else if skip(.rightParenthesis) {
            growLeaf()
            options = .array([])
        } else {
            let first = try parseExpression()
            options =
                try parseRest(of: first)
                ?? .array(parseList(after: first, to: .rightParenthesis))
        }
        try grow(on: max(leftHeight, height))
        return .operation(operation, [left, options])
    }

    /// `COLLATE word` or `COLLATE (word …)`
    mutating func parseCollation(after left: QueryExpression) throws -> QueryExpression {
        let whole = enclosed?.end == position ? enclosed?.expression : nil
        advance()
        var collation = QueryCollation()
        if skip(.leftParenthesis) {
            repeat { try parseCollationWord(of: &collation) } while !skip(.rightParenthesis)
        } else {
            try parseCollationWord(of: &collation)
            try refuseMoreCollationWords()
        }
        try grow(on: height)
        return Self.collated(left, collation, whole: collatesAll ? left : whole)
    }

    /// After several conditions it applies to the last one, which may be `whole`, in parentheses.
    private static func collated(
        _ expression: QueryExpression, _ collation: QueryCollation, whole: QueryExpression?
    ) -> QueryExpression {
        guard case .operation(let known, var operands) = expression.bare,
            known == .and || known == .or || known == .not, expression != whole,
            let last = operands.popLast()
        else { return .collate(collation, expression) }
        return .operation(known, operands + [collated(last, collation, whole: whole)])
    }

    /// - Throws: if another collation keyword follows without parentheses: it would be an alias.
    private func refuseMoreCollationWords() throws {
        guard kind == .keyword(.case) || word.map(Self.collationWords.contains) == true else {
            return
        }
        let found = String(decoding: source, as: UTF8.self)
        throw error(
            found: "'\(found)' after another word of COLLATE",
            expected: "parentheses around several: COLLATE (UNICODE NOCASE)")
    }

    private static let collationWords: Set = [
        "unicode", "nounicode", "case", "nocase", "diac", "nodiac",
    ]

    private mutating func parseCollationWord(of collation: inout QueryCollation) throws {
        let word = kind == .keyword(.case) ? "case" : word
        switch word {
        case "unicode": collation.isUnicode = true
        case "nounicode": collation.isUnicode = false
        case "case": collation.isCaseSensitive = true
        case "nocase": collation.isCaseSensitive = false
        case "diac": collation.isDiacriticSensitive = true
        case "nodiac": collation.isDiacriticSensitive = false
        default: throw unexpected("UNICODE, NOUNICODE, CASE, NOCASE, DIAC or NODIAC")
        }
        advance()
        if word == "unicode", skip(.colon) {
            collation.locale = try parseName("a language such as 'sv'")
        }
    }
}
