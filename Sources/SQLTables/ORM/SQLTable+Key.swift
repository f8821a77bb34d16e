internal import SQLCore

extension SQLTable {
    /// The column that is the rowid: the only key, if it is declared `INTEGER PRIMARY KEY`.
    var rowIDPosition: Int? {
        let keys = declaration.keyPositions
        guard let key = keys.first, keys.count == 1, !options.contains(.withoutRowID),
            columns[key].type == .long
        else { return nil }
        guard let definition = columns[key].columnDefinition?.uppercased() else { return key }
        // With DESC behind it, it is no rowid: an old mistake that SQLite keeps.
        let isRowID =
            definition.hasPrefix("INTEGER PRIMARY KEY")
            && !definition.hasPrefix("INTEGER PRIMARY KEY DESC")
        return isRowID ? key : nil
    }

    /// The rows with one of these keys: `=` or `IN` for a key of one column; for a key of several
    /// row values, or before SQLite 3.39 comparisons.
    func keyPredicate(
        _ keys: [[SQLValue]], inVersion version: Int = SQLContext.versionNumber
    ) throws -> SQLPredicate {
        _ = try requireKeys()
        let columns = primaryKeyColumns
        for key in keys { try checkKeyCount(key) }
        if columns.count == 1, let column = columns.first, keys.count > 1 {
            return .in(column, keys.flatMap { $0 })
        }
        if keys.count == 1 || version < SQLiteFeature.rowValueInSyntax.minimumVersion {
            // A key that is null finds nothing, as any comparison with null.
            return .or(
                keys.map { key in .and(zip(columns, key).map { .compare($0, .equals, $1) }) })
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
