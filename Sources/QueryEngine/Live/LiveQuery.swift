internal import DataFileCore
internal import SQLCore
internal import StorePlatform

/// A query that is kept up to date for all observers with the same parameters.
///
/// One task reads; observers take the newest result when they are ready, so no results queue up.
/// The live query ends when its last observer leaves, when the file closes, or with an error.
final class LiveQuery: Sendable {
    /// What observers must have in common to share a live query.
    struct Key: Hashable {
        let file: ObjectIdentifier
        let query: Query
        let parameters: QueryParameters
        let limits: QueryLimits
        let minimumInterval: Duration
    }

    /// A result for an observer, and the one that it received before.
    struct Delivery: Sendable {
        let version: LiveVersion
        let previous: LiveVersion?
    }

    typealias Waiter = CheckedContinuation<Delivery?, any Error>

    fileprivate struct Observer {
        var delivered: LiveVersion?
        /// The first refresh whose result is not older than the observer.
        let firstRefresh: Int
        var waiter: Waiter?
    }

    fileprivate struct State {
        var observers: [Int: Observer] = [:]
        var lastObserver = 0
        var version: LiveVersion?
        /// The number of refreshes that have started, and of those that have finished.
        var started = 0
        var done = 0
        /// A change was reported.
        var isDue = false
        /// An observer has joined; it does not wait for the interval.
        var isUrgent = false
        /// The earliest time of the next refresh.
        var nextRefresh: ContinuousClock.Instant?
        var end: Result<Void, any Error>?
        /// The reading task's continuation while the task waits.
        var idle: CheckedContinuation<Void, Never>?
        var sleeper: Task<Void, Never>?
        var task: Task<Void, Never>?
    }

    let key: Key
    let reader: LiveReader
    private let state = Locked(State())
    private let onEnd: @Sendable (LiveQuery) -> Void

    init(_ key: Key, _ file: SharedFile, onEnd: @escaping @Sendable (LiveQuery) -> Void) {
        self.key = key
        self.onEnd = onEnd
        reader = LiveReader(file, key.query, key.parameters, key.limits)
    }
}

// Observers.
extension LiveQuery {
    /// Adds an observer, whose first result is no older than this call; nil if the query has ended.
    func join() -> Int? {
        let id = state.withLock { state -> Int? in
            guard state.end == nil else { return nil }
            state.lastObserver += 1
            state.observers[state.lastObserver] = Observer(firstRefresh: state.started + 1)
            state.isUrgent = true
            if state.task == nil { state.task = Task { await self.run() } }
            return state.lastObserver
        }
        wakeUp()
        return id
    }

    /// Removes an observer; without observers the query ends.
    func leave(_ id: Int) {
        let (waiter, isLast) = state.withLock { state in
            let observer = state.observers.removeValue(forKey: id)
            return (observer?.waiter, state.observers.isEmpty)
        }
        if isLast { finish(.success(())) }
        waiter?.resume(returning: nil)
    }

    /// Waits for a result that the observer has not received yet; nil at the end.
    func next(_ id: Int) async throws -> Delivery? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                let answer = state.withLock { state -> Result<Delivery?, any Error>? in
                    guard let observer = state.observers[id], observer.waiter == nil else {
                        return .success(nil)
                    }
                    if let delivery = state.deliver(id) { return .success(delivery) }
                    if let end = state.end { return end.map { nil } }
                    state.observers[id]?.waiter = waiter
                    return nil
                }
                if let answer { waiter.resume(with: answer) }
            }
        } onCancel: {
            leave(id)
        }
    }
}

extension LiveQuery.State {
    /// The result that is available to an observer.
    fileprivate mutating func deliver(_ id: Int) -> LiveQuery.Delivery? {
        guard let observer = observers[id], let version, done >= observer.firstRefresh,
            version !== observer.delivered
        else { return nil }
        observers[id]?.delivered = version
        return LiveQuery.Delivery(version: version, previous: observer.delivered)
    }
}

