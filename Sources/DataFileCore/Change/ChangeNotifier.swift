internal import SQLCore
package import StoreFormat
internal import StorePlatform
internal import Synchronization

/// Notifies observers of changes after each commit.
///
/// Called with the writing connection in use, so that commits are reported in order.
package final class ChangeNotifier: Sendable {
    /// The state of a store when its changes were last reported.
    package struct StorePosition: Sendable, Equatable {
        package var lastSequence: Int64
        package var purgeCount: Int64

        package init(lastSequence: Int64, purgeCount: Int64) {
            self.lastSequence = lastSequence
            self.purgeCount = purgeCount
        }

        /// The state of a store that no longer exists.
        static let gone = StorePosition(lastSequence: -1, purgeCount: -1)

        /// The earlier state of both, up to which all changes are reported in each.
        func earlier(_ other: StorePosition) -> StorePosition {
            StorePosition(
                lastSequence: min(lastSequence, other.lastSequence),
                purgeCount: min(purgeCount, other.purgeCount))
        }
    }

    private struct State {
        var mailboxes: [(id: Int, box: PendingChanges)] = []
        var reported: [KeyStoreName: StorePosition] = [:]
        var lastID = 0
        /// The latest observer whose store was compared with the file.
        var comparedID = 0
        var isClosed = false
        var onFirst: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let hasObservers = Atomic(false)

    /// Whether there are observers.
    @inline(__always)
    var isObserved: Bool { hasObservers.load(ordering: .relaxed) }

    /// The observed stores with their last reported states, and the latest observer.
    var reported: (stores: [KeyStoreName: StorePosition], observer: Int) {
        state.withLock { ($0.reported, $0.lastID) }
    }

    /// Whether there is a new observer whose snapshot may be older than the last reported state:
    /// commits in between can only be found by comparing with the file.
    var needsComparison: Bool { state.withLock { $0.comparedID < $0.lastID } }

    /// The latest observer whose store was compared with the file.
    var comparedObserver: Int { state.withLock { $0.comparedID } }

    /// Records that a commit could not be reported, so that the file must be compared.
    func requireComparison() {
        state.withLock { $0.comparedID = -1 }
    }

    /// Calls `body` when the first observer subscribes.
    func onFirstObserver(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onFirst = body }
    }

    /// Adds an observer of a store whose current state is given.
    ///
    /// - Parameter wake: called when changes are pending, which are then retrieved with `take()`;
    ///   nil if a task waits for them.
    package func subscribe(
        _ store: KeyStoreName, _ reported: StorePosition, catchUp: KeyStoreChanges?,
        wake: (@Sendable () -> Void)? = nil
    ) -> PendingChanges {
        let (box, isFirst) = state.withLock { state -> (PendingChanges, (@Sendable () -> Void)?) in
            state.lastID += 1
            let id = state.lastID
            let box = PendingChanges(store, pending: catchUp, wake: wake) { [weak self] in
                self?.remove(id)
            }
            guard !state.isClosed else {
                box.finish()
                return (box, nil)
            }
            state.reported[store] = state.reported[store].map { $0.earlier(reported) } ?? reported
            let isFirst = state.mailboxes.isEmpty
            state.mailboxes.append((id, box))
            hasObservers.store(true, ordering: .relaxed)
            return (box, isFirst ? state.onFirst : nil)
        }
        isFirst?()
        return box
    }

    private func remove(_ id: Int) {
        state.withLock { state in
            state.mailboxes.removeAll { $0.id == id }
            let stores = Set(state.mailboxes.map(\.box.store))
            state.reported = state.reported.filter { stores.contains($0.key) }
            hasObservers.store(!state.mailboxes.isEmpty, ordering: .relaxed)
        }
    }

    /// Reports committed changes and the new states of the stores.
    func publish(_ found: FoundChanges) {
        let mailboxes = state.withLock { state in
            // Observers that subscribed since then still have to be compared.
            if found.observer == state.lastID {
                for (store, reported) in found.reported where state.reported[store] != nil {
                    state.reported[store] = reported
                }
            }
            state.comparedID = max(state.comparedID, found.observer)
            return state.mailboxes.map(\.box)
        }
        for box in mailboxes {
            if let changes = found.changes[box.store] { box.add(changes) }
        }
    }

    /// Notifies those observers that need all changes of a transaction that started before there
    /// were observers: its changes without a new sequence were not recorded.
    func notifyOfUnrecorded() {
        let boxes = state.withLock { $0.mailboxes.map(\.box) }
        for box in boxes where box.needsAll {
            var changes = KeyStoreChanges(box.store)
            changes.addUnnamed()
            box.add(changes)
        }
    }

    /// Ends all subscriptions; new ones end immediately.
    func close() {
        let boxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes.map(\.box)
        }
        for box in boxes { box.finish() }
    }
}

/// The pending changes of one observer. They are merged until the observer takes them, so that they
/// never need more memory than one event.
package final class PendingChanges: Sendable {
    private struct State {
        var pending: KeyStoreChanges?
        var waiter: CheckedContinuation<KeyStoreChanges?, Never>?
        var isFinished = false
    }

    let store: KeyStoreName
    private let state: Locked<State>
    private let wake: (@Sendable () -> Void)?
    private let onEnd: @Sendable () -> Void

    init(
        _ store: KeyStoreName, pending: KeyStoreChanges?, wake: (@Sendable () -> Void)?,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.wake = wake
        self.onEnd = onEnd
        state = Locked(State(pending: pending))
    }

    /// Adds changes, or passes them to the observer that waits for them.
    func add(_ changes: KeyStoreChanges) {
        let waiter = state.withLock { state -> CheckedContinuation<KeyStoreChanges?, Never>? in
            guard !state.isFinished else { return nil }
            if let waiter = state.waiter {
                state.waiter = nil
                return waiter
            }
            if state.pending == nil {
                state.pending = changes
            } else {
                state.pending?.add(changes)
            }
            return nil
        }
        waiter?.resume(returning: changes)
        wake?()
    }

    /// Whether the observer needs to be notified of all changes.
    var needsAll: Bool { wake != nil }

    /// Whether no more changes follow.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    /// The changes since the last call; nil if there are none.
    package func take() -> KeyStoreChanges? {
        state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
    }

    /// Ends the subscription after the pending changes.
    func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<KeyStoreChanges?, Never>? in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
        wake?()
    }

    /// Unsubscribes.
    package func end() {
        onEnd()
        finish()
    }

    /// The changes since the last call; nil at the end.
    func next() async -> KeyStoreChanges? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> KeyStoreChanges?? in
                    if let pending = state.pending {
                        state.pending = nil
                        return .some(pending)
                    }
                    // Two waiters for the same changes: the first one gets nil.
                    guard !state.isFinished, state.waiter == nil else { return .some(nil) }
                    state.waiter = continuation
                    return .none
                }
                if case .some(let changes) = answer { continuation.resume(returning: changes) }
            }
        } onCancel: {
            finish()
        }
    }
}
