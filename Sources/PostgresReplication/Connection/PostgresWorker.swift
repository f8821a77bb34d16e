internal import Dispatch
internal import Replication
internal import StorePlatform

/// A connection and the queue that uses it. Waiting for the server blocks no task.
final class PostgresWorker: Sendable {
    private let queue = DispatchQueue(label: "document-store.postgres")
    private let wake = WakePipe()
    /// Used on the queue.
    private nonisolated(unsafe) var connection: PostgresConnection?
    private let hosts: [PostgresHost]
    private let answerSeconds: Double?

    /// - Parameters:
    ///   - hosts: those to try in turn.
    ///   - answerSeconds: how long the server may be silent during a statement; nil for any time.
    init(_ hosts: [PostgresHost], answerSeconds: Double?) {
        self.hosts = hosts
        self.answerSeconds = answerSeconds
    }

    /// Connects with the first host that accepts it.
    func connect() async throws {
        try await perform { interruption in
            var problems: [String] = []
            for host in self.hosts {
                do {
                    self.connection = try PostgresConnection(
                        host, answerSeconds: self.answerSeconds, self.wake, interruption)
                    return
                } catch let error as ReplicationError where error.code == .unreachable {
                    problems.append(error.message)
                }
            }
            throw ReplicationError(.unreachable, problems.joined(separator: "; "))
        }
    }

    /// Runs `body` on the queue. Cancelling the task ends the current statement.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        try await perform { interruption in
            guard let connection = self.connection else {
                throw ReplicationError(.unreachable, "the session is closed")
            }
            connection.interruption = interruption
            defer { connection.interruption = nil }
            return try body(connection)
        }
    }

    /// Closes the connection.
    func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.connection = nil
                continuation.resume()
            }
        }
    }

    private func perform<T: Sendable>(
        _ body: @escaping @Sendable (Interruption) throws -> T
    ) async throws -> T {
        let interruption = Interruption(wake)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try body(interruption) }) }
            }
        } onCancel: {
            interruption.request()
        }
    }
}
