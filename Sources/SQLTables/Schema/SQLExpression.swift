public import SQLCore

/// A fragment of SQL with the values of its parameters.
///
/// An interpolated value becomes a bound parameter, never a part of the SQL, so a string from
/// outside is safe:
///
/// ```swift
/// let name = SQLValue("O'Brien")
/// let least = SQLValue(10)
/// let expression: SQLExpression = "\(Player.name) = \(name) AND \(Player.score) > \(least)"
/// expression.template  // "NAME" = ? AND "SCORE" > ?
/// expression.literal   // "NAME" = 'O''Brien' AND "SCORE" > 10
/// let found = try database.query(Player.self).where(.custom(expression)).load()
/// ```
/// It can also be created from SQL with a `?` for each value:
///
/// ```swift
/// let expression = SQLExpression("\"SCORE\" BETWEEN ? AND ?", bindings: [.long(1), .long(9)])
/// ```
/// An expression is a term of a predicate, an order, an index, a check or a generated column, or a
/// whole statement for `exec(_:)`, `cursor(_:)` and `prepare(expr:)`. It is not checked before
/// SQLite compiles it.
public struct SQLExpression: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        /// Literal SQL.
        case text(String)
        /// A `?` and its value.
        case value(SQLValue)
        /// The value of a numbered or named parameter inside a text.
        case loose(SQLValue)
        /// A column, qualified when it is rendered.
        case column(SQLColumn)
    }

    private(set) var parts: [Part]

    init(parts: [Part]) {
        self.parts = parts
    }

    /// Creates an expression from SQL with a `?` for each of the bindings.
    ///
    /// A `?` in a string, a quoted name or a comment does not count. If the counts differ, binding
    /// a statement with this expression fails with `.range`.
    ///
    /// - Parameters:
    ///   - template: The SQL; never insert values into it.
    ///   - bindings: A value for each parameter (default: none).
    public init(_ template: String, bindings: [SQLValue] = []) {
        let pieces = bindings.isEmpty ? [template] : piecesBetweenParameters(of: template)
        guard pieces.count == bindings.count + 1 else {
            parts = [.text(template)] + bindings.map { .loose($0) }
            return
        }
        parts = [.text(pieces[0])]
        for (value, piece) in zip(bindings, pieces.dropFirst()) {
            parts.append(.value(value))
            parts.append(.text(piece))
        }
    }

    /// The SQL with a `?` for each parameter, as SQLite compiles it. Columns are quoted.
    public var template: String { rendered(literally: false) { _ in nil } }

    /// The same as ``template``.
    public var sql: String { template }

    /// The SQL with each value as a literal, in the form of `trace`. It is not meant to be run.
    public var literal: String { rendered(literally: true) { _ in nil } }

    /// The values of the parameters, in order; the first is for parameter 1.
    public var bindings: [SQLValue] {
        parts.compactMap { part in
            switch part {
            case .value(let value), .loose(let value): value
            case .text, .column: nil
            }
        }
    }
}

extension SQLExpression {
    /// The SQL, in which `qualifier` determines the table of each column.
    func rendered(literally: Bool = false, qualifier: (SQLColumn) -> String?) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let piece): text += piece
            case .value(let value): text += literally ? value.literalValue : "?"
            case .loose: break
            case .column(let column):
                if let table = qualifier(column) { text += table + "." }
                text += column.quotedName
            }
        }
        return text
    }

    /// The same expression with the table of each column fixed.
    func qualified(_ qualifier: (SQLColumn) -> String?) -> SQLExpression {
        SQLExpression(
            parts: parts.map { part in
                guard case .column(let column) = part, let table = qualifier(column)
                else { return part }
                return .text(table + "." + column.quotedName)
            })
    }

    /// Appends literal SQL.
    mutating func append(_ text: String) { parts.append(.text(text)) }

    /// Appends another expression.
    mutating func append(_ other: SQLExpression) { parts += other.parts }

    /// Concatenates expressions, separated by `separator`.
    static func joined(_ expressions: [SQLExpression], _ separator: String) -> SQLExpression {
        var result = SQLExpression(parts: [])
        for (index, expression) in expressions.enumerated() {
            if index > 0 { result.append(separator) }
            result.append(expression)
        }
        return result
    }

    /// Concatenates two expressions.
    ///
    /// ```swift
    /// let select: SQLExpression = "SELECT count(*) FROM PLAYER"
    /// let filter: SQLExpression = " WHERE SCORE > \(SQLValue(10))"
    /// let rows = try database.cursor(select + filter).load()
    /// ```
    /// Insert the white space between them; their values keep their order.
    public static func + (left: SQLExpression, right: SQLExpression) -> SQLExpression {
        SQLExpression(parts: left.parts + right.parts)
    }
}

