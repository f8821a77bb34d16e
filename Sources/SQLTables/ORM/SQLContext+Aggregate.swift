public import SQLCore

/// An aggregate function of one argument, which ignores nulls.
public enum SQLAggregateFunction: String, Hashable, Sendable {
    /// The number of values that are not null.
    case count = "COUNT"
    /// The sum: an integer if all values are integers, null if there are no values.
    case sum = "SUM"
    /// The sum as a real number, 0 for no rows.
    case total = "TOTAL"
    /// The mean as a real number, null for no rows.
    case avg = "AVG"
    /// The minimum, null for no rows.
    case min = "MIN"
    /// The maximum, null for no rows.
    case max = "MAX"
}

extension SQLContext {
    /// Returns the number of rows that match a predicate.
    ///
    /// ```swift
    /// let all = try database.count(Player.self)
    /// let free = try database.count(Player.self, where: Player.team.isNull())
    /// ```
    /// SQLite reads all matching rows or their index entries. To learn only whether there is one,
    /// use ``exists(_:inSchema:where:)``.
    ///
    /// - Parameters:
    ///   - type: The type whose rows are counted.
    ///   - schema: The attached database that contains the table; nil for the first one that has
    ///     it.
    ///   - predicate: The condition for the rows; nil for all rows.
    /// - Throws: `SQLError`, for example if the table does not exist.
    public func count<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Int {
        let value = try value(of: select("COUNT(*)", from: type, schema, predicate))
        return Int(value.longValue ?? 0)
    }

    /// Returns whether a row matches a predicate. It stops at the first match.
    ///
    /// ```swift
    /// if try !database.exists(Player.self, where: Player.name.equals(.text("Ada"))) {
    ///     try database.insert(Player(name: "Ada"))
    /// }
    /// ```
    /// - Parameters:
    ///   - type: The type whose rows are searched.
    ///   - schema: The attached database that contains the table; nil for the first one that has
    ///     it.
    ///   - predicate: The condition for the rows; nil for any row.
    /// - Throws: `SQLError`, for example if the table does not exist.
    public func exists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Bool {
        let rows = select("1", from: type, schema, predicate)
        return try value(of: "SELECT EXISTS(" + rows + ")") == .long(1)
    }

    /// Returns an aggregate of a column over the rows that match a predicate.
    ///
    /// ```swift
    /// let teams = try database.aggregate(
    ///     Player.self, function: .count, column: Player.team, distinct: true)
    /// let mean = try database.aggregate(
    ///     Player.self, function: .avg, column: Player.score, where: Player.team.isNotNull())
    /// ```
    /// - Parameters:
    ///   - type: The type whose rows are read.
    ///   - function: The aggregate function.
    ///   - column: A column or an expression.
    ///   - distinct: Whether equal values count once (default: false).
    ///   - schema: The attached database that contains the table; nil for the first one that has
    ///     it.
    ///   - predicate: The condition for the rows; nil for all rows.
    /// - Returns: A number, for `min` and `max` any value, or null.
    /// - Throws: `SQLError`; a sum of integers that exceeds 64 bits fails with `.error`.
    public func aggregate<T: SQLCodable>(
        _ type: T.Type, function: SQLAggregateFunction, column: any SQLRepresentable,
        distinct: Bool = false, inSchema schema: String? = nil,
        where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        let start = SQLExpression(function.rawValue + (distinct ? "(DISTINCT " : "("))
        let call = start + column.sqlExpression + ")"
        return try value(of: select(call, from: type, schema, predicate))
    }

    /// Returns the sum of a column: an integer if all values are integers, null for no rows.
    ///
    /// ```swift
    /// let goals = try database.sum(Season.self, column: Season.goals).longValue ?? 0
    /// ```
    /// - Throws: `SQLError` with `.error` if a sum of integers exceeds 64 bits; the function
    ///   `total` of ``aggregate(_:function:column:distinct:inSchema:where:)`` cannot overflow.
    public func sum<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .sum, column: column, where: predicate)
    }

    /// Returns the mean of a column as a real number, null for no rows. Nulls do not count.
    ///
    /// ```swift
    /// let mean = try database.avg(Player.self, column: Player.score).realValue
    /// ```
    public func avg<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .avg, column: column, where: predicate)
    }

    /// Returns the minimum of a column, null for no rows. It takes one lookup if the column has an
    /// index and there is no predicate.
    public func min<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .min, column: column, where: predicate)
    }

    /// Returns the maximum of a column, null for no rows. It takes one lookup if the column has an
    /// index and there is no predicate.
    ///
    /// ```swift
    /// let best = try database.max(Player.self, column: Player.score).longValue
    /// ```
    public func max<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .max, column: column, where: predicate)
    }

    private func select<T: SQLCodable>(
        _ list: SQLExpression, from type: T.Type, _ schema: String?, _ predicate: SQLPredicate?
    ) -> SQLExpression {
        var result = "SELECT " + list
        result.append(" FROM " + T.table.quotedName(inSchema: schema))
        if let predicate {
            result.append(" WHERE ")
            result.append(predicate.sqlExpression)
        }
        return result
    }
}
