public import SQLCore

/// An aggregate function of one argument.
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
    public func count<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Int {
        let value = try value(of: select("COUNT(*)", from: type, schema, predicate))
        return Int(value.longValue ?? 0)
    }

    /// Returns whether a row matches a predicate.
    public func exists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Bool {
        let rows = select("1", from: type, schema, predicate)
        return try value(of: "SELECT EXISTS(" + rows + ")") == .long(1)
    }

    /// Returns an aggregate of a column over the rows that match a predicate.
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
    public func sum<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .sum, column: column, where: predicate)
    }

    /// Returns the mean of a column, null for no rows.
    public func avg<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .avg, column: column, where: predicate)
    }

    /// Returns the minimum of a column, null for no rows.
    public func min<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .min, column: column, where: predicate)
    }

    /// Returns the maximum of a column, null for no rows.
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
