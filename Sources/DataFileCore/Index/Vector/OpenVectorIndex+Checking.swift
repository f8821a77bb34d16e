internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// How a vector index differs from the documents.
package struct VectorIndexDifferences: Sendable {
    /// Clauses for messages about the index's tables.
    package var damage: [String] = []
    /// Documents whose vector is missing in the index, or another one.
    package var wrong: [Int64] = []
    /// Vectors in the index of documents that have none.
    package var surplus: [Int64] = []

    package var isEmpty: Bool { damage.isEmpty && wrong.isEmpty && surplus.isEmpty }
}

extension OpenVectorIndex {
    private static let rowsOfStep = 1000

    /// Compares the index with the documents, except those that have changed since they were
    /// indexed. The vectors of a lazy index are known to the application only.
    ///
    /// Reads all documents of the collection.
    package func differences() throws -> VectorIndexDifferences {
        var found = VectorIndexDifferences(damage: try index.damage())
        guard found.damage.isEmpty, row.vectorOptions?.isLazy != true else { return found }
        let documents = try context.prepare(sql: try documentsSQL())
        var last = Int64.min
        while true {
            try context.checkCancellation()
            let step = try rows(documents, after: last, limit: Self.rowsOfStep)
            for (docid, numbers) in step {
                let isSame =
                    try numbers?.withUnsafeBytes { try index.matches(docid, $0) }
                    ?? index.matches(docid, nil)
                if !isSame { found.wrong.append(docid) }
            }
            guard let docid = step.last?.docid else { break }
            last = docid
        }
        let live = "main.\(row.store.tableName.sqlName)"
        try context.forEach(
            "SELECT docid FROM \(index.tables.vectors) WHERE docid NOT IN "
                + "(SELECT docid FROM \(index.tables.pending)) AND docid NOT IN "
                + "(SELECT rowid FROM \(live))"
        ) { found.surplus.append($0.long(at: 0)) }
        return found
    }

    private func documentsSQL() throws -> String {
        "SELECT d.rowid, \(try Self.valueSQL(row)) "
            + "FROM main.\(row.store.tableName.sqlName) AS d WHERE d.rowid > ?1 AND d.rowid NOT IN "
            + "(SELECT docid FROM \(index.tables.pending)) ORDER BY d.rowid LIMIT ?2"
    }
}
