internal import SQLCore
internal import StoreFormat
public import VectorIndex

/// What a vector index contains, and which documents it leaves out.
///
/// ```swift
/// let statistics = try file.read { try people.vectorIndexStatistics("byMeaning", in: $0) }
/// if statistics.leftOut > 0 { print("not in the index:", statistics.leftOutIDs) }
/// ```
public struct VectorIndexStatistics: Hashable, Sendable {
    /// The options of the index.
    public let options: VectorIndexOptions
    /// The number of indexed vectors.
    public internal(set) var vectors = 0
    /// The number of cells into which they are divided; 0 for a small index, which is searched
    /// completely.
    public internal(set) var cells = 0
    /// The number of documents that have changed since they were indexed. Queries compare them one
    /// by one; a lazy index does not find them.
    public internal(set) var changed = 0
    /// The number of documents whose value is MISSING, null or an empty string.
    public internal(set) var withoutValue = 0
    /// The number of documents that have a value but no vector: another number of dimensions,
    /// numbers that are not finite, or another type; in a lazy index, also those for which the
    /// application has set none.
    public internal(set) var leftOut = 0
    /// The IDs of some of the documents that were left out, at most 10.
    public internal(set) var leftOutIDs: [String] = []

    static let examples = 10
}

extension OpenVectorIndex {
    /// Reads the tables of the index, and the documents that are not in it.
    package func statistics() throws -> VectorIndexStatistics {
        var found = VectorIndexStatistics(options: index.options)
        found.cells = try index.cellCount()
        found.vectors = try index.count()
        found.changed = try changeCount(atMost: .max)
        try context.forEach(try othersSQL()) { row in
            guard row.long(at: 1) != 0 else {
                found.withoutValue += 1
                return
            }
            found.leftOut += 1
            guard found.leftOutIDs.count < VectorIndexStatistics.examples else { return }
            found.leftOutIDs.append(row.text(at: 0) ?? "")
        }
        return found
    }

    /// The documents that are in neither the index nor the table of changes: the key, and whether
    /// they have a value. JSON's null is an empty blob.
    private func othersSQL() throws -> String {
        let (value, condition) = try Self.parts(row)
        return "SELECT d.key, ifnull(length(\(value)), 0) > 0 "
            + "FROM main.\(row.store.tableName.sqlName) AS d WHERE \(condition) "
            + "AND d.rowid NOT IN (SELECT docid FROM \(index.tables.vectors)) "
            + "AND d.rowid NOT IN (SELECT docid FROM \(index.tables.pending))"
    }
}
