internal import Replication

/// Removes old tombstones from the table of documents.
struct TombstoneRemoval: Sendable {
    let schema: PostgresSchema
    /// How old they have to be.
    let microseconds: Int64

    /// Removes those of all collections, each bucket in a transaction; returns how many.
    func run(_ connection: PostgresConnection) throws -> Int {
        let buckets = try connection.run(
            "SELECT coll, bucket FROM \(schema.table("feeds")) ORDER BY coll, bucket")
        var count = 0
        for row in 0..<buckets.count {
            guard let number = buckets.int(row, 0), let bucket = buckets.int(row, 1) else {
                continue
            }
            count += try run(connection, Int32(clamping: number), Int16(clamping: bucket))
        }
        return count
    }

    /// The lock of the feed's row comes first, as it does for writers: otherwise each could wait
    /// for a lock of the other.
    private func run(
        _ connection: PostgresConnection, _ number: Int32, _ bucket: Int16
    ) throws -> Int {
        let key: [PostgresValue] = [.int4(number), .int2(bucket)]
        let results = try connection.run([
            PostgresStatement(
                """
                SELECT 1 FROM \(schema.table("feeds")) WHERE coll = $1 AND bucket = $2 FOR UPDATE
                """, key),
            PostgresStatement(removal, key + [.int8(microseconds)]),
        ])
        return Int(results[1].int(0, 0) ?? 0)
    }

    private var removal: String {
        """
        WITH removed AS (
          DELETE FROM \(schema.table("docs")) WHERE coll = $1 AND bucket = $2
            AND flags & 1 = 1
            AND changed < now() - $3::bigint::float8 * interval '1 microsecond'
          RETURNING seq),
        raised AS (
          UPDATE \(schema.table("feeds"))
          SET min_seq = greatest(min_seq, (SELECT max(seq) FROM removed))
          WHERE coll = $1 AND bucket = $2 AND EXISTS (SELECT 1 FROM removed))
        SELECT count(*) FROM removed
        """
    }
}
