import Dispatch
internal import StorePlatform
internal import Synchronization

/// Connections that are given to one caller at a time, first come, first served.
package final class ConnectionPool: Sendable {
    private struct State {
        var idle: [PooledConnection] = []
        /// Connections that there are, or that are being opened.
        var count = 0
        var waiting: [Waiter] = []
        /// What is under way for tasks.
        var running: [UInt64: PooledConnection] = [:]
        /// Calls that were cancelled before they came to stand in line, or on their way from there.
        var cancelled: Set<UInt64> = []
        /// The threads on which connections of this line are at work.
        var threads = HeldConnections()
        var isClosed = false
        var lastNumber: UInt64 = 0

        /// The connection that this thread had last, whose pages are still in the caches of its
        /// processor; otherwise the one that came back last.
        mutating func takeIdle(for thread: ThreadID?) -> PooledConnection? {
            guard let thread, let place = idle.lastIndex(where: { $0.lastThread == thread })
            else { return idle.popLast() }
            return idle.remove(at: place)
        }
    }

    private struct Waiter: Sendable {
        let number: UInt64
        let serve: @Sendable (Result<PooledConnection?, any Error>) -> Void
    }

    /// What somebody gets who asks.
    private enum Answer {
        case member(PooledConnection)
        /// The one that the thread has already.
        case held(PooledConnection)
        /// There is space for one more.
        case mayOpen
        case mustWait
        case failed(any Error)
    }

    private let state: Locked<State>
    /// How many threads have connections.
    private let heldCount = Atomic(0)
    /// Not the shared queue, whose threads are those of tasks.
    private let opening = DispatchQueue(label: "SQLPool opening")
    private let limit: Int
    private let open: @Sendable () throws -> PooledConnection

    private let closedError: any Error

    /// - Parameters:
    ///   - first: a connection that is there already.
    ///   - closedError: what those get who come when it has been closed.
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

    /// The connection that this thread has got already, nil if it has none.
    package var heldConnection: PooledConnection? {
        // Whoever has one has counted itself; the lock is for the others.
        guard heldCount.load(ordering: .relaxed) > 0 else { return nil }
        return state.withLock { $0.threads[.current] }
    }

    /// The number of callers in the wait queue, for tests that must not go on before one waits.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How many connections wait for callers.
    package var idleCount: Int { state.withLock { $0.idle.count } }

    /// Idle connections are closed now, others when they come back.
    package func close() {
        let (idle, waiting) = state.withLock { state in
            defer {
                state.isClosed = true
                state.idle = []
                state.waiting = []
            }
            return (state.idle, state.waiting)
        }
        for member in idle { member.close() }
        for waiter in waiting { waiter.serve(.failure(closedError)) }
    }

    /// What becomes of a connection that comes back.
    private enum Fate {
        case handedOn(Waiter)
        case kept
        case closed
        /// It is closed, and somebody may open another one.
        case replaced
    }

    /// Puts a connection back, or hands it on.
    ///
    /// - Parameter thread: the one that had it, if it was kept to one.
    private func giveBack(_ member: PooledConnection, from thread: ThreadID? = nil) {
        member.end()
        let fate = state.withLock { state -> Fate in
            if let thread { forget(thread, &state) }
            member.lastThread = thread
            if state.isClosed { return .closed }
            guard member.isUsable else { return .replaced }
            if !state.waiting.isEmpty { return .handedOn(state.waiting.removeFirst()) }
            state.idle.append(member)
            return .kept
        }
        switch fate {
        case .handedOn(let waiter): waiter.serve(.success(member))
        case .kept: break
        case .closed: member.close()
        case .replaced:
            member.close()
            makeSpace()
        }
    }

    /// Lets somebody else open a connection for which there is space.
    private func makeSpace() {
        let next = state.withLock { state -> Waiter? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.count -= 1
            return nil
        }
        next?.serve(.success(nil))
    }

    /// Opens the connection for which there is space.
    private func openOne() throws -> PooledConnection {
        do {
            return try open()
        } catch {
            makeSpace()
            throw error
        }
    }

    private func ask(
        _ state: inout State, for thread: ThreadID? = nil, orWait waiter: () -> Waiter
    ) -> Answer {
        if state.isClosed { return .failed(closedError) }
        if let member = state.takeIdle(for: thread) { return .member(member) }
        if state.count < limit {
            state.count += 1
            return .mayOpen
        }
        let waiter = waiter()
        if state.cancelled.remove(waiter.number) != nil { return .failed(CancellationError()) }
        state.waiting.append(waiter)
        return .mustWait
    }

    /// Runs `body`, which does not wait for this line.
    private func onThisThread<T>(_ member: PooledConnection, _ body: () throws -> T) rethrows -> T {
        let thread = ThreadID.current
        state.withLock { note(member, thread, &$0) }
        defer { state.withLock { forget(thread, &$0) } }
        return try body()
    }

    private func note(_ member: PooledConnection, _ thread: ThreadID, _ state: inout State) {
        state.threads.add(member, of: thread)
        heldCount.store(state.threads.count, ordering: .relaxed)
    }

    private func forget(_ thread: ThreadID, _ state: inout State) {
        state.threads.remove(thread)
        heldCount.store(state.threads.count, ordering: .relaxed)
    }

    /// A thread that has a connection and waits for one of the same line might wait for itself.
    private static var heldError: SQLError {
        SQLError(
            code: .misuse,
            message: "a call of the pool inside another one; use the context that it gave")
    }
}

