internal import Logging
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

// Threads.
extension SharedFile {
    /// Runs `body` on a snapshot; within another one of the thread, on that.
    func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try lineForReading.withPooledConnection { held in
            try held.session(path).snapshot.map(body)
        } _: { member in
            try member.perform { try self.read(on: $0, body) }
        }
    }

    /// The connections for reading that this thread may wait for.
    private var lineForReading: ConnectionPool {
        guard let readerOfWriter, let writers, writers.heldConnection != nil,
            readers.heldConnection == nil
        else { return readers }
        return readerOfWriter
    }

    /// Runs `body` in a transaction; within another one of the thread, in a savepoint of that.
    ///
    /// - Parameter trustsSchema: whether triggers of another program may be there: `body` writes
    ///   nothing that runs them.
    package func write<T>(
        trustsSchema: Bool = false, _ body: (Transaction) throws -> T
    ) throws -> T {
        try requireWriters().withPooledConnection { held in
            try held.session(path).snapshot.map { try nested($0, body) }
        } _: { member in
            try member.perform { try self.write(on: $0, trustsSchema: trustsSchema, body) }
        }
    }

    /// Runs `body` on a snapshot of the writing connection, which has seen its own commits.
    func readOnWriter<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try requireWriters().withPooledConnection { member in
            try member.perform { try self.read(on: $0, body) }
        }
    }

    /// Runs `body` in a transaction, unless another process keeps the lock for longer than a
    /// moment: for what is done in the background, while the application waits for the connection.
    func writeBriefly<T>(_ body: (Transaction) throws -> T) throws -> T {
        try requireWriters().withPooledConnection { member in
            try member.waiting(atMost: 100) {
                try member.perform { try self.write(on: $0, body) }
            }
        }
    }

    private func nested<T>(_ open: Snapshot, _ body: (Transaction) throws -> T) throws -> T {
        guard let transaction = open as? Transaction else {
            throw StoreError(
                .transactionNotClosed, "a write to \(path), which is in memory, inside a read of it"
            )
        }
        return try transaction.savepoint { try body(transaction) }
    }
}

// Tasks.
extension SharedFile {
    /// Runs `body` on a snapshot, on a thread of the connection's own.
    package func read<T: Sendable>(_ body: @escaping @Sendable (Snapshot) throws -> T) async throws
        -> T
    {
        try await readers.withPooledConnection { try self.read(on: $0, body) }
    }

    /// Runs `body` in a transaction, on a thread of the connection's own.
    package func write<T: Sendable>(
        trustsSchema: Bool = false, _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await requireWriters().withPooledConnection {
            try self.write(on: $0, trustsSchema: trustsSchema, body)
        }
    }
}

// One connection.
extension SharedFile {
    /// The line of the connection that writes.
    ///
    /// Throws `.notWriteable` if the file was opened for reading.
    func requireWriters() throws -> ConnectionPool {
        guard let writers else {
            throw StoreError(.notWriteable, "\(path) was opened for reading only")
        }
        return writers
    }

    private func read<T>(on member: PooledConnection, _ body: (Snapshot) throws -> T) throws -> T {
        let session = try member.session(path)
        do {
            try session.begin(.reading)
            let result = try reading(session, body)
            // A snapshot that was cancelled has no result.
            try member.requireNotCancelled()
            try session.endReading()
            return result
        } catch {
            session.rollback()
            throw error
        }
    }

    /// Tells observers of what others have committed.
    func lookForChanges(on member: PooledConnection) throws {
        try read(on: member) { try ExternalChanges.publishFound(in: $0) }
    }

