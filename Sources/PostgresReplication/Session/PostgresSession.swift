internal import CPQ
internal import DataFileCore
internal import Replication

/// A session with a PostgreSQL server.
final class PostgresSession: ReplicationSession {
    let worker: PostgresWorker
    let schema: PostgresSchema
    private let newWorker: @Sendable () async throws -> PostgresWorker

    /// - Parameter newWorker: opens another connection.
    init(
        _ worker: PostgresWorker, _ schema: PostgresSchema,
        _ newWorker: @escaping @Sendable () async throws -> PostgresWorker
    ) {
        self.worker = worker
        self.schema = schema
        self.newWorker = newWorker
    }

    func open(_ collection: CollectionName) async throws -> any RemoteCollection {
        let schema = schema
        let (number, buckets) = try await worker.run { connection in
            // Before the first changes are read, so that none is missed in between.
            if schema.listens(on: connection) { try connection.listen(to: schema.channel) }
            return try PostgresCollectionTable(schema: schema).open(collection, connection)
        }
        return PostgresCollection(
            worker, schema, number: number, buckets: buckets, newWorker: newWorker)
    }

    func find(_ collection: CollectionName) async throws -> (any RemoteCollection)? {
        let schema = schema
        let found = try await worker.run { connection in
            try PostgresCollectionTable(schema: schema).find(collection, connection)
        }
        return found.map { number, buckets in
            PostgresCollection(
                worker, schema, number: number, buckets: buckets, newWorker: newWorker)
        }
    }

    func waitForChange(seconds: Double) async throws {
        do {
            // Without notifications the server is asked again after a second.
            try await worker.run { [schema] connection in
                let seconds = schema.listens(on: connection) ? seconds : min(seconds, 1)
                try connection.waitForNotification(seconds: seconds)
            }
        } catch is CancellationError {
            // The wait has ended, as requested.
        }
    }

    func close() async { await worker.close() }
}

extension PostgresConnection {
    /// Waits for a notification of another connection, or that long.
    fileprivate func waitForNotification(seconds: Double) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !takeNotifications() {
            let isReady = try wait(
                reading: true, writing: false, until: deadline, isInStatement: false)
            guard isReady else { return }
            try receive()
        }
    }
}

/// The table of collections.
struct PostgresCollectionTable {
    let schema: PostgresSchema

    /// The names of all collections.
    func names(_ connection: PostgresConnection) throws -> [CollectionName] {
        let result = try connection.run(
            "SELECT scope, name FROM \(schema.table("collections")) ORDER BY coll")
        return try (0..<result.count).map { row in
            let (scope, name) = (result.text(row, 0) ?? "", result.text(row, 1) ?? "")
            do {
                return try CollectionName("\(scope).\(name)")
            } catch {
                throw ReplicationError(
                    .badRemoteData,
                    "the table collections has a name that is not valid: \(error)")
            }
        }
    }

    /// The number and the buckets of a collection, which is created if it does not exist.
    func open(
        _ name: CollectionName, _ connection: PostgresConnection
    ) throws -> (number: Int32, buckets: Int) {
        if let found = try find(name, connection) { return found }
        // Another client may create it, or take the number, at the same time.
        var failure: (any Error)?
        for _ in 0..<5 {
            do {
                try create(name, connection)
            } catch let error as ReplicationError where error.code != .unreachable {
                failure = error
            }
            if let found = try find(name, connection) {
                try createView(of: name, found.number, connection)
                return found
            }
        }
        throw failure
            ?? ReplicationError(.incompatible, "the collection \(name) cannot be created")
    }

    /// The number and the buckets of a collection; nil if it does not exist.
    func find(
        _ name: CollectionName, _ connection: PostgresConnection
    ) throws -> (number: Int32, buckets: Int)? {
        let result = try connection.run(
            """
            SELECT coll, buckets FROM \(schema.table("collections"))
            WHERE scope = $1 AND name = $2
            """,
            .text(name.scope), .text(name.name))
        guard result.count > 0, let number = result.int(0, 0), let buckets = result.int(0, 1),
            buckets > 0
        else { return nil }
        return (Int32(clamping: number), Int(buckets))
    }

    private func create(_ name: CollectionName, _ connection: PostgresConnection) throws {
        _ = try connection.run([
            PostgresStatement(
                """
                INSERT INTO \(schema.table("collections")) (coll, scope, name, buckets)
                SELECT coalesce(max(coll), 0) + 1, $1, $2, $3 FROM \(schema.table("collections"))
                """, [.text(name.scope), .text(name.name), .int2(Int16(schema.buckets))]),
            PostgresStatement(
                """
                INSERT INTO \(schema.table("feeds")) (coll, bucket)
                SELECT c.coll, b::smallint FROM \(schema.table("collections")) c,
                  generate_series(0, $3 - 1) b WHERE c.scope = $1 AND c.name = $2
                """, [.text(name.scope), .text(name.name), .int4(Int32(schema.buckets))]),
        ])
    }

    /// The view of the living documents, for people. A client may lack the right to create it.
    private func createView(
        of name: CollectionName, _ number: Int32, _ connection: PostgresConnection
    ) throws {
        // PostgreSQL would shorten a longer name, perhaps to that of another collection.
        guard "\(name)".utf8.count < 64 else { return }
        let view = schema.table(PostgresConnection.quoted("\(name)"))
        do {
            _ = try connection.run(
                """
                CREATE OR REPLACE VIEW \(view) AS SELECT id, body, rev, seq
                FROM \(schema.table("docs")) WHERE coll = \(number) AND flags & 1 = 0
                """)
        } catch let error as ReplicationError where error.code != .unreachable {
            // It is not needed for replication.
        }
    }
}
