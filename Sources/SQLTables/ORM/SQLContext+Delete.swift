public import SQLCore

extension SQLContext {
    /// Deletes the rows with the primary keys of these instances, all or none of them.
    ///
    /// Throws `.noPrimaryKeys` if the table has none.
    public func delete<T: SQLCodable>(
        instances: [T], inSchema schema: String? = nil
    ) throws {
        let rows = try instances.map { try T.keyValues(of: $0.encodedRow()) }
        if rows.count <= rowsPerDelete {
            return try delete(T.self, keys: rows[...], inSchema: schema)
        }
        try transaction(.immediate) {
            for start in stride(from: 0, to: rows.count, by: rowsPerDelete) {
                let part = rows[start..<Swift.min(start + rowsPerDelete, rows.count)]
                try delete(T.self, keys: part, inSchema: schema)
            }
        }
    }

    /// Deletes the rows for which a predicate holds; all of them if it is nil. Returns how many.
    @discardableResult
    public func delete<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate?
    ) throws -> Int {
        var expression = SQLExpression("DELETE FROM " + T.table.quotedName(inSchema: schema))
        if let predicate {
            expression.append(" WHERE ")
            expression.append(predicate.sqlExpression)
        }
        try withStatement(expression) { statement in while try statement.next() {} }
        return changes
    }

    /// Deletes all rows of a type. Returns how many there were.
    @discardableResult
    public func deleteAll<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws -> Int {
        try delete(type, inSchema: schema, where: nil)
    }

    private func delete<T: SQLCodable>(
        _ type: T.Type, keys: ArraySlice<[SQLValue]>, inSchema schema: String?
    ) throws {
        guard !keys.isEmpty else { return }
        let predicate = try T.table.keyPredicate(Array(keys))
        try delete(type, inSchema: schema, where: predicate)
    }
}

/// How many rows one statement deletes: SQLite allows 32,766 parameters, and a key may have many.
private let rowsPerDelete = 500