// For threads.
extension ConnectionPool {
    /// Runs `body` with a connection, for which the thread waits.
    ///
    /// - Parameter held: what is done instead with the connection that the thread has already; if
    ///   that gives nil, an error is thrown.
    package func withPooledConnection<T>(
        held: (PooledConnection) throws -> T? = { _ in nil }, _ body: (PooledConnection) throws -> T
    ) throws -> T {
        let thread = ThreadID.current
        switch try take(thread) {
        case .held(let member):
            guard let result = try held(member) else { throw Self.heldError }
            return result
        case .taken(let member):
            defer { giveBack(member, from: thread) }
            return try body(member)
        }
    }

    private enum Taking {
        case held(PooledConnection)
        case taken(PooledConnection)
    }

    /// Takes a connection, and notes that the thread has it, unless it has one already.
    private func take(_ thread: ThreadID) throws -> Taking {
        var box: Served?
        let answer = state.withLock { state -> Answer in
            if let held = state.threads[thread] { return .held(held) }
            let answer = ask(&state, for: thread) {
                let served = Served()
                box = served
                return Waiter(number: 0) { served.serve($0) }
            }
            if case .member(let member) = answer { note(member, thread, &state) }
            return answer
        }
        let member: PooledConnection
        switch answer {
        case .held(let own): return .held(own)
        case .member(let idle): return .taken(idle)
        case .mayOpen: member = try openOne()
        case .failed(let error): throw error
        case .mustWait: member = try box?.wait() ?? openOne()
        }
        state.withLock { note(member, thread, &$0) }
        return .taken(member)
    }

    /// What a thread waits for.
    private final class Served: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let result = Locked<Result<PooledConnection?, any Error>?>(nil)

        func serve(_ result: Result<PooledConnection?, any Error>) {
            self.result.withLock { $0 = result }
            semaphore.signal()
        }

        /// Nil if it may open a connection.
        func wait() throws -> PooledConnection? {
            semaphore.wait()
            return try result.withLock { $0 }?.get()
        }
    }
}

// For tasks. From the moment it is asked for until it is given back a connection passes through
// threads of its own only: tasks may all wait for it, and hold every thread that tasks run on.
extension ConnectionPool {
    /// Runs `body` on a connection's own thread; while the task waits, nothing is blocked.
    package func withPooledConnection<T: Sendable>(
        _ body: @escaping @Sendable (PooledConnection) throws -> T
    ) async throws -> T {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        // Cancelled when it had ended already.
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

    /// What a task wants to be done.
    private struct TaskCall<T: Sendable>: Sendable {
        let number: UInt64
        let body: @Sendable (PooledConnection) throws -> T
        let continuation: CheckedContinuation<T, any Error>
    }

    private func request<T>(_ call: TaskCall<T>) {
        let answer = state.withLock { state in
            ask(&state) { Waiter(number: call.number) { self.serve($0, to: call) } }
        }
        switch answer {
        case .member(let member), .held(let member): run(call, on: member)
        case .mayOpen: openOne(for: call)
        case .failed(let error): call.continuation.resume(throwing: error)
        case .mustWait: break
        }
    }

    private func serve<T>(_ result: Result<PooledConnection?, any Error>, to call: TaskCall<T>) {
        switch result {
        case .success(let member?): run(call, on: member)
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

    private func run<T>(_ call: TaskCall<T>, on member: PooledConnection) {
        let isCancelled = state.withLock { state in
            if state.cancelled.remove(call.number) != nil { return true }
            member.begin(call.number)
            state.running[call.number] = member
            return false
        }
        member.queue.async {
            let result = Result {
                if isCancelled { throw CancellationError() }
                return try self.onThisThread(member) { try member.perform(call.body) }
            }
            self.state.withLock { _ = $0.running.removeValue(forKey: call.number) }
            self.giveBack(member)
            call.continuation.resume(with: result)
        }
    }

    /// A task that is cancelled waits no longer, and what is done for it ends.
    private func cancel(_ number: UInt64) {
        let (waiter, member) = state.withLock { state -> (Waiter?, PooledConnection?) in
            if let member = state.running[number] { return (nil, member) }
            guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return (nil, nil)
            }
            return (state.waiting.remove(at: place), nil)
        }
        member?.cancel(number)
        waiter?.serve(.failure(CancellationError()))
    }
}
