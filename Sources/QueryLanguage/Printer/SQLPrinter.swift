internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

/// The last stage of a translation: writes a plan as SQL text.
///
/// It decides nothing. Parentheses follow from the precedence of operators, by LiteCore's numbers,
/// since they are part of the text of an index.
package struct SQLPrinter {
    var sql: SQLText
    /// The precedence of the enclosing operator.
    private var precedence = 0
    /// Whether columns are written without their table, as in an index.
    private var isBare = false
    /// Whether expressions that an index provides are marked, for descriptions of a plan.
    private var marksIndexes = false

    /// Whether strings are compared by a language's collation.
    private var usesLanguage = false

    private init(capacity: Int = 0) {
        sql = SQLText(capacity: capacity)
    }

    /// The SQL of a query, and whether it compares strings by a language's collation.
    ///
    /// - Throws: `.invalidQuery` if SQLite does not accept the text.
    package static func sql(
        _ plan: QueryStatementPlan
    ) throws -> (sql: String, usesLanguage: Bool) {
        var printer = SQLPrinter(capacity: 512)
        try printer.write(plan.rows)
        return (try printer.checked(), printer.usesLanguage)
    }

    /// The SQL of a statement that returns a row if an index has ambiguous values.
    package static func sql(_ check: PlanGuard) throws -> String {
        var printer = SQLPrinter()
        printer.sql += "SELECT 1 FROM \(check.table) WHERE "
        try printer.write(.bare(.infix("<", [check.expression, .atom("2")], 4)))
        printer.sql += " LIMIT 1"
        return try printer.checked()
    }

    /// A statement that runs a search in a vector index, and nothing else.
    ///
    /// - Throws: `.invalidQuery` if SQLite does not accept the text.
    package static func sql(_ search: NearestPlan) throws -> String {
        var printer = SQLPrinter()
        printer.sql += "SELECT count(*) FROM "
        try printer.writeOwn(search)
        return try printer.checked()
    }

    /// The SQL of an expression as it is in an index, without the table of its columns unless they
    /// have one of their own.
    ///
    /// - Throws: `.invalidQuery` if SQLite does not accept the text.
    static func sql(
        _ expression: SQLExpression, isBare: Bool = false, marksIndexes: Bool = false
    ) throws -> String {
        var printer = SQLPrinter()
        printer.isBare = isBare
        printer.marksIndexes = marksIndexes
        try printer.write(expression)
        return try printer.checked()
    }

    /// Whether the enclosing operator has a higher precedence.
    func isNested(above other: Int) -> Bool { precedence > other }

    /// Begins a query in an expression; returns what `leave` restores.
    mutating func enter() -> (precedence: Int, isBare: Bool) {
        defer { (precedence, isBare) = (0, false) }
        return (precedence, isBare)
    }

    mutating func leave(_ outer: (precedence: Int, isBare: Bool)) {
        (precedence, isBare) = outer
    }

    private func checked() throws -> String {
        try requireLength()
        let sql = sql.string
        guard !sql.hasNUL else {
            throw StoreError.invalidQuery("a name in an expression cannot contain U+0000")
        }
        return sql
    }

    /// SQLite accepts no longer SQL. Names that stand for expressions can make any query long.
    private static let longestText = 500_000

    private func requireLength() throws {
        guard sql.bytes.count <= Self.longestText else {
            throw StoreError.invalidQuery(
                "the query is too long once its names are replaced by their expressions")
        }
    }
}

