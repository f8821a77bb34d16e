internal import FleeceLite
internal import KVToolCore
internal import Synchronization

/// What a command writes to standard error. Only the end is kept, so that a command with many
/// warnings waits for no one.
final class CommandErrors: OutputSink, Sendable {
    private static let maximumBytes = 1 << 16

    private let bytes = Mutex<[UInt8]>([])

    /// Called on the thread of the command.
    func write(_ part: UnsafeRawBufferPointer) {
        bytes.withLock { bytes in
            bytes += part
            // Not at each write, since all bytes behind are moved.
            if bytes.count > 2 * Self.maximumBytes {
                bytes.removeFirst(bytes.count - Self.maximumBytes)
            }
        }
    }

    /// The lines, without their ends.
    var lines: [[UInt8]] { bytes.withLock { $0.split(separator: 0x0A).map { Array($0) } } }

    /// The message of the last error, as JSON or as text; nil if there is none.
    var message: String? {
        let name = Array("kvtool: ".utf8)
        for line in lines.reversed() {
            if line.starts(with: name) {
                return String(decoding: line.dropFirst(name.count), as: UTF8.self)
            }
            let document = try? FleeceDocument(json: String(decoding: line, as: UTF8.self))
            let error = document?.root.dictionary?["error"]?.dictionary
            if let message = error?["message"]?.string { return message }
        }
        return nil
    }
}
