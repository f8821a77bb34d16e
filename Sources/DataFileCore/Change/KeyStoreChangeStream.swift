/// The committed changes of one KeyStore, as an asynchronous sequence.
///
/// ``DataFile/changes(of:since:)`` creates it, and observes the store from then on:
///
/// ```swift
/// for await event in try file.changes(of: people.keyStore) {
///     for change in event.changes { show(change.key, change.kind) }
/// }
/// ```
///
/// Each element has the changes of one or more commits: of this process as soon as they are
/// committed, of other processes within ``DataFileOptions/externalChangeMilliseconds``. A
/// transaction that is rolled back, or that changes nothing, produces no element. The snapshot in
/// which an element is processed may be newer than its changes.
///
/// A stream has one observer: changes committed while it is busy are merged into one event, so that
/// events do not accumulate. Writers never wait for the observer.
///
/// To miss no change over restarts, store the last sequence and begin after it:
///
/// ```swift
/// func follow(from position: Int64) async throws {
///     for await event in try file.changes(of: people.keyStore, since: position) {
///         if !event.isComplete { show("some changes are not listed") }
///         show(event.changes.map(\.key))
///         if let last = event.sequences?.upperBound { show("store", last) }
///     }
/// }
/// ```
///
/// It ends when the task is cancelled or the file is closed. For the results of a query, use
/// ``DataFile/observe(_:_:limits:minimumInterval:)``.
public struct KeyStoreChangeStream: AsyncSequence, Sendable {
    /// The changes committed since the previous element.
    public typealias Element = KeyStoreChanges
    /// It does not throw: closing the file ends the sequence.
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
    ///
    /// It belongs to one task: of two tasks that wait at the same time, the second one gets nil.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription

        fileprivate init(_ subscription: Subscription) {
            self.subscription = subscription
        }

        /// The changes since the last call; waits until there are any.
        ///
        /// ```swift
        /// let stream = try file.changes(of: store)
        /// var iterator = stream.makeAsyncIterator()
        /// let first = await iterator.next()
        /// ```
        ///
        /// - Returns: nil when the file is closed or the task is cancelled.
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

    /// Creates an iterator.
    ///
    /// Several iterators share the elements: each element is received by one of them. To observe a
    /// store twice, call ``DataFile/changes(of:since:)`` twice.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription) }
}
