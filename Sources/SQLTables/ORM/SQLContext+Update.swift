public import SQLCore

extension SQLContext {
    /// Writes all columns of an instance but the generated ones, nulls too, to the row with its
    /// primary key. If there is no such row nothing happens; `changes` tells.
    ///
    /// Throws `.noPrimaryKeys` if the table has none.
    public func update<T: SQLCodable>(_ ob: T, inSchema schema: String? = nil) throws {
        let row = try ob.encodedRow()
        let keys = try T.table.requireKeys()
        let others = T.table.declaration.writtenPositions.filter { !keys.contains($0) }
        guard !others.isEmpty else { return }
        let columns = T.table.columns
        let settings = others.map { columns[$0].quotedName + " = ?" }.joined(separator: ", ")
        let sql =
            "UPDATE " + T.table.quotedName(inSchema: schema) + " SET " + settings
            + T.table.whereKeySQL
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: (others + keys).map { row.values[$0] })
            while try statement.next() {}
        }
    }

    /// Reads an instance anew by its primary key. False, and no change, if its row is gone.
    @discardableResult
    public func refresh<T: SQLCodable>(
        _ ob: inout T, inSchema schema: String? = nil
    ) throws -> Bool {
        let keys = try T.keyValues(of: ob.encodedRow())
        guard let found = try fetch(T.self, primaryKeys: keys, inSchema: schema) else {
            return false
        }
        ob = found
        return true
    }
}
