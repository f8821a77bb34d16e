internal import Logging
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

// The blocking forms.
extension SharedFile {
    /// Runs `body` on a snapshot, or on the thread's open one.
    func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try readingPool.withPooledConnection { held in
            try held.snapshot.map(body)
        } _: { connection in
            try read(on: connection, body)
        }
    }

    /// The pool of reading connections that this thread may wait for.
    private var readingPool: ConnectionPool<Connection> {
        guard let readerOfWriter, let writers, writers.heldConnection != nil,
            readers.heldConnection == nil
        else { return readers }
        return readerOfWriter
    }

    /// Runs `body` in a transaction, or in a savepoint of the thread's open one.
    ///
    /// - Parameter trustsSchema: whether triggers of other programs are allowed, because `body`
    ///   does not write anything that runs them.
    package func write<T>(
        trustsSchema: Bool = false, _ body: (Transaction) throws -> T
    ) throws -> T {
        try requireWriters().withPooledConnection { held in
            try held.snapshot.map { try nested($0, body) }
        } _: { connection in
            try write(on: connection, trustsSchema: trustsSchema, body)
        }
    }

    /// Runs `body` on a snapshot of the writing connection, which includes all of its commits.
    func readOnWriter<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try requireWriters().withPooledConnection { try read(on: $0, body) }
    }

    /// Runs `body` in a transaction, unless another process holds the lock for more than 100 ms:
    /// for background work, during which the application waits for the connection.
    func writeBriefly<T>(_ body: (Transaction) throws -> T) throws -> T {
        try requireWriters().withPooledConnection { connection in
            try connection.pooled.waiting(atMost: 100) { try write(on: connection, body) }
        }
    }

    private func nested<T>(_ open: Snapshot, _ body: (Transaction) throws -> T) throws -> T {
        guard let transaction = open as? Transaction else {
            throw StoreError(
                .transactionNotClosed, "cannot write to the in-memory database inside a read of it"
            )
        }
        return try transaction.savepoint { try body(transaction) }
    }
}

// The asynchronous forms.
extension SharedFile {
    /// Runs `body` on a snapshot, on the connection's own thread.
    package func read<T: Sendable>(_ body: @escaping @Sendable (Snapshot) throws -> T) async throws
        -> T
    {
        try await readers.withPooledConnection { try self.read(on: $0, body) }
    }

    /// Runs `body` in a transaction, on the connection's own thread.
    package func write<T: Sendable>(
        trustsSchema: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await requireWriters().withPooledConnection {
            try self.write(on: $0, trustsSchema: trustsSchema, body)
        }
    }
}

// On one connection.
extension SharedFile {
    /// The pool of the writing connection.
    ///
    /// Throws `.notWriteable` if the file was opened for reading.
    func requireWriters() throws -> ConnectionPool<Connection> {
        guard let writers else {
            throw StoreError(.notWriteable, "\(path) was opened read-only")
        }
        return writers
    }

    private func read<T>(
        on connection: Connection, _ body: (Snapshot) throws -> T
    ) throws -> T {
        do {
            try connection.begin(.reading)
            try connection.refresh()
            let result = try reading(connection, body)
            // A cancelled snapshot has no result.
            try connection.pooled.requireNotCancelled()
            try connection.endReading()
            return result
        } catch {
            connection.abandonReading()
            throw error
        }
    }

    /// Notifies observers of commits by others.
    func lookForChanges(on connection: Connection) throws {
        try read(on: connection) { try ExternalChanges.publishFound(in: $0) }
    }

    /// Upgrades an older file to the current schema, if allowed, and fixes what upgrades by other
    /// programs left wrong; nil if that was done before.
    ///
    /// It is part of the first transaction that writes, and undone if that fails.
    private func upgradeIfNeeded(
        _ connection: Connection, trustsSchema: Bool
    ) throws -> SchemaUpgrade.Outcome? {
        guard options.upgrade == .onFirstWrite, !isUpgraded.withLock({ $0 }) else { return nil }
        // In a file of this schema its fixes would run triggers; the next write makes them.
        let isCurrent = try connection.context.schemaVersion() == SchemaSQL.currentVersion
        if trustsSchema, isCurrent, !connection.trustsSchema { return nil }
        connection.functions.forgetKeys()
        try connection.requireOwnSchema()
        try connection.letTriggersWrite()
        let outcome = try SchemaUpgrade.run(in: connection.context, path: path)
        connection.context.countUnknownChanges()
        try connection.refresh()
        return outcome
    }

