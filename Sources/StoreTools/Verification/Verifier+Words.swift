internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// Compares the words of full-text indexes with their documents.
extension Verifier {
    /// The name of the copy.
    private static let copy = "verified words"

    /// Runs FTS4's comparison of the words with the documents.
    ///
    /// FTS4 does this by a statement that writes, which the connection does not allow. So it runs
    /// on a copy among the temporary tables, which the end of the transaction removes.
    func checkWords(_ row: IndexRow, _ table: String, _ text: String) throws {
        guard !areKnownToBeWrong(row) else { return }
        guard let module = FullTextTable.module(in: text, ofTable: table) else { return }
        let queryOnly = try context.pragma("query_only")?.longValue ?? 0
        try context.exec(sql: "PRAGMA query_only=off")
        // Otherwise the auxiliary tables of FTS4 cannot be written.
        try context.setDefensive(false)
        defer {
            try? context.exec(sql: "DROP TABLE IF EXISTS temp.\(Self.copy.sqlName)")
            try? context.setDefensive(true)
            try? context.exec(sql: "PRAGMA query_only=\(queryOnly)")
        }
        do {
            try copyWords(of: table, module)
        } catch let error as SQLError where error.isMisfit {
            return leave(row, "its words cannot be copied", error)
        } catch let error as SQLError where error.isDamage {
            return addWrongWords(row)
        }
        do {
            let name = Self.copy.sqlName
            try context.exec(sql: "INSERT INTO temp.\(name)(\(name)) VALUES('integrity-check')")
        } catch let error as SQLError where error.isDamage {
            addWrongWords(row)
        } catch let error as SQLError where error.isMisfit {
            leave(row, "its words cannot be compared", error)
        }
    }

    /// Whether SQLite itself has found them to be wrong.
    private func areKnownToBeWrong(_ row: IndexRow) -> Bool {
        damagedWords.contains(ExactString(row.name))
    }

    private func copyWords(of table: String, _ module: String) throws {
        let name = Self.copy.sqlName
        try context.exec(sql: "DROP TABLE IF EXISTS temp.\(name)")
        try context.exec(sql: "CREATE VIRTUAL TABLE temp.\(name) USING \(module)")
        for suffix in SchemaSQL.fullTextSuffixes {
            try context.checkCancellation()
            let copy = (Self.copy + suffix).sqlName
            try context.exec(sql: "DELETE FROM temp.\(copy)")
            try context.exec(
                sql: "INSERT INTO temp.\(copy) SELECT * FROM main.\((table + suffix).sqlName)")
        }
    }
}