// Expressions.
extension SQLPrinter {
    mutating func write(_ expression: SQLExpression) throws {
        switch expression {
        case .atom(let text): sql += text
        case .literal(let text): sql += text.string.sqlLiteral
        case .columnOf(let alias, let name):
            if !alias.string.isEmpty, !isBare {
                sql += alias.string
                sql += "."
            }
            sql += name
        case .parameterNamed(let name):
            sql += "$_"
            sql += name.string
        case .call(let name, let arguments):
            sql += name
            try parentheses { try $0.list(arguments) }
        case .aggregate(let aggregate): try write(aggregate)
        case .infix(let symbol, let operands, let own):
            try operation(own) { try $0.list(operands, separator: " \(symbol) ") }
        case .not(let operand):
            try parentheses(if: precedence > 2) {
                $0.sql += "NOT "
                try $0.write(operand, within: 9)
            }
        case .negative(let operand): try negative(operand)
        case .isNotNull(let operand):
            try operation(3) {
                try $0.write(operand)
                $0.sql += " IS NOT NULL"
            }
        case .match, .collated, .cast, .isDeleted, .isAlive, .hidden, .prefixed, .grouped,
            .within, .bare, .indexed:
            try writeDecorated(expression)
        case .between, .like, .cases, .isIn, .isInRows, .quantified, .scalar, .exists, .element:
            try writeOfRows(expression)
        }
        // A short-circuit of what would become too long.
        if sql.bytes.count > Self.longestText { try requireLength() }
    }

    /// Writes what stands around another expression.
    private mutating func writeDecorated(_ expression: SQLExpression) throws {
        switch expression {
        case .collated(let value, let collation):
            try write(value)
            sql += collation.sqlSuffix
            if collation.isUnicode { usesLanguage = true }
        case .cast(let value, let type):
            sql += "CAST("
            try write(value, within: 0)
            sql += " AS \(type))"
        case .isDeleted(let flags):
            try parentheses {
                try $0.write(flags)
                $0.sql += " & 1 != 0"
            }
        case .isAlive(let flags):
            try parentheses {
                try $0.write(flags)
                $0.sql += " & 1 = 0"
            }
        case .hidden(let value):
            sql += "+"
            try write(value)
        case .prefixed(let keyword, let value):
            sql += keyword + " "
            try write(value)
        case .grouped(let own, let value): try operation(own) { try $0.write(value) }
        case .within(let other, let value): try write(value, within: other)
        case .bare(let value):
            let outer = isBare
            isBare = true
            try write(value)
            isBare = outer
        case .indexed(let value, let index):
            if marksIndexes { sql += "[\(index): " }
            try write(value)
            if marksIndexes { sql += "]" }
        case .match(let table, let words):
            sql += table + " MATCH "
            try write(words)
        // Written where this is called.
        case .atom, .literal, .columnOf, .parameterNamed, .call, .aggregate, .infix, .not,
            .negative, .isNotNull, .between, .like, .cases, .isIn, .isInRows, .quantified,
            .scalar, .exists, .element:
            break
        }
    }

    private mutating func negative(_ operand: SQLExpression) throws {
        let start = sql.bytes.count
        sql += "-"
        try write(operand, within: 9)
        // Two minus signs would begin a comment.
        guard sql.bytes[(start + 1)...].first == UInt8(ascii: "-") else { return }
        sql.parenthesize(from: start + 1)
    }

    mutating func write(_ expression: SQLExpression, within other: Int) throws {
        let outer = precedence
        precedence = other
        try write(expression)
        precedence = outer
    }

    /// Writes an operator, in parentheses if the enclosing operator has at least its precedence.
    mutating func operation(
        _ own: Int, _ body: (inout SQLPrinter) throws -> Void
    ) rethrows {
        let outer = precedence
        let needsParentheses = own <= outer
        if needsParentheses { sql += "(" }
        precedence = own
        try body(&self)
        precedence = outer
        if needsParentheses { sql += ")" }
    }

    mutating func parentheses(
        if condition: Bool = true, _ body: (inout SQLPrinter) throws -> Void
    ) rethrows {
        if condition { sql += "(" }
        try body(&self)
        if condition { sql += ")" }
    }

    /// Writes expressions, each in the current precedence unless it is a list of values.
    mutating func list(_ expressions: [SQLExpression], separator: String? = nil) throws {
        for (index, expression) in expressions.enumerated() {
            if index > 0 { sql += separator ?? ", " }
            if separator == nil {
                try write(expression, within: 0)
            } else {
                try write(expression)
            }
        }
    }
}
