internal import Replication

// Writing revisions.
extension PostgresCollection {
    func propose(
        _ proposals: [ProposedRevision], at text: String?
    ) async throws -> (results: [ProposalResult], position: String?) {
        var position = PostgresPosition(text, buckets)
        var results = [ProposalResult](repeating: .accepted, count: proposals.count)
        let byBucket = Dictionary(grouping: proposals.indices) {
            bucket(of: proposals[$0].document.id)
        }
        // A transaction writes one bucket, so that no two wait for each other.
        for (bucket, indexes) in byBucket.sorted(by: { $0.key < $1.key }) {
            let part = indexes.map { proposals[$0] }
            let accepted: Set<[UInt8]>
            let last: Int64
            do {
                (accepted, last) = try await write(part, bucket)
            } catch let error as ReplicationError {
                guard try await isOfDocument(error) else { throw error }
                // The server cannot store one of them: find out which one.
                let halves = try await proposeHalves(proposals, indexes, at: text, error)
                for (index, result) in zip(indexes, halves.results) { results[index] = result }
                if let text = halves.position { position = PostgresPosition(text, buckets) }
                continue
            }
            let known = position.sequences[Int(bucket)]
            if known == last &- Int64(part.count) { position.sequences[Int(bucket)] = last }
            // The server compares IDs byte by byte; strings of Swift are equal in other cases, too.
            let refused = indexes.filter { !accepted.contains(proposals[$0].document.idBytes) }
            guard !refused.isEmpty else { continue }
            let current = try await revisionIDs(
                of: refused.map { proposals[$0].document.id }, bucket)
            let byID = Dictionary(current.map { ($0.idBytes, $0) }) { first, _ in first }
            for index in refused {
                results[index] = .refused(byID[proposals[index].document.idBytes])
            }
        }
        return (results, text == nil ? nil : position.text)
    }

    private func proposeHalves(
        _ proposals: [ProposedRevision], _ indexes: [Int], at position: String?,
        _ error: ReplicationError
    ) async throws -> (results: [ProposalResult], position: String?) {
        guard indexes.count > 1 else { return ([.rejected(error.reason)], position) }
        let part = indexes.map { proposals[$0] }
        let middle = part.count / 2
        let (first, known) = try await propose(Array(part[..<middle]), at: position)
        let (second, last) = try await propose(Array(part[middle...]), at: known)
        return (first + second, last)
    }

    /// Whether an error concerns one of the documents: the server cannot store it, or a policy of
    /// row-level security forbids it. That has the same code as a missing right on a table.
    private func isOfDocument(_ error: ReplicationError) async throws -> Bool {
        guard error.sqlState == SQLState.insufficientPrivilege else {
            return error.code == .badRemoteData
        }
        let sql = """
            SELECT (has_table_privilege($1, 'SELECT') AND has_table_privilege($1, 'INSERT')
              AND has_table_privilege($1, 'UPDATE') AND has_table_privilege($2, 'UPDATE'))::int
            """
        let tables = ["docs", "feeds"].map { PostgresValue.text(schema.table($0)) }
        return try await worker.run { try $0.run(sql, tables[0], tables[1]).int(0, 0) == 1 }
    }

    /// Writes those revisions whose base the server has, in one transaction; returns their IDs, and
    /// the last sequence of the bucket.
    ///
    /// The update of the feed's row comes first: its lock lasts until the commit, so that the
    /// sequences of a bucket become visible in their order. PostgreSQL's own sequences do not.
    private func write(
        _ proposals: [ProposedRevision], _ bucket: Int16
    ) async throws -> (ids: Set<[UInt8]>, last: Int64) {
        let new = proposals.filter { $0.base == nil }
        let changed = proposals.filter { $0.base != nil }
        let key: [PostgresValue] = [.int4(number), .int2(bucket)]
        var statements = [
            PostgresStatement(
                """
                UPDATE \(schema.table("feeds")) SET last_seq = last_seq + $3
                WHERE coll = $1 AND bucket = $2 RETURNING last_seq
                """, key + [.int8(Int64(proposals.count))])
        ]
        if !new.isEmpty {
            statements.append(PostgresStatement(insertion, key + values(of: new)))
        }
        if !changed.isEmpty {
            let bases = PostgresValue.strings(changed.map(\.base))
            statements.append(
                PostgresStatement(
                    update, key + values(of: changed) + [.int8(Int64(new.count)), bases]))
        }
        statements.append(
            PostgresStatement(
                "SELECT pg_notify($1, $2)", [.text(schema.channel), .text("\(number)")]))
        let (all, writes) = (statements, statements.count - 2)
        return try await worker.run { connection in
            let results = try connection.runAgain(
                connection.isCockroach ? all.dropLast() : all)
            var ids = Set<[UInt8]>()
            for result in results[1..<(1 + writes)] {
                for row in 0..<result.count {
                    if let id = result.bytes(row, 0) { ids.insert(Array(id)) }
                }
            }
            guard results[0].count > 0, let last = results[0].int(0, 0) else {
                throw ReplicationError(
                    .incompatible, "the table feeds lacks bucket \(bucket) of the collection")
            }
            return (ids, last)
        }
    }

