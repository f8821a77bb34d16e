internal import DataFileCore
internal import Replication

// Blobs, in pieces.
extension PostgresCollection {
    func missingBlobs(of digests: [String]) async throws -> [String] {
        let sql = """
            SELECT d FROM unnest($1::text[]) d WHERE NOT EXISTS
              (SELECT 1 FROM \(schema.table("blobs")) WHERE digest = d AND piece = -1)
            """
        return try await worker.run { connection in
            let result = try connection.run(sql, .strings(digests))
            return (0..<result.count).compactMap { result.text($0, 0) }
        }
    }

    /// Writes the pieces, each in a transaction, so that large blobs need no large one. A last
    /// piece with the number -1 says that the blob is complete.
    func putBlob(
        _ digest: String, _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws {
        let sql = """
            INSERT INTO \(schema.table("blobs")) (digest, piece, bytes) VALUES ($1, $2, $3)
            ON CONFLICT (digest, piece) DO UPDATE SET bytes = excluded.bytes
            """
        var number: Int32 = 0
        while let piece = try await next() {
            let current = number
            try await worker.run {
                _ = try $0.run(sql, .text(digest), .int4(current), .bytea(piece))
            }
            number += 1
        }
        try await worker.run { _ = try $0.run(sql, .text(digest), .int4(-1), .bytea([])) }
    }

    func blob(
        _ blob: Blob, of id: String, _ use: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> Bool {
        let digest = blob.digest.description
        guard try await piece(-1, of: digest) != nil else { return false }
        var number: Int32 = 0
        while let piece = try await piece(number, of: digest) {
            try await use(piece)
            number += 1
        }
        return true
    }

    private func piece(_ number: Int32, of digest: String) async throws -> [UInt8]? {
        let sql = "SELECT bytes FROM \(schema.table("blobs")) WHERE digest = $1 AND piece = $2"
        return try await worker.run { connection in
            let result = try connection.run(sql, .text(digest), .int4(number))
            guard result.count > 0 else { return nil }
            return result.bytes(0, 0).map { Array($0) } ?? []
        }
    }
}
