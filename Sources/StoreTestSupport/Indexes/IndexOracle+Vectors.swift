internal import DocumentStore
internal import SQLCore

extension IndexOracle {
    /// The vector indexes, which have a registry of their own.
    static func vectorRegistry(_ context: SQLContext) throws -> [Index] {
        let exists = try context.selectValue(
            sql: "SELECT 1 FROM sqlite_master WHERE name = 'vector_indexes'")
        guard exists != nil else { return [] }
        return try context.selectAll(
            sql: "SELECT name, keyStore, expression, whereClause, indexTableName "
                + "FROM vector_indexes ORDER BY name"
        ).map { row in
            Index(
                name: row[0].textValue ?? "", kind: 4, store: row[1].textValue ?? "",
                expression: row[2].textValue ?? "", condition: row[3].textValue,
                table: row[4].textValue)
        }
    }

    /// The names of the tables of a vector index.
    static func vectorTables(_ table: String) -> [String] {
        ["pending", "vectors", "cells", "postings"].map { table + ":" + $0 }
    }

    /// Compares a vector index of two dimensions: the lengths of the vectors of all documents that
    /// are not waiting to be indexed. The rotation of the index retains lengths.
    mutating func checkVectors(_ index: Index, _ store: IndexedStore) throws {
        let names = Self.vectorTables(index.table ?? "").map(\.sqlName)
        let definition = try IndexedDefinition(index.expression, where: index.condition)
        let pending = Set(
            try context.selectAll(sql: "SELECT docid FROM \(names[0])").compactMap {
                $0[0].longValue
            })
        var expected: [VectorEntry] = []
        for row in store.live where !pending.contains(row.number) && definition.selects(row.root) {
            guard let array = row.root?.value(at: definition.paths[0])?.array, array.count == 2
            else { continue }
            let square = array.compactMap(\.double).reduce(0) { $0 + $1 * $1 }
            expected.append(VectorEntry(row: row.number, square: square))
        }
        // The squared length is stored after the least number and the step.
        let found = try context.selectAll(sql: "SELECT docid, vector FROM \(names[1])").compactMap {
            row -> VectorEntry? in
            guard let docid = row[0].longValue, let bytes = row[1].bytesValue, bytes.count == 76,
                !pending.contains(docid)
            else { return nil }
            let square = bytes.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: 8, as: Float.self)
            }
            return VectorEntry(row: docid, square: Double(square))
        }
        compare(index, "vectors", found, expected)
    }

    private struct VectorEntry: Hashable {
        let row: Int64
        /// The numbers are multiples of a half, so their squares are of a quarter.
        let quarters: Int

        init(row: Int64, square: Double) {
            self.row = row
            quarters = Int((square * 4).rounded())
        }
    }
}
