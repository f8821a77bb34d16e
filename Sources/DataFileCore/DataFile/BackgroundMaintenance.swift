internal import Dispatch
internal import Logging
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Maintains the file in the background: purges expired records, creates the lazy indexes that
/// readers requested, moves tombstones of older files, indexes the vectors of many changes.
///
/// It uses the writing connection in small steps, so that it is never the last to have the file
/// open, and writers do not wait long.
final class BackgroundMaintenance: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var isStopped = false
        var isDue = false
    }

    /// The maximum wait in milliseconds, since the clock may be set meanwhile.
    private static let longestWait = 60_000
    /// The wait before the first run: a handle that is open only briefly does no maintenance.
    private static let firstWait = 250

    private let queue = DispatchQueue(label: "DataFileCore.maintenance", qos: .utility)
    private let state = Locked(State())

    func start(_ file: SharedFile) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self, weak file] in
            guard let self, let file else { return }
            run(file)
        }
        timer.schedule(deadline: .now() + .milliseconds(Self.firstWait))
        state.withLock { state in
            if !state.isStopped { state.timer = timer }
        }
        timer.activate()
    }

    /// Schedules a run soon.
    func wake() {
        state.withLock { state in
            guard !state.isDue else { return }
            state.isDue = true
            state.timer?.schedule(deadline: .now())
        }
    }

    /// Stops permanently.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Waits for a run in progress.
    func wait() {
        queue.sync {}
    }

    private func run(_ file: SharedFile) {
        state.withLock { $0.isDue = false }
        var wait = Self.longestWait
        do {
            let isFinished = try file.runMaintenance()
            wait = isFinished ? try file.timeToNextExpiration(atMost: wait) : 0
        } catch {
            // Another process holds the lock, the file is not writable, or it was closed. All of
            // the work can wait.
            file.options.logger.debug("maintenance of \(file.path): \(error)")
        }
        state.withLock { state in
            let delay = state.isDue ? 0 : max(wait, 1)
            state.timer?.schedule(deadline: .now() + .milliseconds(delay))
        }
    }
}

extension SharedFile {
    /// Runs one step; returns whether no work is left.
    ///
    /// In a file that is not written to otherwise, it only purges expired records.
    func runMaintenance() throws -> Bool {
        let due = analysis.withLock { $0.takeDue() }
        if !due.isEmpty { try withWriterContext { try Optimization.analyze(due, $0) } }
        let now = state.now()
        let needed: (purge: Bool, move: Bool, vectors: Bool)? = try readOnWriter { snapshot in
            guard try snapshot.connection().context.schemaVersion() == SchemaSQL.currentVersion
            else {
                return nil
            }
            return (
                try snapshot.nextExpiration().map { $0 <= now } ?? false,
                try snapshot.hasUnmovedTombstones(), try snapshot.hasUnindexedVectors()
            )
        }
        let pending = state.takePending()
        // Do not touch an older file: a write would upgrade it.
        guard let needed else { return true }
        // One transaction each, so that a failure does not affect the others.
        var isFinished = true
        if needed.purge {
            let count = try writeBriefly { try $0.purgeExpired(at: now, limit: Self.rowsPerStep) }
            isFinished = count < Self.rowsPerStep
        }
        for index in pending { try create(index) }
        if needed.move {
            let hasMoved = try writeBriefly { try $0.moveTombstones(rows: Self.rowsPerStep) }
            isFinished = hasMoved && isFinished
        }
        if needed.vectors {
            let limit = Transaction.vectorsOfStep
            let count = try writeBriefly { try $0.updateVectorIndexes(limit: limit) }
            isFinished = count < limit && isFinished
        }
        return isFinished && !analysis.withLock { $0.isDue }
    }

    /// Creates an index that a reader has requested, or cancels the request if that fails.
    private func create(_ pending: PendingIndexBuild) throws {
        do {
            let outcomes = try writeBriefly { transaction in
                try transaction.connection().storeTables(pending.store)?
                    .create(pending.kind, in: transaction) ?? []
            }
            if !outcomes.allSatisfy({ $0 == .created || $0 == .existing }) {
                state.cancelRequest(pending)
            }
            if outcomes.contains(.created) {
                analysis.withLock { $0.noteNewIndex(on: pending.store) }
            }
        } catch {
            // If another process holds the lock, the next reader requests the index again.
            if let error = error as? SQLError, .busy ~= error.code { throw error }
            state.cancelRequest(pending)
            throw error
        }
    }

    /// The number of milliseconds until the next expiration.
    func timeToNextExpiration(atMost longest: Int) throws -> Int {
        let next = try readOnWriter { snapshot -> Int64? in
            // Do not purge from an older file before it is upgraded.
            guard try snapshot.connection().context.schemaVersion() == SchemaSQL.currentVersion
            else {
                return nil
            }
            return try snapshot.nextExpiration()
        }
        guard let next else { return longest }
        let (left, isTooFar) = next.subtractingReportingOverflow(state.now())
        if isTooFar { return next < 0 ? 0 : longest }
        return Int(min(max(left, 0), Int64(longest)))
    }

    /// Few enough that a writer does not wait long.
    private static let rowsPerStep = 1000
}

extension Transaction {
    /// Purges expired records of all stores.
    ///
    /// Maintenance does it by itself while the file is open for writing. Call it if
    /// ``DataFileOptions/maintenance`` is off, or to be sure that nothing expired is read:
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     try transaction.purgeExpired()
    ///     show(try people.count(in: transaction).live)
    /// }
    /// ```
    ///
    /// Purged records leave no tombstone, and the purge is not replicated. Uses the index on
    /// expirations, so it only reads records that have expired.
    ///
    /// - Parameters:
    ///   - milliseconds: the current time in milliseconds since 1970; nil (default) for the system
    ///     clock.
    ///   - limit: the maximum number of records to purge; no limit by default.
    /// - Returns: how many were purged.
    /// - Throws: ``StoreError/Code/notInTransaction`` after the transaction's end; another
    ///   ``StoreError`` if a store cannot be written.
    @discardableResult
    public func purgeExpired(at milliseconds: Int64? = nil, limit: Int = .max) throws -> Int {
        var count = 0
        for name in try keyStoreNames() where count < limit {
            guard try connection().isStore(name) else { continue }
            count += try KeyStore(name).purgeExpired(
                at: milliseconds, limit: limit - count, in: self)
        }
        return count
    }
}
