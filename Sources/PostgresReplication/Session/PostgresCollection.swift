internal import DataFileCore
internal import Replication

/// A collection in the tables of a PostgreSQL database.
final class PostgresCollection: RemoteCollection {
    let worker: PostgresWorker
    let schema: PostgresSchema
    let number: Int32
    let buckets: Int
    let copy: PostgresCopy

    init(
        _ worker: PostgresWorker, _ schema: PostgresSchema, number: Int32, buckets: Int,
        newWorker: @escaping @Sendable () async throws -> PostgresWorker
    ) {
        self.worker = worker
        self.schema = schema
        self.number = number
        self.buckets = buckets
        copy = PostgresCopy(newWorker)
    }

    /// The bucket of a document: FNV-1a of its ID, so that all clients agree.
    func bucket(of id: String) -> Int16 {
        guard buckets > 1 else { return 0 }
        var hash: UInt32 = 2_166_136_261
        for byte in id.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int16(hash % UInt32(buckets))
    }

    func checkpoint(_ id: String) async throws -> ReplicationCheckpoint? {
        let sql = "SELECT body FROM \(schema.table("checkpoints")) WHERE id = $1"
        return try await worker.run { connection in
            let result = try connection.run(sql, .text(id))
            guard result.count > 0 else { return nil }
            return result.text(0, 0).flatMap { ReplicationCheckpoint(json: $0) }
        }
    }

    func setCheckpoint(_ checkpoint: ReplicationCheckpoint, for id: String) async throws {
        let sql = """
            INSERT INTO \(schema.table("checkpoints")) AS c (id, body) VALUES ($1, $2)
            ON CONFLICT (id) DO UPDATE SET body = excluded.body WHERE c.body <> excluded.body
            """
        try await worker.run { _ = try $0.run(sql, .text(id), .text(checkpoint.json)) }
    }

    func earlier(_ position: String, _ other: String) -> String? {
        PostgresPosition(position, buckets).earlier(PostgresPosition(other, buckets)).text
    }
}

/// A position in the changes of a collection: the last sequence of each bucket.
struct PostgresPosition: Sendable, Equatable {
    var sequences: [Int64]

    /// - Parameter text: the sequences, separated by commas; nil, or another number of them, for
    ///   the beginning.
    init(_ text: String?, _ buckets: Int) {
        let numbers = text?.split(separator: ",").compactMap { Int64($0) } ?? []
        let isPlausible = numbers.allSatisfy { $0 >= 0 }
        sequences =
            numbers.count == buckets && isPlausible
            ? numbers : [Int64](repeating: 0, count: buckets)
    }

    var text: String { sequences.map { "\($0)" }.joined(separator: ",") }

    func earlier(_ other: PostgresPosition) -> PostgresPosition {
        var result = self
        for index in sequences.indices {
            result.sequences[index] = min(sequences[index], other.sequences[index])
        }
        return result
    }
}
