internal import FleeceLite
internal import StoreFormat

/// Reads statements and expressions in SQL++, the language of Couchbase Lite's queries and indexes.
///
/// Operators are parsed by precedence, with one token of lookahead, in time proportional to the
/// length of the text. Every error is a `StoreError` with the code `invalidQuery`, whose underlying
/// `QuerySyntaxError` states the position.
package struct SQLPPParser {
    /// The maximum nesting depth of expressions. The right operand of an operator is a level too.
    static let maximumDepth = 200
    /// The maximum height of a tree: a chain of operators is as high as it is long.
    static let maximumHeight = 500

    private let text: [UInt8]
    private let tokens: [SQLPPToken]
    /// The index of the next token.
    private(set) var position = 0
    private var depth = 0
    /// The height of the tree that was read last.
    var height = 0
    /// The variables of the enclosing `ANY` and `EVERY`.
    var variables: [String] = []
    /// The height of the tallest expression of the query or call that is being read.
    var tallest = 0
    /// The names of the statement's sources.
    var sourceNames: [String] = []
    /// The names in `META(name)`, and their token positions.
    var metaNames: [(name: String, position: Int)] = []
    /// The part of the query that has been read.
    var stage = SQLPPStage.query
    /// The number of `SELECT` blocks read so far.
    var blocks = 0
    /// The number of open brackets.
    private(set) var nesting = 0
    /// The bracket nesting of an item that may have an alias without `AS`.
    var itemNesting: Int?

    /// The parenthesized expression that was read last, and the token after it.
    var enclosed: (expression: QueryExpression, end: Int)?
    /// Whether a COLLATE after several conditions applies to all of them, as LiteCore reads it; the
    /// text of an index depends on it.
    private(set) var collatesAll = false
    /// Whether the parts of the statement get their positions, to locate an error of meaning.
    private let hasPositions: Bool

    init(_ text: String, hasPositions: Bool = false) {
        self.hasPositions = hasPositions
        self.text = Array(text.utf8)
        tokens = SQLPPLexer.tokens(of: self.text)
    }

    /// Reads a list of expressions separated by commas, such as the columns of an index.
    package static func expressions(_ text: String) throws -> [QueryExpression] {
        var parser = Self(text)
        parser.collatesAll = true
        var expressions = [try parser.parseExpression()]
        while parser.skip(.comma) { expressions.append(try parser.parseExpression()) }
        try parser.expectEnd("an operator, ',' or the end of input")
        return expressions
    }

    /// Reads one expression, such as the condition of an index.
    package static func condition(_ text: String) throws -> QueryExpression {
        var parser = Self(text)
        parser.collatesAll = true
        let condition = try parser.parseExpression()
        try parser.expectEnd("an operator or the end of input")
        return condition
    }

    /// Reads the path of a property, such as that of an array index.
    static func path(_ text: String) throws -> PropertyPath {
        var parser = Self(text)
        let path = try parser.parsePath()
        try parser.expectEnd("'.', '[' or the end of input")
        return path
    }
}

// MARK: Tokens

extension SQLPPParser {
    /// The kind of the next token.
    var kind: SQLPPToken.Kind { tokens[position].kind }

    /// The kind of a later token.
    func kind(after count: Int) -> SQLPPToken.Kind {
        tokens[min(position + count, tokens.count - 1)].kind
    }

    /// The bytes of the next token.
    var source: ArraySlice<UInt8> { source(after: 0) }

    /// The bytes of a later token.
    func source(after count: Int) -> ArraySlice<UInt8> {
        text[tokens[min(position + count, tokens.count - 1)].range]
    }

    /// The name that is the next token; nil if it is something else.
    var name: String? {
        switch kind {
        case .name: String(decoding: source, as: UTF8.self)
        case .quotedName: unquoted
        default: nil
        }
    }

    /// The name in lower case; nil also for a quoted name.
    var word: String? { kind == .name ? String(asciiLowercase: source) : nil }

