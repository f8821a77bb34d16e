import Logging
import Synchronization

/// Keeps what is logged.
final class RecordedWAL: LogHandler {
    struct Entry: Sendable {
        let level: Logger.Level
        let message: String
    }

    private let kept = Mutex<[Entry]>([])

    /// What was logged, in order.
    var entries: [Entry] { kept.withLock { $0 } }

    var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }

    func log(event: LogEvent) {
        kept.withLock { $0.append(Entry(level: event.level, message: "\(event.message)")) }
    }
}
