internal import Replication

extension PostgresEndpoint {
    /// Removes old tombstones from the server, so that the rows of deleted documents do not
    /// accumulate.
    ///
    /// ```swift
    /// let count = try await endpoint.removeTombstones(olderThan: .seconds(90 * 86_400))
    /// ```
    ///
    /// A file that replicates at least once in this period receives all deletions as before. One
    /// that was away for longer cannot be told which documents were deleted meanwhile. Its next
    /// replication compares instead: it asks for the IDs of all documents that the server had, and
    /// removes from the file those that the server does not have any more and that were not changed
    /// in the file. This costs a look-up for each document, is reported
    /// (`ReplicationReport.compared`), and happens once. A document that was changed in the file
    /// while its deletion was removed is sent as a new one, so it exists again.
    ///
    /// Each bucket of a collection is one transaction, during which clients wait to write into it.
    /// It reads the whole bucket. The role needs the right `DELETE` on the table `docs`.
    ///
    /// - Parameter age: the time since the deletion was written at the server, by its clock.
    /// - Returns: how many tombstones were removed.
    /// - Throws: `ReplicationError`; `ReplicationError.Code.invalidParameter` for a negative
    ///   age; `CancellationError`.
    @discardableResult
    public func removeTombstones(olderThan age: Duration) async throws -> Int {
        guard age >= .zero else {
            throw ReplicationError(.invalidParameter, "the age of tombstones is negative: \(age)")
        }
        // Longer than any age of a row, and short enough for an interval of PostgreSQL.
        let microseconds = min(age, .seconds(100_000_000_000)) / .microseconds(1)
        let removal = TombstoneRemoval(schema: schema, microseconds: Int64(microseconds))
        return try await administer { connection in
            try schema.check(connection)
            return try removal.run(connection)
        }
    }
}
