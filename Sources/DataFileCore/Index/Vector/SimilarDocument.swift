internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// A document, and the distance of its vector from that of another one.
///
/// ```swift
/// let similar = try file.read { try people.documents(similarTo: "ada", by: "byMeaning", in: $0) }
/// for document in similar { print(document.id, document.distance) }
/// ```
public struct SimilarDocument: Hashable, Sendable {
    /// The ID.
    public let id: String
    /// The distance, in the metric of the index.
    public let distance: Double
}

extension OpenVectorIndex {
    /// The documents whose vectors are nearest to that of another one; nil if it has none.
    func similar(to docid: Int64, limit: Int) throws -> [SimilarDocument]? {
        let found: NearestVectors?
        if index.options.isLazy {
            // Only the index knows the vectors; those of changed documents are out of date.
            let changed = try changedDocuments()
            found =
                changed.contains(docid)
                ? nil : try index.nearest(toVectorOf: docid, limit: limit, except: changed)
        } else {
            let more = limit == .max ? limit : limit + 1
            found = try numbers(of: docid)?.withUnsafeBytes {
                try nearest(to: $0, limit: more, probes: nil, only: nil)
            }
        }
        return try found?.documents.filter { $0.docid != docid }.prefix(limit).map {
            SimilarDocument(id: try key(of: $0.docid), distance: $0.distance)
        }
    }

    /// The vector of a document, if the index can contain it.
    private func numbers(of docid: Int64) throws -> [UInt8]? {
        let bytes = try context.first(
            "SELECT \(try Self.valueSQL(row)) FROM main.\(row.store.tableName.sqlName) AS d "
                + "WHERE d.rowid = ?", [.long(docid)]
        ) { $0.isNull(at: 0) ? nil : $0.byteArray(at: 0) }
        guard let bytes, let bytes, bytes.withUnsafeBytes({ index.canContain($0) }) else {
            return nil
        }
        return bytes
    }

    private func key(of docid: Int64) throws -> String {
        try context.first(
            "SELECT key FROM main.\(row.store.tableName.sqlName) WHERE rowid = ?", [.long(docid)]
        ) { $0.text(at: 0) ?? "" } ?? ""
    }

    /// The row of a document; nil if it does not exist.
    func docid(of id: String) throws -> Int64? {
        try context.first(
            "SELECT rowid FROM main.\(row.store.tableName.sqlName) WHERE key = ?", [.text(id)]
        ) { $0.long(at: 0) }
    }
}
