internal import Replication

// Revisions by ID.
extension PostgresCollection {
    func revisions(
        of ids: [String]
    ) async throws -> (documents: [RemoteDocument], left: [String]) {
        var documents: [RemoteDocument] = []
        var left: [String] = []
        var bytes = 0
        for (bucket, ids) in Dictionary(grouping: ids, by: { bucket(of: $0) }) {
            guard left.isEmpty, bytes < Self.maximumBytes else {
                left += ids
                continue
            }
            let found = try await revisions(of: ids, bucket)
            documents += found.documents
            left = found.left
            for document in found.documents {
                bytes += document.body.count + (document.fleece?.count ?? 0)
            }
        }
        return (documents, left)
    }

    /// The documents that fit into the limit of bytes, and one at least; and the others.
    private func revisions(
        of ids: [String], _ bucket: Int16
    ) async throws -> (documents: [RemoteDocument], left: [String]) {
        let limit = Self.maximumBytes
        let sql = """
            SELECT seq, id, rev, history, flags, CASE WHEN bytes < \(limit) THEN body END,
              CASE WHEN bytes < \(limit) THEN extra END, (bytes >= \(limit))::int
            FROM (
              SELECT *, CASE WHEN stored >= \(limit) THEN \(limit)
                ELSE \(Self.bytesBefore(order: "id")) END AS bytes
              FROM (
                SELECT *, \(Self.storedBytesBefore(order: "id")) AS stored
                FROM \(rowsByKey)) AS s) AS d
            """
        let number = number
        return try await worker.run { connection in
            let result = try connection.run(sql, .int4(number), .int2(bucket), .strings(ids))
            var documents: [RemoteDocument] = []
            var left: [String] = []
            for row in 0..<result.count {
                let document = try PostgresRow { result.bytes(row, $0) }.document
                if result.int(row, 7) == 0 {
                    documents.append(document)
                } else {
                    left.append(document.id)
                }
            }
            return (documents, left)
        }
    }

    func revisionIDs(of ids: [String]) async throws -> [RemoteDocument] {
        var documents: [RemoteDocument] = []
        for (bucket, ids) in Dictionary(grouping: ids, by: { bucket(of: $0) }) {
            documents += try await revisionIDs(of: ids, bucket)
        }
        return documents
    }

    func revisionIDs(of ids: [String], _ bucket: Int16) async throws -> [RemoteDocument] {
        let sql = """
            SELECT seq, id, rev, history, flags, NULL::jsonb, NULL::bytea FROM \(rowsByKey)
            """
        let number = number
        return try await worker.run { connection in
            let result = try connection.run(sql, .int4(number), .int2(bucket), .strings(ids))
            return try (0..<result.count).map { row in
                try PostgresRow { result.bytes(row, $0) }.document
            }
        }
    }
}

extension PostgresCollection {
    /// The collection `$1` and the bucket `$2` as columns of `k`.
    ///
    /// For constants, the server looks into its statistics. Where it has none, or has them from
    /// before the documents of the collection, it expects few documents in the bucket, and reads
    /// all of it instead of looking up keys. `OFFSET 0` keeps the columns from becoming constants.
    static let bucketKey = "(SELECT $1::int AS coll, $2::int2 AS bucket OFFSET 0) AS k"

    /// The documents of the bucket with the IDs `$3`, each found by its key.
    private var rowsByKey: String {
        """
        (SELECT d.* FROM \(Self.bucketKey) CROSS JOIN unnest($3::text[]) AS p (id)
        CROSS JOIN LATERAL (
          SELECT * FROM \(schema.table("docs"))
          WHERE coll = k.coll AND bucket = k.bucket AND id = p.id LIMIT 1) AS d) AS found
        """
    }
}

// Limits of memory.
extension PostgresCollection {
    /// About how many bytes of documents are received at a time.
    static let maximumBytes = 8 << 20

    /// The expression for the size of the documents before a row, as the table stores them, which
    /// costs nothing. A body of more than 2 kB is compressed, perhaps to a hundredth.
    static func storedBytesBefore(order: String) -> String {
        sum(of: "coalesce(pg_column_size(body), 0)", order: order)
    }

    /// The same for the sizes when they are received. To be used with rows that
    /// `storedBytesBefore` limits: each body is uncompressed.
    static func bytesBefore(order: String) -> String {
        sum(
            of: """
                CASE WHEN body IS NULL OR stored >= \(maximumBytes) THEN 0
                  WHEN pg_column_size(body) < 2000 THEN 4 * pg_column_size(body)
                  ELSE octet_length(body::text) END
                """, order: order)
    }

    private static func sum(of size: String, order: String) -> String {
        """
        coalesce(sum(\(size) + coalesce(octet_length(extra), 0))
          OVER (ORDER BY \(order) ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
        """
    }
}

/// A row of the table of documents.
struct PostgresRow: Sendable {
    let sequence: Int64
    let document: RemoteDocument

    /// - Parameter column: the bytes of a column: the sequence, ID, revision, history, flags, body
    ///   and Fleece.
    init(_ column: (Int) -> UnsafeRawBufferPointer?) throws {
        guard let sequence = column(0).flatMap(PostgresField.int), let id = column(1),
            let revision = column(2), let history = column(3),
            let flags = column(4).flatMap(PostgresField.int)
        else {
            throw ReplicationError(
                .badRemoteData,
                "a row of the table docs has another form; were its columns altered?")
        }
        self.sequence = sequence
        // The first byte is the version of the form of JSONB.
        let body = column(5).map { Array($0.dropFirst()) } ?? []
        document = RemoteDocument(
            id: String(decoding: id, as: UTF8.self),
            revision: String(decoding: revision, as: UTF8.self),
            history: String(decoding: history, as: UTF8.self), isDeleted: flags & 1 != 0,
            body: body, fleece: column(6).map { Array($0) })
    }
}