    /// Called after the upgrade was committed.
    private func noteUpgrade(_ outcome: SchemaUpgrade.Outcome) {
        isUpgraded.withLock { $0 = true }
        guard outcome.oldVersion < SchemaSQL.currentVersion || outcome.fixedRows > 0 else {
            return
        }
        options.logger.info(
            "\(path) was upgraded from schema \(outcome.oldVersion)",
            metadata: [
                "tombstones": "\(outcome.movedTombstones)", "fixed": "\(outcome.fixedRows)",
            ])
        maintenance?.wake()
    }

    private func reading<T>(
        _ connection: Connection, _ body: (Snapshot) throws -> T
    ) throws -> T {
        let snapshot = Snapshot(connection)
        defer {
            snapshot.end()
            if state.hasPendingIndexes { maintenance?.wake() }
        }
        return try body(snapshot)
    }

    private func write<T>(
        on connection: Connection, trustsSchema: Bool = false,
        _ body: (Transaction) throws -> T
    ) throws -> T {
        try requireHealth()
        guard connection.trustsSchema else {
            return try writing(on: connection, trustsSchema: trustsSchema, body)
        }
        let watch = TriggerWatch(limit: options.mostTriggerOperations)
        return try watch.watching(connection) {
            try writing(on: connection, trustsSchema: true, body)
        }
    }

    private func writing<T>(
        on connection: Connection, trustsSchema: Bool, _ body: (Transaction) throws -> T
    ) throws -> T {
        do {
            try connection.begin(.writing)
            try requireUnreplaced()
            try connection.refresh()
            let upgrade = try upgradeIfNeeded(connection, trustsSchema: trustsSchema)
            let transaction = Transaction(connection)
            defer { transaction.end() }
            try connection.letTriggersWrite()
            try transaction.requireWritable(trustsSchema: trustsSchema)
            let others = try ExternalChanges.found(in: transaction)
            let result = try body(transaction)
            try transaction.updateVectorsOfChanges()
            try transaction.finish()
            try connection.pooled.requireNotCancelled()
            // A statement that is still running would prevent the WAL from being reset.
            transaction.endReaders()
            try commit(connection)
            transaction.noteCommit()
            reportFailures(connection)
            if let upgrade { noteUpgrade(upgrade) }
            publish(transaction, others)
            checkpointPolicy.afterCommit(self, connection)
            return result
        } catch {
            connection.rollback()
            _ = connection.failures.take()
            throw error
        }
    }

    /// Logs the documents that were left out of predictive indexes.
    private func reportFailures(_ connection: Connection) {
        for failure in connection.failures.take() {
            options.logger.warning(
                "\(path): documents are not in the indexes of a model that failed",
                metadata: [
                    "model": "\(failure.model)", "documents": "\(failure.count)",
                    "reason": "\(failure.message)",
                ])
        }
    }

    /// Commits; after a failure the handle stops writing, since the state on disk is unknown.
    private func commit(_ connection: Connection) throws {
        do {
            try connection.commit()
        } catch let error as SQLError {
            let isHarmless = [.busy, .interrupted, .constraint].contains { (code: SQLResultCode) in
                code ~= error.code
            }
            if !isHarmless { stopWriting(connection, error) }
            throw error
        }
    }

    private func publish(
        _ transaction: Transaction, _ others: FoundChanges
    ) {
        if state.changes.isObserved {
            ExternalChanges.publish(transaction, others)
        }
        let isDue = analysis.withLock { analysis -> Bool in
            for (store, count) in transaction.writtenRows {
                analysis.noteBulkChange(rows: count, in: store)
            }
            return analysis.isDue
        }
        if transaction.hasSetExpiration || transaction.hasChangedVectors || isDue
            || state.hasPendingIndexes
        {
            maintenance?.wake()
        }
    }
}
