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
            var first = feed.firstSequence
            if documents.count < limit, start < feed.lastSequence {
                let (rows, end, later) = try await rows(
                    feed, after: start, limit: limit - documents.count)
                first = max(first, later)
                try Self.checkOrder(of: rows, after: start)
                documents += rows.map(\.document)
                let last = rows.last?.sequence ?? start
                // The last sequences may belong to revisions that were refused.
                position.sequences[index] = max(end ?? last, last)
            }
            if start < first { isIncomplete = true }
            var rest = max(feed.lastSequence - position.sequences[index], 0)
            if limit == 0, rest > 0 { rest = try await count(feed, after: start) }
            let (sum, overflows) = remaining.addingReportingOverflow(Int(rest))
            remaining = overflows ? .max : sum
        }
        return RemoteChanges(
            documents, position: position.text, isLast: remaining == 0,
            isIncomplete: isIncomplete, remaining: remaining)
    }

    /// Otherwise a position would skip changes, or lead to the same ones for ever.
    private static func checkOrder(of rows: [PostgresRow], after start: Int64) throws {
        var last = start
        for row in rows {
            guard row.sequence > last else {
                throw ReplicationError(
                    .badRemoteData,
                    "the server sent document \(row.document.id) with sequence \(row.sequence) "
                        + "after \(last)")
            }
            last = row.sequence
        }
    }

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

    /// The number of documents after a sequence: the sequences between them can be very many.
    private func count(_ feed: Feed, after sequence: Int64) async throws -> Int64 {
        let sql = """
            SELECT count(*) FROM \(schema.table("docs"))
            WHERE coll = $1 AND bucket = $2 AND seq > $3
            """
        let number = number
        return try await worker.run { connection in
            let result = try connection.run(
                sql, .int4(number), .int2(feed.bucket), .int8(sequence))
            return result.int(0, 0) ?? 0
        }
    }

    private static let columns = "seq, id, rev, history, flags, body, extra"

    /// The next rows of a bucket; the last sequence that there can be, at the end; and up to where
    /// tombstones were removed before the rows were read, perhaps only a short time before.
    private func rows(
        _ feed: Feed, after sequence: Int64, limit: Int
    ) async throws -> (rows: [PostgresRow], end: Int64?, first: Int64) {
        let firstSequence = firstSequence(feed.bucket)
        let continues = await copy.continues(feed.bucket, after: sequence)
        if feed.lastSequence - sequence > Self.many || continues {
            let (rows, end) = try await copied(feed, after: sequence, limit: limit)
            // The stream has what there was at its start.
            if continues { return (rows, end, 0) }
            let result = try await worker.run { try $0.run([firstSequence])[0].int(0, 0) }
            return (rows, end, result ?? 0)
        }
        let statements = [
            PostgresStatement(
                selection,
                [.int4(number), .int2(feed.bucket), .int8(sequence), .int8(Int64(limit))]),
            firstSequence,
        ]
        return try await worker.run { connection in
            let results = try connection.run(statements)
            let rows = try (0..<results[0].count).map { row in
                try PostgresRow { results[0].bytes(row, $0) }
            }
            return (rows, rows.isEmpty ? feed.lastSequence : nil, results[1].int(0, 0) ?? 0)
        }
    }

    private func copied(
        _ feed: Feed, after sequence: Int64, limit: Int
    ) async throws -> (rows: [PostgresRow], end: Int64?) {
        let sql = """
            COPY (SELECT \(Self.columns) FROM \(schema.table("docs")) WHERE coll = \(number)
            AND bucket = \(feed.bucket) AND seq > \(sequence) ORDER BY seq)
            TO STDOUT (FORMAT binary)
            """
        return try await copy.rows(
            feed.bucket, after: sequence, limit: limit, last: feed.lastSequence, sql)
    }

    /// As many rows as fit into the limit of bytes, and one at least.
    private var selection: String {
        """
        SELECT \(Self.columns) FROM (
          SELECT \(Self.columns), \(Self.bytesBefore(order: "seq")) AS bytes FROM (
            SELECT \(Self.columns), \(Self.storedBytesBefore(order: "seq")) AS stored
            FROM \(schema.table("docs")) WHERE coll = $1 AND bucket = $2 AND seq > $3
            ORDER BY seq LIMIT $4) AS s
          WHERE stored < \(Self.maximumBytes)) AS d
        WHERE bytes < \(Self.maximumBytes) ORDER BY seq
        """
    }

    private func firstSequence(_ bucket: Int16) -> PostgresStatement {
        PostgresStatement(
            "SELECT min_seq FROM \(schema.table("feeds")) WHERE coll = $1 AND bucket = $2",
            [.int4(number), .int2(bucket)])
    }
}
