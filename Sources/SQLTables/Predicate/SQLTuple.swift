internal import SQLCore

/// A row value: several values or columns that are compared as one, `("A", "B")`.
///
/// Tuples are ordered by their first element, then by the second, which suits paging by several
/// columns. They need SQLite 3.15.
///
/// ```swift
/// let last = SQLTuple(SQLValue(12), SQLValue("Ada"))
/// let page = try database.query(Player.self)
///     .where(SQLTuple(Player.score, Player.name).greaterThan(last))
///     .orderBy(Player.score).orderBy(Player.name).limit(20).load()
/// ```
public struct SQLTuple: SQLRepresentable {
    /// The elements.
    public let elements: [any SQLRepresentable]

    /// Creates a tuple of elements, given as an array.
    ///
    /// - Parameter elements: Columns, values or expressions, at least two; as many as the tuple has
    ///   that it is compared with.
    public init(_ elements: [any SQLRepresentable]) {
        self.elements = elements
    }

    /// Creates a tuple of elements.
    ///
    /// - Parameter elements: Columns, values or expressions, at least two; as many as the tuple has
    ///   that it is compared with.
    public init(_ elements: any SQLRepresentable...) {
        self.elements = elements
    }

    /// The elements in parentheses.
    public var sqlExpression: SQLExpression {
        "(" + SQLExpression.joined(elements.map(\.sqlExpression), ", ") + ")"
    }
}

/// A column of a particular table of a join, created by ``SQLColumn/alias(_:)``.
///
/// It is necessary if a table occurs twice in a query, or if two tables declare the same column.
public struct SQLAliasedColumn: SQLRepresentable, Hashable {
    /// The column.
    public let column: SQLColumn
    /// The alias of the table.
    public let alias: String

    /// Creates a reference to a column of the table with this alias; see ``SQLColumn/alias(_:)``.
    public init(_ column: SQLColumn, alias: String) {
        self.column = column
        self.alias = alias
    }

    /// The alias and the name, both quoted.
    public var sqlExpression: SQLExpression {
        SQLExpression(alias.sqlName + "." + column.quotedName)
    }
}

extension SQLColumn {
    /// Returns this column, qualified by the alias of a table.
    ///
    /// ```swift
    /// let older = try database.query(Player.self, alias: "a")
    ///     .join(
    ///         Player.self, alias: "b",
    ///         on: Player.joined.alias("a").lessThan(Player.joined.alias("b")))
    ///     .load()
    /// ```
    /// - Parameter alias: The alias that the table has in the query.
    public func alias(_ alias: String) -> SQLAliasedColumn {
        SQLAliasedColumn(self, alias: alias)
    }
}
