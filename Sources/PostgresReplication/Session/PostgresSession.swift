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
            try schema.listen(on: connection)
            return try PostgresCollectionTable(schema: schema).open(collection, connection)
        }
        return PostgresCollection(
            worker, schema, number: number, buckets: buckets, newWorker: newWorker)
    }

    func collectionNames() async throws -> [CollectionName] {
        let schema = schema
        return try await worker.run { connection in
            try schema.listen(on: connection)
            return try PostgresCollectionTable(schema: schema).names(connection)
        }
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

extension PostgresSchema {
    /// Receives notifications of changes, before the first changes are read, so that none is missed
    /// in between.
    fileprivate func listen(on connection: PostgresConnection) throws {
        if listens(on: connection) { try connection.listen(to: channel) }
    }
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
