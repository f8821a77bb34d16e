public import SQLCore

/// An aggregate function that gives one value.
public enum SQLAggregateFunction: String, Hashable, Sendable {
    /// How many values are not null.
    case count = "COUNT"
    /// The sum: an integer if all values are, null for no rows.
    case sum = "SUM"
    /// The sum as a real number, 0 for no rows.
    case total = "TOTAL"
    /// The mean as a real number, null for no rows.
    case avg = "AVG"
    /// The least value, null for no rows.
    case min = "MIN"
    /// The greatest value, null for no rows.
    case max = "MAX"
}

extension SQLContext {
    /// How many rows there are for which a predicate holds.
    public func count<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Int {
        let value = try value(of: select("COUNT(*)", from: type, schema, predicate))
        return Int(value.longValue ?? 0)
    }

    /// Whether there is a row for which a predicate holds.
    public func exists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil
    ) throws -> Bool {
        let rows = select("1", from: type, schema, predicate)
        return try value(of: "SELECT EXISTS(" + rows + ")") == .long(1)
    }

    /// A function of a column's values in the rows for which a predicate holds.
    public func aggregate<T: SQLCodable>(
        _ type: T.Type, function: SQLAggregateFunction, column: any SQLRepresentable,
        distinct: Bool = false, inSchema schema: String? = nil,
        where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        let start = SQLExpression(function.rawValue + (distinct ? "(DISTINCT " : "("))
        let call = start + column.sqlExpression + ")"
        return try value(of: select(call, from: type, schema, predicate))
    }

    /// The sum of a column: an integer if all its values are, null for no rows.
    public func sum<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .sum, column: column, where: predicate)
    }

    /// The mean of a column, null for no rows.
    public func avg<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .avg, column: column, where: predicate)
    }

    /// The least value of a column, null for no rows.
    public func min<T: SQLCodable>(
        _ type: T.Type, column: any SQLRepresentable, where predicate: SQLPredicate? = nil
    ) throws -> SQLValue {
        try aggregate(type, function: .min, column: column, where: predicate)
    }

    /// The greatest value of a column, null for no rows.
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
