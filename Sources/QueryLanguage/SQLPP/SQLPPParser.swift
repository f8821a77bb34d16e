internal import FleeceLite
internal import StoreFormat

/// Reads statements and expressions in SQL++, the language of Couchbase Lite's queries and indexes.
///
/// Operators are read by their precedence, with one token of lookahead, so that the time is in
/// proportion to the text. Every error is a `StoreError` with the code `invalidQuery`, beneath
/// which a `QuerySyntaxError` says where it is.
package struct SQLPPParser {
    /// How deep expressions may be nested. What stands to the right of an operator is a level too.
    static let maximumDepth = 200
    /// How high a tree may be: a chain of operators is as high as it is long.
    static let maximumHeight = 500

    private let text: [UInt8]
    private let tokens: [SQLPPToken]
    /// The number of the token that is to be read next.
    private(set) var position = 0
    private var depth = 0
    /// How high the tree is that was read last.
    var height = 0
    /// The variables of the `ANY` and `EVERY` around.
    var variables: [String] = []
    /// How high the tallest expression is of the query or call that is being read.
    var tallest = 0
    /// What the sources of the statement are called.
    var sourceNames: [String] = []
    /// The names in `META(name)`, and where they stand.
    var metaNames: [(name: String, position: Int)] = []
    /// How far the query is read.
    var stage = SQLPPStage.query
    /// How many `SELECT` there have been.
    var blocks = 0
    /// How many brackets are open.
    private(set) var nesting = 0
    /// How many there are where an expression stands that may have an alias without `AS`.
    var itemNesting: Int?

    /// The expression in parentheses that was read last, and the token behind it.
    var enclosed: (expression: QueryExpression, end: Int)?
    /// Whether a COLLATE behind several conditions is of all of them, as LiteCore reads it: what it
    /// makes of that stands in the text of an index.
    private(set) var collatesAll = false

    init(_ text: String) {
        self.text = Array(text.utf8)
        tokens = SQLPPLexer.tokens(of: self.text)
    }

    /// Reads a list of expressions with commas, such as the columns of an index.
    package static func expressions(_ text: String) throws -> [QueryExpression] {
        var parser = Self(text)
        parser.collatesAll = true
        var expressions = [try parser.parseExpression()]
        while parser.skip(.comma) { expressions.append(try parser.parseExpression()) }
        try parser.expectEnd("an operator, ',' or the end")
        return expressions
    }

    /// Reads one expression, such as the condition of an index.
    package static func condition(_ text: String) throws -> QueryExpression {
        var parser = Self(text)
        parser.collatesAll = true
        let condition = try parser.parseExpression()
        try parser.expectEnd("an operator or the end")
        return condition
    }

    /// Reads the path of a property, such as what an array index unnests.
    static func path(_ text: String) throws -> PropertyPath {
        var parser = Self(text)
        let path = try parser.parsePath()
        try parser.expectEnd("'.', '[' or the end")
        return path
    }
}

// MARK: Tokens

extension SQLPPParser {
    /// What is to be read next.
    var kind: SQLPPToken.Kind { tokens[position].kind }

    /// What comes after that.
    func kind(after count: Int) -> SQLPPToken.Kind {
        tokens[min(position + count, tokens.count - 1)].kind
    }

    /// The bytes of the token that is to be read next.
    var source: ArraySlice<UInt8> { source(after: 0) }

    /// The bytes of what comes after that.
    func source(after count: Int) -> ArraySlice<UInt8> {
        text[tokens[min(position + count, tokens.count - 1)].range]
    }

    /// The name that is to be read next, nil if it is something else.
    var name: String? {
        switch kind {
        case .name: String(decoding: source, as: UTF8.self)
        case .quotedName: unquoted
        default: nil
        }
    }

    /// The same in lower case, nil also if it is in quotes.
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

    func expectEnd(_ expected: String) throws {
        guard kind == .end else { throw unexpected(expected) }
    }
}

// MARK: Limits

extension SQLPPParser {
    /// Goes some levels deeper; to be followed by `leave`.
    mutating func enter(levels: Int = 1) throws {
        try checkDepth(plus: levels)
        depth += levels
    }

    mutating func leave(levels: Int = 1) { depth -= levels }

    /// Throws if so many more levels are too many.
    func checkDepth(plus levels: Int) throws {
        guard depth + levels <= Self.maximumDepth else {
            throw error(
                found: "an expression inside of \(Self.maximumDepth) others",
                expected: "one that is less deeply nested")
        }
    }

    /// Notes that the tree that was read last has no branches.
    mutating func growLeaf() { height = 1 }

    /// Notes that the tree that was read last stands on top of one of this height.
    mutating func grow(on height: Int) throws {
        guard height < Self.maximumHeight else {
            throw error(
                found: "a chain of more than \(Self.maximumHeight) operators",
                expected: "a shorter one, such as a list behind IN")
        }
        self.height = height + 1
    }
}

// MARK: Errors

extension SQLPPParser {
    /// The error that something else is to be read next.
    func unexpected(_ expected: String) -> StoreError {
        error(found: found, expected: expected)
    }

    /// An error at what is to be read next, or at another token.
    func error(found: String, expected: String, at place: Int? = nil) -> StoreError {
        let start = tokens[place ?? position].range.lowerBound
        let before = text[..<start]
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let head = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        let column = 1 + String(decoding: head, as: UTF8.self).count
        let error = QuerySyntaxError(line: line, column: column, found: found, expected: expected)
        return StoreError(.invalidQuery, "the query is wrong: \(error)", underlying: error)
    }

    /// What is to be read next, in the words of an error.
    private var found: String {
        switch kind {
        case .end: "the end"
        case .invalid(.openString): "a text whose quote is not closed"
        case .invalid(.openName): "a name whose back-quote is not closed"
        case .invalid(.openComment): "a comment that is not closed"
        case .invalid(.namelessParameter): "'$' without a name"
        case .invalid(.gluedNumber): "a number and letters together, \(quotedSource)"
        case .invalid(.character): "the character \(quotedSource), which needs quotes"
        case .keyword: "the word \(quotedSource), which is a name only in back-quotes"
        default: quotedSource
        }
    }

    private var quotedSource: String {
        let longest = 40
        let text = String(decoding: source, as: UTF8.self)
        return text.count > longest ? "'\(text.prefix(longest))…'" : "'\(text)'"
    }
}
