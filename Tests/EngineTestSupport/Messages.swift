package import Logging
internal import SQLCore
internal import StorePlatform

/// Stores the logged messages.
package final class Messages: LogHandler, @unchecked Sendable {
    // Unchecked: the messages are protected by a lock, the rest is not changed.

    private let kept = Locked<[(Logger.Level, String)]>([])
    private let details = Locked<[Logger.Metadata]>([])
    package var metadata: Logger.Metadata = [:]
    package var logLevel = Logger.Level.trace

    package init() {}

    /// The messages that were logged at a level.
    package func all(_ level: Logger.Level) -> [String] {
        kept.withLock { $0.filter { $0.0 == level }.map(\.1) }
    }

    /// The metadata of all messages, as strings by key.
    package var metadataOfAll: [[String: String]] {
        details.withLock { $0.map { $0.mapValues { "\($0)" } } }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        kept.withLock { $0.append((event.level, "\(event.message)")) }
        details.withLock { $0.append(event.metadata ?? [:]) }
    }
}
