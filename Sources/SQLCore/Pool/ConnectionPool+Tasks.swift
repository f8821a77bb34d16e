internal import Dispatch
internal import StorePlatform

// Asynchronous access. From its acquisition to its release a connection is handled only on threads
// of its own queue: the tasks that wait for it can occupy all threads of the task executor.
extension ConnectionPool {
    /// Runs `body` on the queue of a connection. A waiting task does not block a thread.
    package func withPooledConnection<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
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
        let body: @Sendable (Connection) throws -> T
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

    private func serve<T>(_ result: Result<Connection?, any Error>, to call: TaskCall<T>) {
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

    /// Runs `body`, during which the thread holds the connection.
    private func onThisThread<T>(
        _ connection: Connection, _ body: () throws -> T
    ) rethrows -> T {
        let thread = ThreadID.current
        state.withLock { note(connection, thread, &$0) }
        defer { state.withLock { forget(thread, &$0) } }
        return try body()
    }

    private func run<T>(_ call: TaskCall<T>, on connection: Connection) {
        let isCancelled = state.withLock { state in
            if state.cancelled.remove(call.number) != nil { return true }
            connection.pooled.begin(call.number)
            state.running[call.number] = connection
            return false
        }
        connection.pooled.queue.async {
            let result = Result {
                if isCancelled { throw CancellationError() }
                return try self.onThisThread(connection) {
                    try connection.pooled.perform { try call.body(connection) }
                }
            }
            self.state.withLock { _ = $0.running.removeValue(forKey: call.number) }
            self.release(connection)
            call.continuation.resume(with: result)
        }
    }

    /// Removes a cancelled call from the wait queue, or interrupts it if it runs.
    private func cancel(_ number: UInt64) {
        let (waiter, connection) = state.withLock { state -> (Waiter?, Connection?) in
            if let connection = state.running[number] { return (nil, connection) }
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return (nil, nil)
            }
            return (state.waiting.remove(at: index), nil)
        }
        connection?.pooled.cancel(number)
        waiter?.serve(.failure(CancellationError()))
    }
}