extension SQLExpression: ExpressibleByStringInterpolation {
    /// Creates an expression from SQL without parameters.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Creates an expression from an interpolated string, in which every `\(value)` is a bound
    /// parameter.
    ///
    /// `SQLValue`, ``SQLColumn``, ``SQLTuple``, ``SQLPredicate`` and other expressions can be
    /// interpolated; a plain string cannot, so that it is not mistaken for SQL.
    public init(stringInterpolation: Interpolation) {
        self.init(parts: stringInterpolation.parts)
    }

    /// Collects the text and the values of an interpolated string. The compiler creates it.
    public struct Interpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        /// Creates an empty interpolation.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends literal SQL.
        public mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }

        /// Appends a value to bind: a `?` in the SQL.
        public mutating func appendInterpolation(_ value: SQLValue) { parts.append(.value(value)) }

        /// Appends computed SQL, which must not contain text from outside.
        mutating func appendInterpolation(raw text: String) { parts.append(.text(text)) }

        /// Appends a column, a tuple or another expression.
        public mutating func appendInterpolation(_ expression: some SQLRepresentable) {
            parts += expression.sqlExpression.parts
        }
    }
}

extension SQLContext {
    /// Runs one statement and ignores its rows. The compiled statement is cached.
    ///
    /// ```swift
    /// let bonus = SQLValue(5)
    /// let isMember = Player.team.isNotNull()
    /// try database.exec("UPDATE PLAYER SET SCORE = SCORE + \(bonus) WHERE \(isMember)")
    /// ```
    /// - Parameter expression: One statement with its values.
    /// - Throws: `SQLError`: `.range` if the number of values is wrong, or the error of the
    ///   statement.
    public func exec(_ expression: SQLExpression) throws {
        try withStatement(expression) { while try $0.next() {} }
    }

    /// Compiles a statement and binds its values.
    ///
    /// ```swift
    /// let id = SQLValue(player.id)
    /// let statement = try database.prepare(expr: "SELECT NAME FROM PLAYER WHERE ID = \(id)")
    /// let name = try statement.nextValues(close: true)?.first
    /// ```
    /// - Parameter expression: One statement with its values.
    /// - Returns: The statement, which must be released or closed before the context is closed.
    /// - Throws: `SQLError` if it cannot be compiled, `.range` if the number of values is wrong.
    public func prepare(expr expression: SQLExpression) throws -> SQLStatement {
        let statement = try prepare(sql: expression.template)
        try statement.bind(parameters: expression.bindings)
        return statement
    }

    /// Passes a compiled statement to `operation`, with the values of the expression bound.
    func withStatement<T>(
        _ expression: SQLExpression, _ operation: (SQLStatement) throws -> T
    ) throws -> T {
        try withStatement(sql: expression.template) { statement in
            try statement.bind(parameters: expression.bindings)
            return try operation(statement)
        }
    }

    /// Returns the first column of the first row, or null.
    func value(of expression: SQLExpression) throws -> SQLValue {
        try withStatement(expression) { try $0.next() ? $0.value(at: 0) : .null }
    }
}

/// Splits SQL at its plain `?` parameters; question marks in strings, quoted names and comments do
/// not count, nor do numbered parameters.
func piecesBetweenParameters(of sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var pieces: [String] = []
    var start = 0
    var index = 0
    while index < bytes.count {
        if let end = endOfQuoted(bytes, at: index) {
            index = end
        } else if bytes[index] == UInt8(ascii: "?"), !isDigit(bytes, at: index + 1) {
            pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += 1
            start = index
        } else {
            index += 1
        }
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
}

private func isDigit(_ bytes: [UInt8], at index: Int) -> Bool {
    index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
}

/// The end of the string, quoted name or comment that starts at `index`; nil if there is none.
private func endOfQuoted(_ bytes: [UInt8], at index: Int) -> Int? {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch bytes[index] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        return end(of: [bytes[index]], in: bytes, from: index + 1)
    case UInt8(ascii: "["):
        return end(of: [UInt8(ascii: "]")], in: bytes, from: index + 1)
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
        return end(of: [UInt8(ascii: "\n")], in: bytes, from: index + 2)
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        return end(of: Array("*/".utf8), in: bytes, from: index + 2)
    default:
        return nil
    }
}

/// The index after the next `mark`, or the end of the text.
private func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + mark.count <= bytes.count {
        if bytes[index..<index + mark.count].elementsEqual(mark) { return index + mark.count }
        index += 1
    }
    return bytes.count
}
