package import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

extension DocumentCollection {
    /// Measures the sizes of the documents and of their properties, including deleted documents, in
    /// one pass.
    ///
    /// Lengths come from the rows' headers. Only the bodies of a random sample are read.
    ///
    /// - Parameters:
    ///   - largest: the number of the largest documents to report.
    ///   - sample: the approximate number of documents in the sample.
    ///
    /// Throws `.notFound` if the collection does not exist.
    package func sizeProfile(
        in snapshot: Snapshot, largest: Int = 10, sample: Int = 10_000
    ) throws -> SizeProfile {
        let tables = try tables(in: snapshot)
        let count = try count(in: snapshot)
        let interval = max(1, (count.live + count.deleted) / max(sample, 1))
        return try snapshot.wrapping(keyStore.name) {
            let keys = try snapshot.requireSharedKeys()
            var pass = ProfilePass(try FleeceDocument.empty(sharedKeys: keys))
            let connection = try snapshot.connection()
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                let table = try tables.table(tombstones: isTombstone)
                let rows = try connection.context.prepare(sql: ProfilePass.sql(table))
                try rows.bind(Int64(interval), at: 1)
                while try rows.next() { pass.add(rows, isTombstone: isTombstone, largest: largest) }
            }
            return pass.finished()
        }
    }
}

/// A pass over the rows of a collection.
private struct ProfilePass {
    private var profile = SizeProfile()
    private var weights: PropertyWeights
    /// A document that is reused to read each body.
    private let document: FleeceDocument

    init(_ document: FleeceDocument) {
        self.document = document
        weights = PropertyWeights(document.sharedKeys)
    }

    /// The SELECT of the rows. It chooses the sample by a hash of the rowid, since rows can be
    /// written in a regular order.
    static func sql(_ table: StoreTables.Table) -> String {
        let extra = table.hasExtra ? "extra" : "NULL"
        let isSampled = "((rowid & 0x7FFFFFFF) * 2654435761 >> 8) % ?1 = 0"
        return """
            SELECT key, flags, length(body), length(\(extra)),
                CASE WHEN \(isSampled) THEN version END, CASE WHEN \(isSampled) THEN body END
            FROM \(table.name)
            """
    }

    mutating func add(_ row: SQLStatement, isTombstone: Bool, largest: Int) {
        let document = SizeProfile.Document(
            key: row.text(at: 0) ?? "",
            isDeleted: isTombstone || row.long(at: 1) & Int64(DocumentFlags.deleted.rawValue) != 0,
            bodyBytes: Int(row.long(at: 2)), extraBytes: Int(row.long(at: 3)))
        profile.count(document, largest: largest)
        let body = row.bytes(at: 5)
        guard !body.isEmpty else { return }
        let isTree = (row.bytes(at: 4).first ?? 0) != 0 && document.extraBytes == 0
        look(into: isTree ? Self.currentBody(body) : body)
    }

    /// The current body; in a row of Couchbase Lite 2 it is part of a revision tree.
    private static func currentBody(_ body: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard RevisionTree.hasOutline(body) else { return body }
        return (try? RevisionTree.currentBody(in: body)) ?? nil
    }

    private mutating func look(into body: UnsafeRawBufferPointer?) {
        guard let body, !body.isEmpty else { return }
        profile.sampledDocuments += 1
        profile.sampledBytes += body.count
        document.withUnsafeRoot(of: body) { root in
            if let properties = root?.dictionary { weights.add(properties, size: body.count) }
        }
    }

    func finished() -> SizeProfile {
        var profile = profile
        profile.properties = weights.properties.values.sorted {
            ($1.bytes, $0.name) < ($0.bytes, $1.name)
        }
        profile.keyUses = weights.keyUses
        profile.textKeyUses = weights.textKeyUses
        return profile
    }
}
