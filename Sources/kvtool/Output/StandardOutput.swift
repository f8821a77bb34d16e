internal import Foundation
internal import Synchronization

/// Standard output, written in large pieces.
enum StandardOutput {
    private static let buffer = Mutex<[UInt8]>([])
    private static let flushSize = 1 << 16

    /// Whether a person is reading along.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) != 0 }

    /// Appends text.
    static func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Appends UTF-8.
    static func write(_ bytes: [UInt8]) throws {
        let full = buffer.withLock { buffer -> [UInt8] in
            buffer += bytes
            guard buffer.count >= flushSize else { return [] }
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        try writeAll(full)
    }

    /// Writes what is left.
    static func flush() throws {
        let rest = buffer.withLock { buffer -> [UInt8] in
            defer { buffer = [] }
            return buffer
        }
        try writeAll(rest)
    }

    private static func writeAll(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            throw ToolError("standard output cannot be written: \(error.localizedDescription)")
        }
    }
}

/// Standard error: one line a message.
enum StandardError {
    /// Whether a person is reading along.
    static var isTerminal: Bool { isatty(STDERR_FILENO) != 0 }

    /// Writes `kvtool: message`.
    static func write(_ message: String) {
        writeUnprefixed("kvtool: \(message)")
    }

    /// Writes a line as it is.
    static func writeUnprefixed(_ line: String) {
        writeRaw(line + "\n")
    }

    /// Writes text without a line's end.
    static func writeRaw(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
