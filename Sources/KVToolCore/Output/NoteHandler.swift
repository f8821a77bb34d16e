package import Logging

/// Where the engine's warnings go: a line `kvtool: note: …` on standard error each. What it says
/// besides is nothing that anybody has asked for.
package struct NoteHandler: LogHandler {
    package var logLevel = Logger.Level.warning
    package var metadata: Logger.Metadata = [:]

    /// The logger for databases that a command opens.
    static var logger: Logger { Logger(label: "kvtool") { _ in NoteHandler() } }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { StandardError.write(text(event)) }

    /// The words of a message, with what was said besides in the order of its names.
    func text(_ event: LogEvent) -> String {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let rest = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let end = rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))"
        return "note: \(event.message)\(end)"
    }
}
