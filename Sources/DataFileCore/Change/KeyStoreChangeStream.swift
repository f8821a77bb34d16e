/// The committed changes of one KeyStore, as an asynchronous sequence.
///
/// ```swift
/// for await event in try file.changes(of: KeyStore(.default)) {
///     for change in event.changes { print(change.key) }
/// }
/// ```
/// A stream has one observer: changes committed while it is busy are merged into one event, so that
/// events do not accumulate. It ends when the task is cancelled or the file is closed.
public struct KeyStoreChangeStream: AsyncSequence, Sendable {
    /// The changes committed since the previous element.
    public typealias Element = KeyStoreChanges
    /// It does not throw.
    public typealias Failure = Never

    private let subscription: Subscription

    init(_ pending: PendingChanges) {
        subscription = Subscription(pending: pending)
    }

    /// Unsubscribes when the last copy of the stream is released.
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

        /// The changes since the last call; nil when the file is closed or the task is cancelled.
        public mutating func next() async -> KeyStoreChanges? {
            await subscription.pending.next()
        }

        /// The same for `for await` on an actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> KeyStoreChanges? {
            await subscription.pending.next()
        }
    }

    /// Creates an iterator; several iterators share the elements.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription) }
}
