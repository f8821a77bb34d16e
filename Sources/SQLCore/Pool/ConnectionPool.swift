import Dispatch
internal import StorePlatform
internal import Synchronization

/// A pool of connections, each lent to one caller at a time. The wait queue is first in, first out.
package final class ConnectionPool: Sendable {
    private struct State {
        var idle: [PooledConnection] = []
        /// The number of connections that are open or being opened.
        var count = 0
        var waiting: [Waiter] = []
        /// The connections that run calls of tasks, by the number of the call.
        var running: [UInt64: PooledConnection] = [:]
        /// Calls that were cancelled before they entered the wait queue, or after they left it.
        var cancelled: Set<UInt64> = []
        /// The threads that hold connections of this pool.
        var threads = HeldConnections()
        var isClosed = false
        var lastNumber: UInt64 = 0

        /// Removes the idle connection that this thread used last, whose pages are likely to be in
        /// the caches of its processor; otherwise the one that was released last.
        mutating func takeIdle(for thread: ThreadID?) -> PooledConnection? {
            guard let thread, let index = idle.lastIndex(where: { $0.lastThread == thread })
            else { return idle.popLast() }
            return idle.remove(at: index)
        }
    }

    private struct Waiter: Sendable {
        let number: UInt64
        let serve: @Sendable (Result<PooledConnection?, any Error>) -> Void
    }

    /// The outcome of a request for a connection.
    private enum Acquisition {
        case connection(PooledConnection)
        /// The connection that the thread holds already.
        case held(PooledConnection)
        /// The limit is not reached: the caller opens a connection.
        case mayOpen
        case mustWait
        case failed(any Error)
    }

    private let state: Locked<State>
    /// The number of threads that hold connections.
    private let heldCount = Atomic(0)
    /// The queue on which connections are opened for tasks, so that this does not block the
    /// threads of the task executor.
    private let opening = DispatchQueue(label: "SQLPool opening")
    private let limit: Int
    private let open: @Sendable () throws -> PooledConnection

    private let closedError: any Error

    /// Creates a pool.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of connections.
    ///   - first: A connection that is open already.
    ///   - closedError: The error for calls after the pool has been closed.
    ///   - open: Opens a connection.
    package init(
        limit: Int, first: PooledConnection? = nil,
        closedError: any Error = SQLError(code: .misuse, message: "the SQLPool is closed"),
        open: @escaping @Sendable () throws -> PooledConnection
    ) {
        self.limit = limit
        self.open = open
        self.closedError = closedError
        state = Locked(State(idle: first.map { [$0] } ?? [], count: first == nil ? 0 : 1))
    }

    /// The connection that this thread holds; nil if it holds none.
    package var heldConnection: PooledConnection? {
        // A thread that holds a connection has incremented the count itself, so a count of 0 needs
        // no lock.
        guard heldCount.load(ordering: .relaxed) > 0 else { return nil }
        return state.withLock { $0.threads[.current] }
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

    /// What happens to a connection that is released.
    private enum Release {
        case passedOn(Waiter)
        case idle
        case closed
        /// It is closed, and another one may be opened in its place.
        case replaced
    }

    /// Passes a connection on to the next caller in the wait queue, or returns it to the pool.
    ///
    /// - Parameter thread: The thread that held it, if it was held by one thread.
    private func release(_ connection: PooledConnection, from thread: ThreadID? = nil) {
        connection.end()
        let release = state.withLock { state -> Release in
            if let thread { forget(thread, &state) }
            connection.lastThread = thread
            if state.isClosed { return .closed }
            guard connection.isUsable else { return .replaced }
            if !state.waiting.isEmpty { return .passedOn(state.waiting.removeFirst()) }
            state.idle.append(connection)
            return .idle
        }
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
    private func openOne() throws -> PooledConnection {
        do {
            return try open()
        } catch {
            makeSpace()
            throw error
        }
    }

    private func acquire(
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

    /// Runs `body`, during which the thread holds the connection.
    private func onThisThread<T>(
        _ connection: PooledConnection, _ body: () throws -> T
    ) rethrows -> T {
        let thread = ThreadID.current
        state.withLock { note(connection, thread, &$0) }
        defer { state.withLock { forget(thread, &$0) } }
        return try body()
    }

    private func note(_ connection: PooledConnection, _ thread: ThreadID, _ state: inout State) {
        state.threads.add(connection, of: thread)
        heldCount.store(state.threads.count, ordering: .relaxed)
    }

    private func forget(_ thread: ThreadID, _ state: inout State) {
        state.threads.remove(thread)
        heldCount.store(state.threads.count, ordering: .relaxed)
    }

    /// A thread that holds a connection and waits for one of the same pool can wait for itself.
    private static var heldError: SQLError {
        SQLError(
            code: .misuse,
            message: "the pool is called within a call of the same pool; use the context of the "
                + "outer call")
    }
}

// Synchronous access.
extension ConnectionPool {
    /// Runs `body` with a connection, for which the thread waits.
    ///
    /// - Parameter held: Called instead of `body` if the thread holds a connection already. If it
    ///   returns nil, an error is thrown.
    package func withPooledConnection<T>(
        held: (PooledConnection) throws -> T? = { _ in nil }, _ body: (PooledConnection) throws -> T
    ) throws -> T {
        let thread = ThreadID.current
        switch try take(thread) {
        case .held(let connection):
            guard let result = try held(connection) else { throw Self.heldError }
            return result
        case .taken(let connection):
            defer { release(connection, from: thread) }
            return try body(connection)
        }
    }

    private enum Taking {
        case held(PooledConnection)
        case taken(PooledConnection)
    }

    /// Acquires a connection for the thread, unless it holds one already.
    private func take(_ thread: ThreadID) throws -> Taking {
        var waiter: ThreadWaiter?
        let acquisition = state.withLock { state -> Acquisition in
            if let held = state.threads[thread] { return .held(held) }
            let acquisition = acquire(&state, for: thread) {
                let new = ThreadWaiter()
                waiter = new
                return Waiter(number: 0) { new.serve($0) }
            }
            if case .connection(let connection) = acquisition { note(connection, thread, &state) }
            return acquisition
        }
        let connection: PooledConnection
        switch acquisition {
        case .held(let own): return .held(own)
        case .connection(let idle): return .taken(idle)
        case .mayOpen: connection = try openOne()
        case .failed(let error): throw error
        case .mustWait: connection = try waiter?.wait() ?? openOne()
        }
        state.withLock { note(connection, thread, &$0) }
        return .taken(connection)
    }

    /// Blocks a thread in the wait queue.
    private final class ThreadWaiter: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let result = Locked<Result<PooledConnection?, any Error>?>(nil)

        func serve(_ result: Result<PooledConnection?, any Error>) {
            self.result.withLock { $0 = result }
            semaphore.signal()
        }

        /// Waits for a connection; nil if the caller may open one.
        func wait() throws -> PooledConnection? {
            semaphore.wait()
            return try result.withLock { $0 }?.get()
        }
    }
}

// Asynchronous access. From its acquisition to its release a connection is handled only on threads
// of its own queue: the tasks that wait for it can occupy all threads of the task executor.
extension ConnectionPool {
    /// Runs `body` on the queue of a connection. A waiting task does not block a thread.
    package func withPooledConnection<T: Sendable>(
        _ body: @escaping @Sendable (PooledConnection) throws -> T
    ) async throws -> T {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        // The call can be cancelled after its end.
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                request(TaskCall(number: number, body: body, continuation: continuation))
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// A call of a task.
    private struct TaskCall<T: Sendable>: Sendable {
        let number: UInt64
        let body: @Sendable (PooledConnection) throws -> T
        let continuation: CheckedContinuation<T, any Error>
    }

    private func request<T>(_ call: TaskCall<T>) {
        let acquisition = state.withLock { state in
            acquire(&state) { Waiter(number: call.number) { self.serve($0, to: call) } }
        }
        switch acquisition {
        case .connection(let connection), .held(let connection): run(call, on: connection)
        case .mayOpen: openOne(for: call)
        case .failed(let error): call.continuation.resume(throwing: error)
        case .mustWait: break
        }
    }

    private func serve<T>(_ result: Result<PooledConnection?, any Error>, to call: TaskCall<T>) {
        switch result {
        case .success(let connection?): run(call, on: connection)
        case .success(nil): openOne(for: call)
        case .failure(let error): call.continuation.resume(throwing: error)
        }
    }

    private func openOne<T>(for call: TaskCall<T>) {
        opening.async {
            do {
                self.run(call, on: try self.openOne())
            } catch {
                call.continuation.resume(throwing: error)
            }
        }
    }

    private func run<T>(_ call: TaskCall<T>, on connection: PooledConnection) {
        let isCancelled = state.withLock { state in
            if state.cancelled.remove(call.number) != nil { return true }
            connection.begin(call.number)
            state.running[call.number] = connection
            return false
        }
        connection.queue.async {
            let result = Result {
                if isCancelled { throw CancellationError() }
                return try self.onThisThread(connection) { try connection.perform(call.body) }
            }
            self.state.withLock { _ = $0.running.removeValue(forKey: call.number) }
            self.release(connection)
            call.continuation.resume(with: result)
        }
    }

    /// Removes a cancelled call from the wait queue, or interrupts it if it runs.
    private func cancel(_ number: UInt64) {
        let (waiter, connection) = state.withLock { state -> (Waiter?, PooledConnection?) in
            if let connection = state.running[number] { return (nil, connection) }
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return (nil, nil)
            }
            return (state.waiting.remove(at: index), nil)
        }
        connection?.cancel(number)
        waiter?.serve(.failure(CancellationError()))
    }
}
