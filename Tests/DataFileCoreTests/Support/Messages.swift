import Logging
import SQLCore

/// Keeps what is logged.
final class Messages: LogHandler, @unchecked Sendable {
    // Unchecked: what is kept is behind a lock, the rest is not changed.

    private let kept = Locked<[(Logger.Level, String)]>([])
    private let details = Locked<[Logger.Metadata]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    /// What was logged at a level.
    func all(_ level: Logger.Level) -> [String] {
        kept.withLock { $0.filter { $0.0 == level }.map(\.1) }
    }

    /// What was logged beside the messages, as texts by their keys.
    var metadataOfAll: [[String: String]] {
        details.withLock { $0.map { $0.mapValues { "\($0)" } } }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        kept.withLock { $0.append((event.level, "\(event.message)")) }
        details.withLock { $0.append(event.metadata ?? [:]) }
    }
}
