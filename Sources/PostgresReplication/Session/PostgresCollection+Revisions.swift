internal import Replication

// Revisions by ID.
extension PostgresCollection {
    func revisions(of ids: [String]) async throws -> [RemoteDocument] {
        try await revisions(of: ids, withBodies: true)
    }

    func revisionIDs(of ids: [String]) async throws -> [RemoteDocument] {
        try await revisions(of: ids, withBodies: false)
    }

    private func revisions(of ids: [String], withBodies: Bool) async throws -> [RemoteDocument] {
        var documents: [RemoteDocument] = []
        for (bucket, ids) in Dictionary(grouping: ids, by: { bucket(of: $0) }) {
            documents += try await revisions(of: ids, bucket, withBodies: withBodies)
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
