internal import SQLCore
package import StoreFormat
internal import StorePlatform
internal import Synchronization

/// Passes changes on to those who want to hear of them, after each commit.
///
/// Used by whoever has the writing connection, so that commits are told of in their order.
package final class ChangeNotifier: Sendable {
    /// How far a store was when its changes were told the last time.
    package struct Known: Sendable, Equatable {
        package var lastSequence: Int64
        package var purgeCount: Int64

        package init(lastSequence: Int64, purgeCount: Int64) {
            self.lastSequence = lastSequence
            self.purgeCount = purgeCount
        }

        /// That of a store that is not there any more.
        static let gone = Known(lastSequence: -1, purgeCount: -1)

        /// From where on both have heard of everything.
        func earlier(_ other: Known) -> Known {
            Known(
                lastSequence: min(lastSequence, other.lastSequence),
                purgeCount: min(purgeCount, other.purgeCount))
        }
    }

    private struct State {
        var mailboxes: [(id: Int, box: PendingChanges)] = []
        var known: [KeyStoreName: Known] = [:]
        var lastID = 0
        /// The latest observer whose store was compared with the file.
        var comparedID = 0
        var isClosed = false
        var onFirst: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let hasObservers = Atomic(false)

    /// Whether anybody wants to hear of changes.
    @inline(__always)
    var isObserved: Bool { hasObservers.load(ordering: .relaxed) }

    /// The stores that are observed, how far they were, and the latest observer.
    var known: (stores: [KeyStoreName: Known], observer: Int) {
        state.withLock { ($0.known, $0.lastID) }
    }

    /// Whether an observer has come whose snapshot may be older than what was told before: what was
    /// committed in between can be found only by looking at the file.
    var isBehind: Bool { state.withLock { $0.comparedID < $0.lastID } }

    /// The latest observer whose store was compared with the file.
    var comparedObserver: Int { state.withLock { $0.comparedID } }

    /// What was committed could not be told: the file is to be looked at.
    func fallBehind() {
        state.withLock { $0.comparedID = -1 }
    }

    /// Calls `body` when there is a first observer.
    func onFirstObserver(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.onFirst = body }
    }

    /// A new mailbox for a store, which was so far at this moment.
    ///
    /// - Parameter wake: called when there is something in the mailbox, which is then taken from
    ///   there; nil if somebody waits for it.
    package func subscribe(
        _ store: KeyStoreName, _ known: Known, catchUp: KeyStoreChanges?,
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
            state.known[store] = state.known[store].map { $0.earlier(known) } ?? known
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
            state.known = state.known.filter { stores.contains($0.key) }
            hasObservers.store(!state.mailboxes.isEmpty, ordering: .relaxed)
        }
    }

    /// Tells what was committed, and how far the stores are now.
    func publish(_ found: FoundChanges) {
        let mailboxes = state.withLock { state in
            // Nothing is known for sure of an observer who has come since.
            if found.observer == state.lastID {
                for (store, known) in found.known where state.known[store] != nil {
                    state.known[store] = known
                }
            }
            state.comparedID = max(state.comparedID, found.observer)
            return state.mailboxes.map(\.box)
        }
        for box in mailboxes {
            if let changes = found.changes[box.store] { box.add(changes) }
        }
    }

    /// A transaction was committed that had begun before there were observers: what it did without
    /// a new sequence is not known. Tells that to those who have to know of everything.
    func notifyOfUnrecorded() {
        let boxes = state.withLock { $0.mailboxes.map(\.box) }
        for box in boxes where box.needsAll {
            var changes = KeyStoreChanges(box.store)
            changes.addUnnamed()
            box.add(changes)
        }
    }

    /// Ends all mailboxes; new ones are ended at once.
    func close() {
        let boxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes.map(\.box)
        }
        for box in boxes { box.finish() }
    }
}

/// Changes that wait for one observer. While it is busy they are merged, so that they never take
/// more space than one event.
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

    /// Adds changes, or hands them to the observer who waits for them.
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

    /// Whether its observer has to know of everything.
    var needsAll: Bool { wake != nil }

    /// Whether no more comes.
    package var isFinished: Bool { state.withLock { $0.isFinished } }

    /// What has happened since the last time; nil for nothing.
    package func take() -> KeyStoreChanges? {
        state.withLock { state in
            defer { state.pending = nil }
            return state.pending
        }
    }

    /// No more comes.
    func finish() {
        let waiter = state.withLock { state -> CheckedContinuation<KeyStoreChanges?, Never>? in
            state.isFinished = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
        wake?()
    }

    /// The observer goes.
    package func end() {
        onEnd()
        finish()
    }

    /// What has happened since the last time; nil at the end.
    func next() async -> KeyStoreChanges? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> KeyStoreChanges?? in
                    if let pending = state.pending {
                        state.pending = nil
                        return .some(pending)
                    }
                    // Two that wait for the same mailbox: the first gets nothing more.
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