    mutating func advance() {
        guard position < tokens.count - 1 else { return }
        switch kind {
        case .symbol(.leftParenthesis), .symbol(.leftBracket), .symbol(.leftBrace): nesting += 1
        case .symbol(.rightParenthesis), .symbol(.rightBracket), .symbol(.rightBrace):
            nesting -= 1
        default: break
        }
        position += 1
    }

    mutating func skip(_ symbol: SQLPPToken.Symbol) -> Bool {
        guard kind == .symbol(symbol) else { return false }
        advance()
        return true
    }

    mutating func skip(_ keyword: SQLPPKeyword) -> Bool {
        guard kind == .keyword(keyword) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: SQLPPToken.Symbol, or others: String = "") throws {
        guard skip(symbol) else { throw unexpected("\(others)'\(symbol.rawValue)'") }
    }

    mutating func expect(_ keyword: SQLPPKeyword, or others: String = "") throws {
        guard skip(keyword) else {
            throw unexpected("\(others)\(keyword.rawValue.asciiUppercased)")
        }
    }

    func expectEnd(_ expected: @autoclosure () -> String) throws {
        guard kind == .end else { throw unexpected(expected()) }
    }
}

// MARK: Positions

extension SQLPPParser {
    /// Where a token begins, if the parts of the statement get their positions.
    func textPosition(ofToken token: Int) -> TextPosition {
        TextPosition(offset: hasPositions ? tokens[token].range.lowerBound : nil)
    }

    /// The expression with the position of its first token, unless it has one: an expression in
    /// parentheses begins inside of them.
    func located(_ expression: QueryExpression, from token: Int) -> QueryExpression {
        guard hasPositions else { return expression }
        if case .located = expression { return expression }
        return .located(textPosition(ofToken: token), expression)
    }
}

// MARK: Limits

extension SQLPPParser {
    /// Enters some levels of nesting; must be balanced by `leave`.
    mutating func enter(levels: Int = 1) throws {
        try checkDepth(plus: levels)
        depth += levels
    }

    mutating func leave(levels: Int = 1) { depth -= levels }

    /// - Throws: if so many more levels exceed the maximum depth.
    func checkDepth(plus levels: Int) throws {
        guard depth + levels <= Self.maximumDepth else {
            throw error(
                found: "an expression nested inside of \(Self.maximumDepth) others",
                expected: "one that is less deeply nested")
        }
    }

    /// Records that the tree that was read last is a leaf.
    mutating func growLeaf() { height = 1 }

    /// Records that the tree that was read last has a subtree of this height.
    mutating func grow(on height: Int) throws {
        guard height < Self.maximumHeight else {
            throw error(
                found: "a chain of more than \(Self.maximumHeight) operators",
                expected: "a shorter one, such as IN with a list")
        }
        self.height = height + 1
    }
}

// MARK: Errors

extension SQLPPParser {
    /// The error that the next token is not what is expected.
    func unexpected(_ expected: String) -> StoreError {
        error(found: found, expected: expected)
    }

    /// The error at the next token, or at another one.
    func error(found: String, expected: String, at token: Int? = nil) -> StoreError {
        let start = tokens[token ?? position].range.lowerBound
        let (line, column) = text.lineAndColumn(at: start)
        let error = QuerySyntaxError(line: line, column: column, found: found, expected: expected)
        return StoreError(.invalidQuery, "syntax error: \(error)", underlying: error)
    }

    /// The next token, as described in errors.
    private var found: String {
        switch kind {
        case .end: "the end of input"
        case .invalid(.openString): "a string whose quote is not closed"
        case .invalid(.openName): "a name whose backtick is not closed"
        case .invalid(.openComment): "a comment that is not closed"
        case .invalid(.namelessParameter): "'$' without a name"
        case .invalid(.gluedNumber): "a number followed by letters, \(quotedSource)"
        case .invalid(.character): "the character \(quotedSource), which needs quotes"
        case .keyword: "the keyword \(quotedSource), which needs backticks to be a name"
        default: quotedSource
        }
    }

    private var quotedSource: String {
        let longest = 40
        let text = String(decoding: source, as: UTF8.self)
        return text.count > longest ? "'\(text.prefix(longest))…'" : "'\(text)'"
    }
}