    /// Brings an older file to the current schema, if that is allowed, and puts right what upgrades
    /// by others have left wrong; nil if that was done before.
    ///
    /// It is a part of the first transaction that writes: undone if that fails.
    private func upgradeIfNeeded(
        _ session: Session, trustsSchema: Bool
    ) throws -> SchemaUpgrade.Outcome? {
        guard options.upgrade == .onFirstWrite, !isUpgraded.withLock({ $0 }) else { return nil }
        // What it puts right in a file of this schema would run triggers; the next write does it.
        let isCurrent = try session.context.schemaVersion() == SchemaSQL.currentVersion
        if trustsSchema, isCurrent, !session.trustsSchema { return nil }
        session.functions.forgetKeys()
        // It comes before anything has looked whether others have altered the schema.
        session.isKnownOwnSchema = false
        try session.requireOwnSchema()
        try session.letTriggersWrite()
        let outcome = try SchemaUpgrade.run(in: session.context, path: path)
        session.forgetTransaction()
        return outcome
    }

    /// The upgrade is committed.
    private func noteUpgrade(_ outcome: SchemaUpgrade.Outcome) {
        isUpgraded.withLock { $0 = true }
        guard outcome.oldVersion < SchemaSQL.currentVersion || outcome.repairedRows > 0 else {
            return
        }
        options.logger.info(
            "\(path) was upgraded from schema \(outcome.oldVersion)",
            metadata: [
                "tombstones": "\(outcome.movedTombstones)", "repaired": "\(outcome.repairedRows)",
            ])
        maintenance?.wake()
    }

    private func reading<T>(
        _ session: Session, _ body: (Snapshot) throws -> T
    ) throws -> T {
        let snapshot = try Snapshot(session: session, state: state)
        defer {
            snapshot.end()
            if state.hasPendingIndexes { maintenance?.wake() }
        }
        return try body(snapshot)
    }

    private func write<T>(
        on member: PooledConnection, trustsSchema: Bool = false, _ body: (Transaction) throws -> T
    ) throws -> T {
        let session = try member.session(path)
        try requireHealth()
        guard session.trustsSchema else {
            return try writing(on: member, session, trustsSchema: trustsSchema, body)
        }
        let watch = TriggerWatch(limit: options.mostTriggerOperations)
        return try watch.watching(session) {
            try writing(on: member, session, trustsSchema: true, body)
        }
    }

    private func writing<T>(
        on member: PooledConnection, _ session: Session, trustsSchema: Bool,
        _ body: (Transaction) throws -> T
    ) throws -> T {
        do {
            try session.begin(.writing)
            try requireInPlace()
            let upgrade = try upgradeIfNeeded(session, trustsSchema: trustsSchema)
            let transaction = try Transaction(session: session, state: state)
            defer { transaction.end() }
            if trustsSchema { session.isKnownOwnSchema = true }
            defer { if trustsSchema { session.isKnownOwnSchema = false } }
            // The transaction has found out first whether others have altered the schema.
            try session.letTriggersWrite()
            try transaction.requireWritable()
            let others = try ExternalChanges.found(in: transaction)
            let result = try body(transaction)
            try transaction.finish()
            try member.requireNotCancelled()
            // A statement that is still under way would keep the log from being emptied.
            transaction.endReaders()
            try commit(session)
            transaction.noteCommit()
            reportFailures(session)
            if let upgrade { noteUpgrade(upgrade) }
            publish(transaction, others)
            checkpointPolicy.afterCommit(self, member, session)
            return result
        } catch {
            session.rollback()
            session.forgetTransaction()
            _ = session.failures.take()
            throw error
        }
    }

    /// Tells of the documents that were left out of predictive indexes.
    private func reportFailures(_ session: Session) {
        for failure in session.failures.take() {
            options.logger.warning(
                "\(path): documents are not in the indexes of a model that failed",
                metadata: [
                    "model": "\(failure.model)", "documents": "\(failure.count)",
                    "reason": "\(failure.message)",
                ])
        }
    }

    /// Commits; after a failure the handle gives up, since it is not known what is on the disk.
    private func commit(_ session: Session) throws {
        do {
            try session.commit()
        } catch let error as SQLError {
            let isHarmless = [.busy, .interrupted, .constraint].contains { (code: SQLResultCode) in
                code ~= error.code
            }
            if !isHarmless { giveUp(session, error) }
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
        if transaction.hasSetExpiration || isDue || state.hasPendingIndexes { maintenance?.wake() }
    }
}
