internal import Foundation
internal import Synchronization

/// Standard error: one line a message.
enum StandardError {
    /// The database that the command works on.
    private static let subject = Mutex<String?>(nil)

    /// Whether a person is reading along.
    static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

    /// From now on messages about the database name this file.
    static func setSubject(_ path: String) {
        subject.withLock { $0 = path }
    }

    /// Writes `kvtool: message`, in one line whatever is in it.
    static func write(_ message: String) {
        writeRaw("kvtool: \(Text.line(message))\n")
    }

    /// The same about something in the database, which the message then names.
    static func writeAboutSubject(_ message: String) {
        let subject = subject.withLock { $0 }
        write(subject.flatMap { message.contains($0) ? nil : "\($0): \(message)" } ?? message)
    }

    /// Writes text of the tool's own as it is.
    static func writeUnprefixed(_ text: String) {
        writeRaw(text + "\n")
    }

    /// Writes text without a line's end.
    static func writeRaw(_ text: String) {
        // Where nobody can be told, the exit status still tells.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
