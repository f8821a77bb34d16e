internal import Dispatch
internal import Logging
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Does in the background what is found to be done: purges what has expired, makes the indexes that
/// readers missed, moves tombstones of older files.
///
/// It uses the writing connection, in small steps, so that it is never the last one to have the
/// file open, and no writer waits long.
final class BackgroundMaintenance: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var isStopped = false
        var isDue = false
    }

    /// The longest time without a look at the clock, which may have been set.
    private static let longestWait = 60_000
    /// A handle that is opened for a moment is left alone.
    private static let firstWait = 250

    private let queue = DispatchQueue(label: "DataFileCore.housekeeping", qos: .utility)
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

    /// Looks what is to be done, soon.
    func wake() {
        state.withLock { state in
            guard !state.isDue else { return }
            state.isDue = true
            state.timer?.schedule(deadline: .now())
        }
    }

    /// Ends it for good.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Waits for what is under way.
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
            // Another process has the lock, the file cannot be written to, or it was closed: there
            // is nothing here that cannot wait.
            file.options.logger.debug("maintenance of \(file.path): \(error)")
        }
        state.withLock { state in
            let delay = state.isDue ? 0 : max(wait, 1)
            state.timer?.schedule(deadline: .now() + .milliseconds(delay))
        }
    }
}

extension SharedFile {
    /// Does a step of what is to be done; returns whether that was all.
    ///
    /// A file that is not written to otherwise is left alone but for records that have expired.
    func runMaintenance() throws -> Bool {
        let due = analysis.withLock { $0.takeDue() }
        if !due.isEmpty { try withWriterContext { try Optimization.analyze(due, $0) } }
        let now = state.now()
        let needed: (purge: Bool, move: Bool)? = try readOnWriter { snapshot in
            guard try snapshot.session().context.schemaVersion() == SchemaSQL.currentVersion else {
                return nil
            }
            return (
                try snapshot.nextExpiration().map { $0 <= now } ?? false,
                try snapshot.hasUnmovedTombstones()
            )
        }
        let wanted = state.takePending()
        // An older file is left as it is: a write would upgrade it.
        guard let needed else { return true }
        // Each in a transaction of its own: where one cannot be done the others are.
        var isFinished = true
        if needed.purge {
            let count = try writeBriefly { try $0.purgeExpired(at: now, limit: Self.rowsPerStep) }
            isFinished = count < Self.rowsPerStep
        }
        for index in wanted { try make(index) }
        if needed.move {
            let hasMoved = try writeBriefly { try $0.moveTombstones(rows: Self.rowsPerStep) }
            isFinished = hasMoved && isFinished
        }
        return isFinished && !analysis.withLock { $0.isDue }
    }

    /// Makes an index that a reader has missed; one that cannot be made is given up.
    private func make(_ wanted: PendingIndexBuild) throws {
        do {
            let outcomes = try writeBriefly { transaction in
                try transaction.session().storeTables(wanted.store)?
                    .make(wanted.kind, in: transaction) ?? []
            }
            if !outcomes.allSatisfy({ $0 == .created || $0 == .existing }) { state.giveUp(wanted) }
            if outcomes.contains(.created) {
                analysis.withLock { $0.noteNewIndex(on: wanted.store) }
            }
        } catch {
            // With a lock of another process it is tried again with the next reader.
            if let error = error as? SQLError, .busy ~= error.code { throw error }
            state.giveUp(wanted)
            throw error
        }
    }

    /// How many milliseconds there are to the next expiration.
    func timeToNextExpiration(atMost longest: Int) throws -> Int {
        let next = try readOnWriter { snapshot -> Int64? in
            // Nothing is purged from an older file before it is upgraded.
            guard try snapshot.session().context.schemaVersion() == SchemaSQL.currentVersion else {
                return nil
            }
            return try snapshot.nextExpiration()
        }
        guard let next else { return longest }
        let (left, isTooFar) = next.subtractingReportingOverflow(state.now())
        if isTooFar { return next < 0 ? 0 : longest }
        return Int(min(max(left, 0), Int64(longest)))
    }

    /// As many as do not keep a writer waiting for long.
    private static let rowsPerStep = 1000
}

extension Transaction {
    /// Purges records of all stores whose time has come.
    ///
    /// - Parameters:
    ///   - milliseconds: the time that it is, since 1970; nil for now.
    ///   - limit: the most records that are purged.
    /// - Returns: how many were purged.
    @discardableResult
    public func purgeExpired(at milliseconds: Int64? = nil, limit: Int = .max) throws -> Int {
        var count = 0
        for name in try keyStoreNames() where count < limit {
            guard try session().isStore(name) else { continue }
            count += try KeyStore(name).purgeExpired(
                at: milliseconds, limit: limit - count, in: self)
        }
        return count
    }
}
