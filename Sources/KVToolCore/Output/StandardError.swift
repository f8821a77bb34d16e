package import DocumentStore
package import Logging
package import SQLCore
internal import SQLPlus
internal import Synchronization

/// Standard error: one line per message.
package final class StandardError: ContextValue {
    private struct State {
        /// The databases that the command works on.
        var subjects: [String] = []
        var isJSON = false
        /// Whether the user enters commands interactively and gets plain messages in any format.
        var isForPerson = false
        /// Whether the current line shows progress, which must be cleared before a message.
        var hasProgress = false
    }

    /// The stream; -1 for another destination.
    package let descriptor: Int32
    private let destination: (any OutputSink)?
    private let state = Mutex(State())

    package convenience init() { self.init(System.standardError) }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
        destination = nil
    }

    package init(_ destination: any OutputSink) {
        descriptor = -1
        self.destination = destination
    }

    /// Whether the stream is a terminal.
    package var isTerminal: Bool { System.isTerminal(descriptor) }

    /// Whether messages are JSON objects, like the rows.
    package var isJSON: Bool {
        get { state.withLock { $0.isJSON && !$0.isForPerson } }
        set { state.withLock { $0.isJSON = newValue } }
    }

    /// Makes all further messages plain text.
    package func setForPerson() { state.withLock { $0.isForPerson = true } }

    /// Adds a database to those that messages name.
    package func addSubject(_ path: String) {
        state.withLock { if !$0.subjects.contains(path) { $0.subjects.append(path) } }
    }

    /// Removes all databases that messages name.
    package func forgetSubjects() { state.withLock { $0.subjects = [] } }

    /// Writes `kvtool: message`, on one line; as JSON `{"error":{"status":3,"message":"…"}}`, or
    /// `{"warning":…}` if the command continues.
    package func write(_ message: String, status: ExitStatus? = nil) {
        guard isJSON else { return writeLine("kvtool: \(Text.line(message))") }
        // The escaped JSON is equivalent.
        writeLine(escaped(Self.object(message, status).string))
    }

    /// A message as JSON.
    package static func object(_ message: String, _ status: ExitStatus?) -> JSONText {
        var inner = JSONObject()
        inner.add("status", status?.rawValue)
        inner.add("message", message)
        var object = JSONObject()
        object.add(status == nil ? "warning" : "error", inner.finished())
        return object.finished()
    }

    /// Writes a message about something in the database, and adds the path of the database.
    package func writeAboutSubject(_ message: String, status: ExitStatus? = nil) {
        let subjects = state.withLock { $0.subjects }
        // A message that begins with a path already names its file.
        let isNamed = message.hasPrefix("/") || subjects.contains { message.contains($0) }
        let start = isNamed || subjects.isEmpty ? "" : subjects.joined(separator: ", ") + ": "
        write(start + message, status: status)
    }

    /// Writes the tool's own text without a prefix.
    package func writeUnprefixed(_ text: String) { writeLine(escaped(text)) }

    /// Writes a prompt, after which the user types.
    func writePrompt(_ text: String) { writeRaw(escaped(text)) }

    private func escaped(_ text: String) -> String {
        let bytes = Array(text.utf8).withUnsafeBytes {
            Text.escapingMarks($0, keepsColours: true)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Shows a progress line in place of the previous one, without a line ending.
    func showProgress(_ text: String) {
        state.withLock { $0.hasProgress = !text.isEmpty }
        writeRaw("\r\(text)\u{1B}[K")
    }

    private func writeLine(_ text: String) {
        let clearing = state.withLock { state in
            defer { state.hasProgress = false }
            return state.hasProgress ? "\r\u{1B}[K" : ""
        }
        writeRaw(clearing + text + "\n")
    }

    private func writeRaw(_ text: String) {
        var text = text
        // If the message cannot be written, only the exit status remains.
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            if let destination { return try? destination.write(bytes) }
            try? System.write(descriptor, bytes)
        }
    }
}

extension StoreError {
    /// The engine's advice for programs that have the file open.
    private static let adviceForPrograms = "close it and open it again"

    /// Other advice of the engine, and the corresponding command.
    private static let commands = [
        ("or recover it", "or recover it with kvtool recover"),
        ("verify the file and fix it", "kvtool verify --fix rebuilds it"),
        ("or open the file with trustsSchema", "or use --trust-schema"),
        ("open it with its key", "specify its key with --key-file FILE"),
    ]

    /// The encryption error, if that is the cause.
    package var encryption: EncryptionError? { underlying as? EncryptionError }

    /// Whether the new key has a different salt than the file.
    package var isAboutSalt: Bool { encryption == .otherSalt }

    /// Whether the file must be upgraded first.
    package var isAboutOlderSchema: Bool {
        has(.cannotUpgradeDatabase) && message.contains(", older than ")
    }

    /// The message, with advice for command-line users.
    package var messageForPeople: String {
        guard encryption != .wrongKeyOrNotADatabase else {
            return message + "; specify another key with --key-file FILE. Databases encrypted by "
                + "Couchbase Lite Enterprise Edition are not supported"
        }
        return Self.forPeople(message, isUnwritten: has(.notWriteable))
    }

    /// Replaces the engine's advice by advice for command-line users.
    static func forPeople(_ message: String, isUnwritten: Bool = false) -> String {
        for (advice, command) in commands where message.hasSuffix(advice) {
            return message.dropLast(advice.count) + command
        }
        guard message.hasSuffix(adviceForPrograms) else { return message }
        let advice =
            isUnwritten
            ? "check it with kvtool verify, then try again" : "run the command again"
        return message.dropLast(adviceForPrograms.count) + advice
    }
}

/// A log handler that writes the engine's warnings to standard error, as lines `kvtool: note: …`.
/// Messages of lower levels are discarded.
package struct NoteHandler: LogHandler {
    package var logLevel = Logger.Level.warning
    package var metadata: Logger.Metadata = [:]

    /// The logger for databases that a command opens.
    static var logger: Logger { Logger(label: "kvtool") { _ in NoteHandler() } }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) { StandardError.current.write(text(event)) }

    /// The text of a message, with its metadata sorted by name.
    func text(_ event: LogEvent) -> String {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let rest = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let end = rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))"
        return "note: \(event.message)\(end)"
    }
}
