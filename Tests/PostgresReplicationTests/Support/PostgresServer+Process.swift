import Foundation
import ProjectTestSupport
import ReplicationTestSupport

extension PostgresServer {
    /// Runs SQL on a thread of its own, for what waits for others: there may be only two threads of
    /// tasks.
    func run(_ sql: String) async throws -> [String] {
        try await Blocking.run { try self.sql(sql) }
    }

    /// Stops the process that accepts connections, until it is resumed.
    func pause() throws { kill(try process(), SIGSTOP) }

    func resume() throws { kill(try process(), SIGCONT) }

    private func process() throws -> Int32 {
        let lines = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
        guard let id = lines.split(separator: "\n").first.flatMap({ Int32($0) }) else {
            throw Failure(message: "the server does not run")
        }
        return id
    }
}
