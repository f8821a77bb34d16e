internal import KVToolCore
internal import Replication

/// Errors of replication as those of the tool.
enum SyncFailure {
    /// Runs `body`, and converts its errors.
    static func converting<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as ReplicationError {
            throw toolError(error)
        }
    }

    static func toolError(_ error: ReplicationError) -> ToolError {
        ToolError(error.message, status: status(of: error.code))
    }

    private static func status(of code: ReplicationError.Code) -> ExitStatus {
        switch code {
        case .unreachable, .unauthorized, .incompatible: .cannotOpen
        case .alreadyRunning: .conflict
        case .badRemoteData: .damaged
        case .remoteFailure: .failure
        case .invalidParameter: .usage
        }
    }
}
