extension SQLPPParser {
    /// Reads an expression whose operators have at least this precedence.
    mutating func parseExpression(
        _ minimum: SQLPPPrecedence = .collation
    ) throws -> QueryExpression {
        try enter()
        let start = position
        // The parser would be copied for `located(try parsePrefix(), …)`.
        let operand = try parsePrefix()
        var expression = located(operand, from: start)
        while let precedence = try infixPrecedence(), precedence >= minimum {
            let operation = try parseInfix(after: expression)
            expression = located(operation, from: start)
        }
        leave()
        return expression
    }

    /// The precedence of the next operator; nil if there is none.
    private func infixPrecedence() throws -> SQLPPPrecedence? {
        switch kind {
        case .keyword(.collate): return .collation
        case .keyword(.or): return .or
        case .keyword(.and): return .and
        case .keyword(.is), .keyword(.in), .keyword(.like), .keyword(.between), .keyword(.not):
            return .equality
        case .symbol(let symbol):
            if symbol.isBitOperator {
                throw unexpected("another operator; this one is not supported")
            }
            return symbol.infix?.precedence
        default: return nil
        }
    }

    private mutating func parseInfix(after left: QueryExpression) throws -> QueryExpression {
        switch kind {
        case .keyword(.collate): return try parseCollation(after: left)
        case .keyword(.or): return try parseOperation(.or, after: left)
        case .keyword(.and): return try parseOperation(.and, after: left)
        case .keyword: return try parseComparison(after: left)
        case .symbol(let symbol):
            guard let operation = symbol.infix else { fallthrough }
            return try parseOperation(operation, after: left)
        default: throw unexpected("an operator")
        }
    }

    /// Reads the last token of an operator, and its right operand.
    mutating func parseOperation(
        _ operation: QueryOperator, after left: QueryExpression
    ) throws -> QueryExpression {
        let leftHeight = height
        advance()
        let right = try parseExpression(operation.precedence.tighter)
        try grow(on: max(leftHeight, height))
        return .operation(operation, [left, right])
    }

    /// Reads a left operand, with its prefix operators.
    private mutating func parsePrefix() throws -> QueryExpression {
        switch kind {
        case .keyword(.not):
            advance()
            let operand = try parseExpression(.equality)
            try grow(on: height)
            return .operation(.not, [operand])
        case .symbol(.minus), .symbol(.plus): return try parseSigned()
        case .integer, .real: return try parseNumber(isNegative: false)
        default: return try parseSuffixes(after: parsePrimary())
        }
    }

    /// Reads signs and their operand. A sign before a number literal is part of it; `+` has no
    /// effect.
    private mutating func parseSigned() throws -> QueryExpression {
        var count = 0
        while true {
            if kind == .symbol(.minus) {
                count += 1
                try checkDepth(plus: count)
            } else if kind != .symbol(.plus) {
                break
            }
            advance()
        }
        if kind == .integer || kind == .real {
            return try parseNumber(isNegative: count % 2 == 1)
        }
        let start = position
        let first = try parsePrefix()
        var operand = located(first, from: start)
        for _ in 0..<count {
            try grow(on: height)
            operand = .operation(.subtract, [operand])
        }
        return operand
    }

    /// Reads expressions separated by commas, up to and including a closing symbol.
    mutating func parseList(to end: SQLPPToken.Symbol) throws -> [QueryExpression] {
        if !skip(end) { return try parseList(after: parseExpression(), to: end) }
        try grow(on: 0)
        return []
    }

    /// Reads the rest of such a list after its first expression.
    mutating func parseList(
        after first: QueryExpression, to end: SQLPPToken.Symbol
    ) throws -> [QueryExpression] {
        var tallest = height
        var list = [first]
        while skip(.comma) {
            list.append(try parseExpression())
            tallest = max(tallest, height)
        }
        try expect(end, or: "an operator, ',' or ")
        try grow(on: tallest)
        return list
    }
}

extension SQLPPToken.Symbol {
    /// The infix operator of the symbol.
    fileprivate var infix: QueryOperator? {
        switch self {
        case .concatenate: .concatenate
        case .lessOrEqual: .lessOrEqual
        case .greaterOrEqual: .greaterOrEqual
        case .notEqual, .lessOrGreater: .notEqual
        case .doubleEqual, .equal: .equal
        case .less: .less
        case .greater: .greater
        case .plus: .add
        case .minus: .subtract
        case .star: .multiply
        case .slash: .divide
        case .percent: .modulo
        default: nil
        }
    }

    /// LiteCore parses these operators and rejects them later.
    fileprivate var isBitOperator: Bool {
        switch self {
        case .shiftLeft, .shiftRight, .ampersand, .bar: true
        default: false
        }
    }
}
