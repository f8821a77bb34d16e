extension SQLTable {
    /// The rows with one of these keys: `=` or `IN` for a key of one column, else row values.
    func keyPredicate(_ keys: [[SQLValue]]) throws -> SQLPredicate {
        _ = try requireKeys()
        let columns = primaryKeyColumns
        for key in keys { try checkKeyCount(key) }
        if keys.count == 1, let key = keys.first {
            // A key that is null finds nothing, as any comparison with null.
            return .and(zip(columns, key).map { .compare($0, .equals, $1) })
        }
        if columns.count == 1, let column = columns.first {
            return .in(column, keys.flatMap { $0 })
        }
        return .in(SQLTuple(columns), keys.map { SQLTuple($0) })
    }

    func checkKeyCount(_ key: [SQLValue]) throws {
        guard key.count == declaration.keyPositions.count else {
            throw SQLBindingError.columnValuesMismatch(
                columns: primaryKeyColumns.map(\.name), valueCount: key.count)
        }
    }
}
