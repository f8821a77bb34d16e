internal import Synchronization

/// The one connection for writing, used by one thread at a time.
///
/// Unchecked: `session` and `isClosing` are touched only while `lock` is held.
final class WriterSession: @unchecked Sendable {
    private let lock = Mutex(())
    /// The thread that holds the lock, 0 if none does.
    private let owner = Atomic<UInt>(0)
    private var session: Session?
    /// Closed by the one who has the session: it goes when that one gives it back.
    private var isClosing = false
    private let path: String

    init(_ session: Session, path: String) {
        self.session = session
        self.path = path
    }

    /// Lends the session to `body`, after those who came before.
    ///
    /// Throws `.transactionNotClosed` on a thread that has it already, `.notOpen` after `close()`.
    func withSession<T>(_ body: (Session) throws -> T) throws -> T {
        let thread = SystemClock.threadID
        guard owner.load(ordering: .relaxed) != thread else {
            throw StoreError(
                .transactionNotClosed,
                "a write to \(path) inside a write: use the transaction that is open")
        }
        var result: T?
        try lock.withLock { _ in
            owner.store(thread, ordering: .relaxed)
            defer { owner.store(0, ordering: .relaxed) }
            guard let session else { throw StoreError.closed(path) }
            defer { if isClosing { self.session = nil } }
            result = try body(session)
        }
        guard let result else { throw StoreError.closed(path) }
        return result
    }

    /// Closes the connection, after those who are waiting for it; inside a write, at its end.
    func close() {
        if owner.load(ordering: .relaxed) == SystemClock.threadID {
            isClosing = true
            return
        }
        lock.withLock { _ in session = nil }
    }
}
