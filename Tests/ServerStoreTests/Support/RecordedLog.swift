import Logging
import Synchronization

/// A log handler that records its entries.
final class RecordedLog: LogHandler {
    struct Entry: Sendable {
        let level: Logger.Level
        let message: String
    }

    private let recorded = Mutex<[Entry]>([])

    /// The recorded entries, in order.
    var entries: [Entry] { recorded.withLock { $0 } }

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
        recorded.withLock { $0.append(Entry(level: event.level, message: "\(event.message)")) }
    }
}
