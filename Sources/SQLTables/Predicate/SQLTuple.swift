internal import SQLCore

/// A row value: several values or columns that are compared as one, `("A", "B")`.
public struct SQLTuple: SQLRepresentable {
    /// The elements.
    public let elements: [any SQLRepresentable]

    /// Creates a tuple of elements.
    public init(_ elements: [any SQLRepresentable]) {
        self.elements = elements
    }

    /// Creates a tuple of elements.
    public init(_ elements: any SQLRepresentable...) {
        self.elements = elements
    }

    /// The elements in parentheses.
    public var sqlExpression: SQLExpression {
        "(" + SQLExpression.joined(elements.map(\.sqlExpression), ", ") + ")"
    }
}

/// A column of a particular table of a join.
public struct SQLAliasedColumn: SQLRepresentable, Hashable {
    /// The column.
    public let column: SQLColumn
    /// The alias of the table.
    public let alias: String

    /// Creates a reference to a column of the table with this alias.
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
    public func alias(_ alias: String) -> SQLAliasedColumn {
        SQLAliasedColumn(self, alias: alias)
    }
}
