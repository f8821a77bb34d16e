internal import Dispatch
public import StorePlatform
public import Synchronization

/// A pool of connections, each lent to one caller at a time. The wait queue is first in, first out.
///
/// What a synchronous call needs is inlinable, so that it is specialized for the connections of
/// each module: a generic caller does not know its result, but the type of its connections.
@usableFromInline
package final class ConnectionPool<Connection: PooledConnection>: Sendable {
    @usableFromInline let state: Locked<State>
    /// The number of threads that hold connections.
    @usableFromInline let heldCount = Atomic(0)
    /// The queue on which connections are opened for tasks, so that this does not block the
    /// threads of the task executor.
    let opening = DispatchQueue(label: "SQLPool opening")
    @usableFromInline let limit: Int
    @usableFromInline let open: @Sendable () throws -> Connection

    @usableFromInline let closedError: any Error

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of connections.
    ///   - first: A connection that is open already.
    ///   - closedError: The error for calls after the pool has been closed.
    ///   - open: Opens a connection.
    package init(
        limit: Int, first: Connection? = nil,
        closedError: any Error = SQLError(code: .misuse, message: "the SQLPool is closed"),
        open: @escaping @Sendable () throws -> Connection
    ) {
        self.limit = limit
        self.open = open
        self.closedError = closedError
        state = Locked(State(first))
    }

    /// The connection that this thread holds; nil if it holds none.
    @inlinable
    package var heldConnection: Connection? {
        // A thread that holds a connection has incremented the count itself, so a count of 0 needs
        // no lock.
        guard heldCount.load(ordering: .relaxed) > 0 else { return nil }
        return state.withLock { $0.connection(of: .current) }
    }

    /// The number of callers in the wait queue, for tests that wait until one is in it.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// The number of idle connections.
    package var idleCount: Int { state.withLock { $0.idle.count } }

    /// Closes idle connections now, and the others when they are released. Callers in the wait
    /// queue receive the error for a closed pool.
    package func close() {
        let (idle, waiting) = state.withLock { state in
            defer {
                state.isClosed = true
                state.idle = []
                state.waiting = []
            }
            return (state.idle, state.waiting)
        }
        for connection in idle { connection.close() }
        for waiter in waiting { waiter.serve(.failure(closedError)) }
    }
}

// The state, which is guarded by the lock.
extension ConnectionPool {
    @usableFromInline
    struct State {
        @usableFromInline var idle: [Connection] = []
        /// The number of connections that are open or being opened.
        @usableFromInline var count = 0
        @usableFromInline var waiting: [Waiter] = []
        /// The connections that run calls of tasks, by the number of the call.
        var running: [UInt64: Connection] = [:]
        /// Calls that were cancelled before they entered the wait queue, or after they left it.
        @usableFromInline var cancelled: Set<UInt64> = []
        /// The threads that hold connections of this pool: at most as many as there are
        /// connections. A linear search of a few words is faster than a hash table, under a lock
        /// that all threads contend for.
        @usableFromInline var holders: [(thread: ThreadID, connection: Connection)] = []
        @usableFromInline var isClosed = false
        var lastNumber: UInt64 = 0

        init(_ first: Connection?) {
            guard let first else { return }
            idle = [first]
            count = 1
        }

        /// The connection that a thread holds.
        @inlinable
        func connection(of thread: ThreadID) -> Connection? {
            holders.first { $0.thread == thread }?.connection
        }

        /// Removes the idle connection that this thread used last, whose pages are likely to be in
        /// the caches of its processor; otherwise the one that was released last.
        @inlinable
        mutating func takeIdle(for thread: ThreadID?) -> Connection? {
            guard let thread,
                let index = idle.lastIndex(where: { $0.pooled.lastThread == thread })
            else { return idle.popLast() }
            return idle.remove(at: index)
        }
    }

    @usableFromInline
    struct Waiter: Sendable {
        @usableFromInline let number: UInt64
        @usableFromInline let serve: @Sendable (Result<Connection?, any Error>) -> Void

        @usableFromInline
        init(
            number: UInt64, serve: @escaping @Sendable (Result<Connection?, any Error>) -> Void
        ) {
            self.number = number
            self.serve = serve
        }
    }

    /// The outcome of a request for a connection.
    @usableFromInline
    enum Acquisition {
        case connection(Connection)
        /// The connection that the thread holds already.
        case held(Connection)
        /// The limit is not reached: the caller opens a connection.
        case mayOpen
        case mustWait
        case failed(any Error)
    }

    @inlinable
    func acquire(
        _ state: inout State, for thread: ThreadID? = nil, orWait waiter: () -> Waiter
    ) -> Acquisition {
        if state.isClosed { return .failed(closedError) }
        if let connection = state.takeIdle(for: thread) { return .connection(connection) }
        if state.count < limit {
            state.count += 1
            return .mayOpen
        }
        let waiter = waiter()
        if state.cancelled.remove(waiter.number) != nil { return .failed(CancellationError()) }
        state.waiting.append(waiter)
        return .mustWait
    }

