package import DocumentStore
package import Logging
package import SQLCore
internal import SQLPlus
internal import Synchronization

/// Standard error: one line a message.
package final class StandardError: ContextValue {
    private struct State {
        /// The databases that the command works on.
        var subjects: [String] = []
        var isJSON = false
        /// Whether a person types the commands, who is told in words whatever form the rows have.
        var isForPerson = false
        /// Whether a line with progress stands there, which a message must not follow.
        var hasProgress = false
    }

    /// The stream.
    package let descriptor: Int32
    private let state = Mutex(State())

    package convenience init() { self.init(System.standardError) }

    package init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether a person is reading along.
    package var isTerminal: Bool { System.isTerminal(descriptor) }

    /// Whether messages are JSON objects, as for the program that reads the rows.
    package var isJSON: Bool {
        get { state.withLock { $0.isJSON && !$0.isForPerson } }
        set { state.withLock { $0.isJSON = newValue } }
    }

    /// From now on messages are words.
    package func setForPerson() { state.withLock { $0.isForPerson = true } }

    /// From now on messages about the database name this file, and those added before.
    package func addSubject(_ path: String) {
        state.withLock { if !$0.subjects.contains(path) { $0.subjects.append(path) } }
    }

    /// Messages name no file any more.
    package func forgetSubjects() { state.withLock { $0.subjects = [] } }

    /// Writes `kvtool: message`, in one line whatever is in it; as JSON
    /// `{"error":{"status":3,"message":"…"}}`, or `{"warning":…}` for what ends nothing.
    package func write(_ message: String, status: ExitStatus? = nil) {
        guard isJSON else { return writeLine("kvtool: \(Text.line(message))") }
        var inner = JSONObject()
        inner.add("status", status?.rawValue)
        inner.add("message", message)
        var object = JSONObject()
        object.add(status == nil ? "warning" : "error", inner.finished())
        // It means the same, whoever looks at it.
        writeLine(escaped(object.finished().string))
    }

    /// The same about something in the database, which the message then names.
    package func writeAboutSubject(_ message: String, status: ExitStatus? = nil) {
        let subjects = state.withLock { $0.subjects }
        // One that begins with a path says itself which file it is about.
        let isNamed = message.hasPrefix("/") || subjects.contains { message.contains($0) }
        let start = isNamed || subjects.isEmpty ? "" : subjects.joined(separator: ", ") + ": "
        write(start + message, status: status)
    }

    /// Writes text of the tool's own as it is.
    package func writeUnprefixed(_ text: String) { writeLine(escaped(text)) }

    /// Writes a question, behind which the answer is typed.
    func writePrompt(_ text: String) { writeRaw(escaped(text)) }

    private func escaped(_ text: String) -> String {
        let bytes = Array(text.utf8).withUnsafeBytes {
            Text.escapingMarks($0, keepsColours: true)
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// Shows text in place of the progress that is shown, without a line's end.
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
        // Where nobody can be told, the exit status still tells.
        text.withUTF8 { try? System.write(descriptor, UnsafeRawBufferPointer($0)) }
    }
}

extension StoreError {
    /// What the engine advises a program that has the file open.
    private static let adviceForPrograms = "close it and open it again"

    /// Other advice of the engine, and the command that follows it.
    private static let commands = [
        ("or salvage it", "or save what is left with kvtool repair"),
        ("verify the file and fix it", "kvtool verify --fix makes it again"),
        ("or open the file with trustsSchema", "or say --trust-schema"),
        ("open it with its key", "give its key with --key-file FILE"),
    ]

    /// What an encrypted file has said, if that is the reason.
    package var encryption: EncryptionError? { underlying as? EncryptionError }

    /// Whether a new key brings a salt, and the file has another one.
    package var isAboutSalt: Bool { encryption == .otherSalt }

    /// Whether the file would have to be upgraded first.
    package var isAboutOlderSchema: Bool {
        has(.cannotUpgradeDatabase) && message.contains(", older than ")
    }

    /// The message, with advice for a person at the command line.
    package var messageForPeople: String {
        guard encryption != .wrongKeyOrNotADatabase else {
            return message + "; give another key with --key-file FILE. What the Enterprise Edition "
                + "of Couchbase Lite has encrypted cannot be opened here"
        }
        return Self.forPeople(message, isUnwritten: has(.notWriteable))
    }

    /// What the engine says, with advice for a person at the command line.
    static func forPeople(_ message: String, isUnwritten: Bool = false) -> String {
        for (advice, command) in commands where message.hasSuffix(advice) {
            return message.dropLast(advice.count) + command
        }
        guard message.hasSuffix(adviceForPrograms) else { return message }
        let advice =
            isUnwritten
            ? "see with kvtool verify whether it is whole, then try again" : "run the command again"
        return message.dropLast(adviceForPrograms.count) + advice
    }
}

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

    package func log(event: LogEvent) { StandardError.current.write(text(event)) }

    /// The words of a message, with what was said besides in the order of its names.
    func text(_ event: LogEvent) -> String {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        let rest = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let end = rest.isEmpty ? "" : " (\(rest.joined(separator: ", ")))"
        return "note: \(event.message)\(end)"
    }
}
