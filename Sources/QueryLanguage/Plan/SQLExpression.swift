package import FleeceLite

/// An expression of SQL, with the decisions of a plan: `SQLPrinter` writes it as text.
package indirect enum SQLExpression: Hashable {
    /// A constant or a name that is written as it is.
    case atom(String)
    // Names and strings are compared by their bytes, as SQLite does.
    /// A string literal.
    case literal(ExactString)
    /// A column of a table with this alias; empty for none.
    case columnOf(ExactString, String)
    /// A parameter of the query, without its sign.
    case parameterNamed(ExactString)
    case call(String, [SQLExpression])
    case aggregate(SQLAggregate)
    /// An operator between operands, with its precedence.
    case infix(String, [SQLExpression], Int)
    case not(SQLExpression)
    case negative(SQLExpression)
    case isNotNull(SQLExpression)
    case between(SQLExpression, SQLExpression, SQLExpression)
    case like(SQLExpression, SQLExpression, escape: SQLExpression)
    case cases(subject: SQLExpression?, [SQLCase], otherwise: SQLExpression?)
    /// Whether a value equals one of a list.
    case isIn(SQLExpression, [SQLExpression], isNegated: Bool)
    /// Whether a value equals one of the rows of a query.
    case isInRows(SQLExpression, SQLRowList, isNegated: Bool)
    case quantified(SQLQuantifier)
    /// The first value of a query.
    case scalar(RowsPlan)
    case exists(RowsPlan)
    /// A value of one row of a table function: `(SELECT value FROM rows WHERE rowid = number)`.
    case element(SQLExpression, of: SQLExpression, number: SQLExpression)
    /// `alias.table MATCH words`
    case match(String, words: SQLExpression)
    /// A string's collation, after the value.
    case collated(SQLExpression, QueryCollation)
    case cast(SQLExpression, String)
    /// Whether a row is a tombstone, by its column of flags.
    case isDeleted(SQLExpression)
    case isAlive(SQLExpression)
    /// A value as no index contains it: `+value`.
    case hidden(SQLExpression)
    /// A keyword before an expression.
    case prefixed(String, SQLExpression)
    /// An expression in the place of an operator with this precedence.
    case grouped(Int, SQLExpression)
    /// An operand that is written as if the enclosing operator had this precedence.
    case within(Int, SQLExpression)
    /// An expression without the aliases of its columns.
    case bare(SQLExpression)
    /// An expression that is written exactly as in an index, from which SQLite can take it.
    case indexed(SQLExpression, index: String)
}

/// `WHEN condition THEN value`
package struct SQLCase: Hashable {
    let condition: SQLExpression
    let value: SQLExpression
}

/// A call of an aggregate or window function.
package struct SQLAggregate: Hashable {
    let function: String
    var isDistinct = false
    /// Nil for `*`.
    let arguments: [SQLExpression]?
    var filter: SQLExpression?
    var window: SQLWindow?
}

/// `OVER (PARTITION BY … ORDER BY … ROWS …)`
package struct SQLWindow: Hashable {
    /// One end of a frame.
    package enum Bound: Hashable {
        case unboundedPreceding
        case preceding(SQLExpression)
        case currentRow
        case following(SQLExpression)
        case unboundedFollowing
    }

    /// The rows around the current one.
    package struct Frame: Hashable {
        let unit: QueryFrame.Unit
        let start: Bound
        let end: Bound?
        let exclusion: QueryFrame.Exclusion?
    }

    let partitions: [SQLExpression]
    let order: [SQLOrder]
    let frame: Frame?
}

/// A term of `ORDER BY`.
package struct SQLOrder: Hashable {
    let expression: SQLExpression
    let isDescending: Bool
    let missingIsLast: Bool?
}

/// `EXISTS (SELECT 1 FROM rows AS alias WHERE condition)`, or the negation for `EVERY`.
package struct SQLQuantifier: Hashable {
    let kind: QueryQuantifier.Kind
    /// The table function that returns the elements.
    let rows: SQLExpression
    let alias: String
    /// The condition; for `EVERY` its negation.
    let condition: SQLExpression
    /// The number of elements, for `ANY AND EVERY`.
    let count: SQLExpression?
}

/// The query behind `IN`.
package indirect enum SQLRowList: Hashable {
    /// The first column of a query, decoded.
    case decoded(RowsPlan)
    /// The values of a table function.
    case values(of: SQLExpression)
    /// A lookup in another table.
    case lookup(SQLLookup)
}

/// `SELECT column FROM table INDEXED BY index WHERE condition`, whose columns have no alias.
package struct SQLLookup: Hashable {
    let column: String
    /// The SQL name of the table.
    let table: String
    /// What the table has, as descriptions call it.
    let title: String
    /// Whether the table is that of an array index.
    var isOfElements = false
    /// The index that must be used; nil for any.
    var index: String?
    let condition: SQLExpression
}

extension SQLExpression {
    static var null: SQLExpression { .atom("NULL") }

    static func string(_ text: String) -> SQLExpression { .literal(ExactString(text)) }

    static func column(_ alias: String, _ name: String) -> SQLExpression {
        .columnOf(ExactString(alias), name)
    }

    static func parameter(_ name: String) -> SQLExpression { .parameterNamed(ExactString(name)) }

    /// `value < 2` for an integer: the numbers that stand for Booleans and unsigned integers in an
    /// index.
    static func isAmbiguous(_ value: SQLExpression) -> SQLExpression {
        .infix(
            "AND",
            [
                .infix("=", [.call("typeof", [value]), .string("integer")], 3),
                .infix("<", [value, .atom("2")], 4),
            ], 2)
    }
}