    @inlinable
    func note(_ connection: Connection, _ thread: ThreadID, _ state: inout State) {
        state.holders.append((thread, connection))
        heldCount.store(state.holders.count, ordering: .relaxed)
    }

    @inlinable
    func forget(_ thread: ThreadID, _ state: inout State) {
        guard let index = state.holders.firstIndex(where: { $0.thread == thread }) else { return }
        state.holders.swapAt(index, state.holders.count - 1)
        state.holders.removeLast()
        heldCount.store(state.holders.count, ordering: .relaxed)
    }
}

// Releasing a connection.
extension ConnectionPool {
    /// What happens to a connection that is released.
    @usableFromInline
    enum Release {
        case passedOn(Waiter)
        case idle
        case closed
        /// It is closed, and another one may be opened in its place.
        case replaced
    }

    /// Passes a connection on to the next caller in the wait queue, or returns it to the pool.
    ///
    /// - Parameter thread: The thread that held it, if it was held by one thread.
    @inlinable
    func release(_ connection: Connection, from thread: ThreadID? = nil) {
        let pooled = connection.pooled
        pooled.end()
        let release = state.withLock { state -> Release in
            if let thread { forget(thread, &state) }
            pooled.lastThread = thread
            if state.isClosed { return .closed }
            guard pooled.isUsable else { return .replaced }
            if !state.waiting.isEmpty { return .passedOn(state.waiting.removeFirst()) }
            state.idle.append(connection)
            return .idle
        }
        if case .idle = release { return }
        finish(release, of: connection)
    }

    @usableFromInline
    func finish(_ release: Release, of connection: Connection) {
        switch release {
        case .passedOn(let waiter): waiter.serve(.success(connection))
        case .idle: break
        case .closed: connection.close()
        case .replaced:
            connection.close()
            makeSpace()
        }
    }

    /// Gives the permission to open a connection to the next caller in the wait queue.
    private func makeSpace() {
        let next = state.withLock { state -> Waiter? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.count -= 1
            return nil
        }
        next?.serve(.success(nil))
    }

    /// Opens a connection that is counted already.
    @usableFromInline
    func openOne() throws -> Connection {
        do {
            return try open()
        } catch {
            makeSpace()
            throw error
        }
    }
}

// Synchronous access.
extension ConnectionPool {
    /// Runs `body` with a connection, for which the thread waits. Afterwards its statements are
    /// reset, and a transaction that is still open is rolled back.
    ///
    /// - Parameter held: Called instead of `body` if the thread holds a connection already. If it
    ///   returns nil, an error is thrown.
    @inlinable @inline(__always)
    package func withPooledConnection<T>(
        held: (Connection) throws -> T? = { _ in nil }, _ body: (Connection) throws -> T
    ) throws -> T {
        let thread = ThreadID.current
        let (connection, isHeld) = try take(thread)
        if isHeld {
            guard let result = try held(connection) else { throw heldError }
            return result
        }
        // Without `defer`, whose code would not be specialized.
        do {
            let result = try connection.pooled.perform { try body(connection) }
            release(connection, from: thread)
            return result
        } catch {
            release(connection, from: thread)
            throw error
        }
    }

    /// Acquires a connection for the thread, unless it holds one already.
    @inlinable
    func take(_ thread: ThreadID) throws -> (Connection, isHeld: Bool) {
        var waiter: ThreadWaiter?
        let acquisition = state.withLock { state -> Acquisition in
            if let held = state.connection(of: thread) { return .held(held) }
            let acquisition = acquire(&state, for: thread) {
                let new = ThreadWaiter()
                waiter = new
                return Waiter(number: 0) { new.serve($0) }
            }
            if case .connection(let connection) = acquisition { note(connection, thread, &state) }
            return acquisition
        }
        switch acquisition {
        case .held(let own): return (own, true)
        case .connection(let idle): return (idle, false)
        case .mayOpen, .mustWait, .failed:
            return (try take(acquisition, waiter, thread), false)
        }
    }

    @usableFromInline
    func take(
        _ acquisition: Acquisition, _ waiter: ThreadWaiter?, _ thread: ThreadID
    ) throws -> Connection {
        if case .failed(let error) = acquisition { throw error }
        let connection = try waiter?.wait() ?? openOne()
        state.withLock { note(connection, thread, &$0) }
        return connection
    }

    /// A thread that holds a connection and waits for one of the same pool can wait for itself.
    @usableFromInline
    var heldError: SQLError {
        SQLError(
            code: .misuse,
            message: "the pool is called within a call of the same pool; use the context of the "
                + "outer call")
    }

    /// Blocks a thread in the wait queue.
    @usableFromInline
    final class ThreadWaiter: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let result = Locked<Result<Connection?, any Error>?>(nil)

        @usableFromInline
        init() {}

        @usableFromInline
        func serve(_ result: Result<Connection?, any Error>) {
            self.result.withLock { $0 = result }
            semaphore.signal()
        }

        /// Waits for a connection; nil if the caller may open one.
        func wait() throws -> Connection? {
            semaphore.wait()
            return try result.withLock { $0 }?.get()
        }
    }
}