    private func values(of proposals: [ProposedRevision]) -> [PostgresValue] {
        let documents = proposals.map(\.document)
        return [
            .strings(documents.map(\.id)), .strings(documents.map(\.revision)),
            .strings(documents.map(\.history)), .int2s(documents.map { $0.isDeleted ? 1 : 0 }),
            .jsonbs(documents.map { $0.isDeleted ? [] : $0.body }),
            .byteas(documents.map(\.fleece)),
        ]
    }

    private static let rows = """
        unnest($3::text[], $4::text[], $5::text[], $6::int2[], $7::jsonb[], $8::bytea[])
        WITH ORDINALITY AS p (id, rev, history, flags, body, extra, n)
        """

    private var lastSequence: String {
        "(SELECT last_seq FROM \(schema.table("feeds")) WHERE coll = $1 AND bucket = $2)"
    }

    /// Inserts documents that the server does not have.
    private var insertion: String {
        """
        INSERT INTO \(schema.table("docs"))
          (coll, bucket, id, seq, rev, history, flags, body, extra, source)
        SELECT $1, $2, id, \(lastSequence) - n + 1, rev, history, flags, body, extra, ''
        FROM \(Self.rows)
        ON CONFLICT (coll, bucket, id) DO NOTHING RETURNING id
        """
    }

    /// Replaces revisions by those that are based on them.
    ///
    /// Each is found by its key first: otherwise a server that expects few documents in the bucket
    /// would read all of it, see `bucketKey`.
    private var update: String {
        """
        UPDATE \(schema.table("docs")) AS d
        SET seq = \(lastSequence) - $9 - n + 1, rev = p.rev, history = p.history,
          flags = p.flags, body = p.body, extra = p.extra, source = '', changed = now()
        FROM \(Self.bucketKey) CROSS JOIN unnest(
            $3::text[], $4::text[], $5::text[], $6::int2[], $7::jsonb[], $8::bytea[], $10::text[])
          WITH ORDINALITY AS p (id, rev, history, flags, body, extra, base, n)
        CROSS JOIN LATERAL (
          SELECT coll, bucket, id FROM \(schema.table("docs"))
          WHERE coll = k.coll AND bucket = k.bucket AND id = p.id LIMIT 1) AS found
        WHERE d.coll = found.coll AND d.bucket = found.bucket AND d.id = found.id
          AND d.rev = p.base
        RETURNING d.id
        """
    }
}

extension ReplicationError {
    /// The reason for which a document is rejected.
    fileprivate var reason: String {
        sqlState == SQLState.insufficientPrivilege
            ? "the server's policies do not allow this user to write it: \(message)" : message
    }
}

extension PostgresConnection {
    /// Runs a transaction, and again if the server ended it because of others: a deadlock with an
    /// edit by SQL, or a server that detects conflicts instead of waiting.
    fileprivate func runAgain(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        for _ in 0..<10 {
            do {
                return try run(statements)
            } catch let error as ReplicationError
                where ["40001", "40P01"].contains(error.sqlState)
            {
                continue
            }
        }
        return try run(statements)
    }
}

extension RemoteDocument {
    fileprivate var idBytes: [UInt8] { Array(id.utf8) }
}
