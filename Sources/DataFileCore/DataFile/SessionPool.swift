internal import SQLCore
internal import Synchronization

/// Connections for reading that wait for the next reader.
final class SessionPool: Sendable {
    /// A session in the pool. Unchecked: the lock hands it to one thread at a time.
    private struct Idle: @unchecked Sendable {
        let session: Session
    }

    private enum State {
        case open([Idle])
        case closed
    }

    private let state = Mutex(State.open([]))
    private let path: String
    private let open: @Sendable () throws -> SQLContext

    init(path: String, open: @escaping @Sendable () throws -> SQLContext) {
        self.path = path
        self.open = open
    }

    /// Lends a session to `body`.
    func withSession<T>(_ body: (Session) throws -> T) throws -> T {
        let idle = try take() ?? Idle(session: Session(context: open(), path: path))
        defer { giveBack(idle) }
        return try body(idle.session)
    }

    /// Closes all sessions; one that is lent out closes when it comes back.
    func close() {
        let closing = state.withLock { state -> [Idle] in
            guard case .open(let idle) = state else { return [] }
            state = .closed
            return idle
        }
        // They close as they go, outside the lock.
        _ = consume closing
    }

    private func take() throws -> Idle? {
        try state.withLock { state in
            guard case .open(var idle) = state else { throw StoreError.closed(path) }
            let taken = idle.popLast()
            state = .open(idle)
            return taken
        }
    }

    private func giveBack(_ idle: Idle) {
        state.withLock { state in
            if case .open(let others) = state { state = .open(others + [idle]) }
        }
    }
}

extension StoreError {
    /// The error of a handle that was closed.
    static func closed(_ path: String) -> StoreError {
        StoreError(.notOpen, "\(path) has been closed")
    }
}
