internal import Replication

// Reading revisions.
extension PostgresCollection {
    /// A bucket of the table of feeds.
    private struct Feed {
        let bucket: Int16
        let lastSequence: Int64
        let firstSequence: Int64
    }

    func changes(since text: String?, limit: Int) async throws -> RemoteChanges {
        var position = PostgresPosition(text, buckets)
        let feeds = try await feeds()
        var isIncomplete = false
        var remaining = 0
        var documents: [RemoteDocument] = []
        for feed in feeds where position.sequences.indices.contains(Int(feed.bucket)) {
            let index = Int(feed.bucket)
            // A server that was restored from a backup may have fewer changes.
            if position.sequences[index] > feed.lastSequence { position.sequences[index] = 0 }
            let start = position.sequences[index]
            if start < feed.firstSequence && text != nil { isIncomplete = true }
            if documents.count < limit, start < feed.lastSequence {
                let (rows, end) = try await rows(
                    feed.bucket, after: start, limit: limit - documents.count,
                    last: feed.lastSequence)
                documents += rows.map(\.document)
                let last = rows.last?.sequence ?? start
                // The last sequences may belong to revisions that were refused.
                position.sequences[index] = max(end ?? last, last)
            }
            let rest = max(feed.lastSequence - position.sequences[index], 0)
            let (sum, overflows) = remaining.addingReportingOverflow(Int(rest))
            remaining = overflows ? .max : sum
        }
        return RemoteChanges(
            documents, position: position.text, isLast: remaining == 0,
            isIncomplete: isIncomplete, remaining: remaining)
    }

    private static let maximumBytes = 8 << 20

    /// From how many changes on they are copied as one stream.
    private static let many: Int64 = 10_000

    private func feeds() async throws -> [Feed] {
        let sql = """
            SELECT bucket, last_seq, min_seq FROM \(schema.table("feeds")) WHERE coll = $1
            ORDER BY bucket
            """
        let number = number
        return try await worker.run { connection in
            let result = try connection.run(sql, .int4(number))
            return (0..<result.count).map { row in
                Feed(
                    bucket: Int16(truncatingIfNeeded: result.int(row, 0) ?? -1),
                    lastSequence: max(result.int(row, 1) ?? 0, 0),
                    firstSequence: result.int(row, 2) ?? 0)
            }
        }
    }

    private func rows(
        _ bucket: Int16, after sequence: Int64, limit: Int, last: Int64
    ) async throws -> (rows: [PostgresRow], end: Int64?) {
        let columns = "seq, id, rev, history, flags, body, extra"
        let continues = await copy.continues(bucket, after: sequence)
        if last - sequence > Self.many || continues {
            let sql = """
                COPY (SELECT \(columns) FROM \(schema.table("docs")) WHERE coll = \(number)
                AND bucket = \(bucket) AND seq > \(sequence) ORDER BY seq)
                TO STDOUT (FORMAT binary)
                """
            return try await copy.rows(bucket, after: sequence, limit: limit, last: last, sql)
        }
        // As many as fit into the limit of bytes, and one at least.
        let sql = """
            SELECT \(columns) FROM (
              SELECT \(columns), sum(
                4 * coalesce(pg_column_size(body), 0) + coalesce(octet_length(extra), 0)) OVER (
                ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes
              FROM \(schema.table("docs")) WHERE coll = $1 AND bucket = $2 AND seq > $3
              ORDER BY seq LIMIT $4) AS d
            WHERE bytes IS NULL OR bytes < \(Self.maximumBytes)
            """
        let number = number
        let rows = try await worker.run { connection in
            let result = try connection.run(
                sql, .int4(number), .int2(bucket), .int8(sequence), .int8(Int64(limit)))
            return try (0..<result.count).map { row in
                try PostgresRow { result.bytes(row, $0) }
            }
        }
        return (rows, rows.isEmpty ? last : nil)
    }

    func revisions(of ids: [String]) async throws -> [RemoteDocument] {
        var documents: [RemoteDocument] = []
        for (bucket, ids) in Dictionary(grouping: ids, by: { bucket(of: $0) }) {
            documents += try await revisions(of: ids, bucket, withBodies: true)
        }
        return documents
    }

    func revisions(
        of ids: [String], _ bucket: Int16, withBodies: Bool
    ) async throws -> [RemoteDocument] {
        let bodies = withBodies ? "body, extra" : "NULL::jsonb, NULL::bytea"
        let sql = """
            SELECT seq, id, rev, history, flags, \(bodies) FROM \(schema.table("docs"))
            WHERE coll = $1 AND bucket = $2 AND id = ANY($3)
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