// The task that reads.
extension LiveQuery {
    private func run() async {
        defer { reader.end() }
        do {
            try await reader.subscribe { [weak self] in self?.noteChange() }
            while let isFresh = await nextRefresh() {
                let version = try await reader.refresh(isFresh: isFresh)
                if reader.hasMore { noteChange() }
                publish(version)
            }
            finish(.success(()))
        } catch {
            let isClosed = reader.isClosed && state.withLock { $0.version != nil }
            finish(isClosed ? .success(()) : .failure(error))
        }
    }

    /// Called by the writer after each commit that changes a collection of the query.
    private func noteChange() {
        state.withLock { $0.isDue = true }
        wakeUp()
    }

    private func wakeUp() {
        let (idle, sleeper) = state.withLock { state in
            defer { state.idle = nil }
            return (state.idle, state.isUrgent || state.end != nil ? state.sleeper : nil)
        }
        idle?.resume()
        sleeper?.cancel()
    }

    private enum Step {
        case end, wait
        case sleep(Duration)
        case refresh(isFresh: Bool)
    }

    /// Waits for something to read; nil at the end.
    private func nextRefresh() async -> Bool? {
        while true {
            switch step() {
            case .end: return nil
            case .refresh(let isFresh): return isFresh
            case .sleep(let rest): await sleep(rest)
            case .wait:
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        let isReady = state.isDue || state.isUrgent || state.end != nil
                        if !isReady { state.idle = continuation }
                        return isReady
                    }
                    if isReady { continuation.resume() }
                }
            }
        }
    }

    private func step() -> Step {
        let isClosed = reader.isClosed
        return state.withLock { state in
            if state.end != nil || isClosed { return .end }
            if !state.isUrgent {
                guard state.isDue else { return .wait }
                let rest = state.nextRefresh.map { ContinuousClock.now.duration(to: $0) } ?? .zero
                if rest > .zero { return .sleep(rest) }
            }
            defer { (state.isDue, state.isUrgent) = (false, false) }
            state.started += 1
            return .refresh(isFresh: state.isUrgent)
        }
    }

    /// Sleeps until the time has passed or an urgent request arrives.
    private func sleep(_ rest: Duration) async {
        let sleeper = Task { _ = try? await Task.sleep(for: rest) }
        let isAwake = state.withLock { state in
            state.sleeper = sleeper
            return state.isUrgent || state.end != nil
        }
        if isAwake { sleeper.cancel() }
        await sleeper.value
        state.withLock { $0.sleeper = nil }
    }

    private func publish(_ version: LiveVersion?) {
        let deliveries = state.withLock { state -> [(Waiter, Delivery)] in
            state.done = state.started
            if let version {
                state.version = version
                if key.minimumInterval > .zero {
                    state.nextRefresh = ContinuousClock.now.advanced(by: key.minimumInterval)
                }
            }
            return state.observers.compactMap { id, observer in
                guard let waiter = observer.waiter, let delivery = state.deliver(id) else {
                    return nil
                }
                state.observers[id]?.waiter = nil
                return (waiter, delivery)
            }
        }
        for (waiter, delivery) in deliveries { waiter.resume(returning: delivery) }
    }

    private func finish(_ end: Result<Void, any Error>) {
        let (isFirst, waiters, task) = state.withLock { state in
            guard state.end == nil else { return (false, [Waiter](), nil as Task<Void, Never>?) }
            state.end = end
            let waiters = state.observers.values.compactMap(\.waiter)
            for id in state.observers.keys { state.observers[id]?.waiter = nil }
            defer { state.task = nil }
            return (true, waiters, state.task)
        }
        guard isFirst else { return }
        onEnd(self)
        for waiter in waiters { waiter.resume(with: end.map { nil }) }
        reader.end()
        task?.cancel()
        wakeUp()
    }
}
