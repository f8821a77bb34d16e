internal import SQLCore

/// Several values or columns that are compared as one: `("A", "B")`.
public struct SQLTuple: SQLRepresentable {
    /// What it holds.
    public let elements: [any SQLRepresentable]

    /// A tuple of these.
    public init(_ elements: [any SQLRepresentable]) {
        self.elements = elements
    }

    /// A tuple of these.
    public init(_ elements: any SQLRepresentable...) {
        self.elements = elements
    }

    /// The elements in parentheses.
    public var sqlExpression: SQLExpression {
        "(" + SQLExpression.joined(elements.map(\.sqlExpression), ", ") + ")"
    }
}

/// A column of one certain table of a join.
public struct SQLAliasedColumn: SQLRepresentable, Hashable {
    /// The column.
    public let column: SQLColumn
    /// The alias of the table.
    public let alias: String

    /// The column of the table with this alias.
    public init(_ column: SQLColumn, alias: String) {
        self.column = column
        self.alias = alias
    }

    /// Alias and name, both quoted.
    public var sqlExpression: SQLExpression {
        SQLExpression(alias.sqlName + "." + column.quotedName)
    }
}

extension SQLColumn {
    /// This column of the table with this alias.
    public func alias(_ alias: String) -> SQLAliasedColumn {
        SQLAliasedColumn(self, alias: alias)
    }
}
