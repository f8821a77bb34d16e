internal import Foundation
internal import Synchronization

/// Standard output, written in large pieces.
enum StandardOutput {
    private static let buffer = Mutex<[UInt8]>([])
    private static let flushSize = 1 << 16

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
