/// The changes of one KeyStore, as they are committed.
///
/// ```swift
/// for await event in try file.changes(of: KeyStore(.default)) {
///     for change in event.changes { print(change.key) }
/// }
/// ```
/// For one observer: what comes while it is busy is merged into one event, so nothing piles up. It
/// ends when the task is cancelled or the file is closed.
public struct KeyStoreChangeStream: AsyncSequence, Sendable {
    /// What was committed since the last time.
    public typealias Element = KeyStoreChanges
    /// It does not fail.
    public typealias Failure = Never

    private let subscription: Subscription

    init(_ pending: PendingChanges) {
        subscription = Subscription(pending: pending)
    }

    /// Ends with the last copy of the stream.
    fileprivate final class Subscription: Sendable {
        let pending: PendingChanges

        init(pending: PendingChanges) {
            self.pending = pending
        }

        deinit { pending.end() }
    }

    /// Waits for changes.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription

        fileprivate init(_ subscription: Subscription) {
            self.subscription = subscription
        }

        /// What has happened since the last time; nil when the file is closed or the task
        /// cancelled.
        public mutating func next() async -> KeyStoreChanges? {
            await subscription.pending.next()
        }

        /// The same, for `for await` within an actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> KeyStoreChanges? {
            await subscription.pending.next()
        }
    }

    /// An iterator; several take turns.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription) }
}
