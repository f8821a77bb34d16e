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

    /// The last line that is an error as JSON; nil if there is none.
    var error: [UInt8]? {
        let start = Array("{\"error\":".utf8)
        return lines.last { $0.starts(with: start) }
    }

    /// The last message of a command that writes errors as text; nil if there is none.
    var message: String? {
        let name = Array("kvtool: ".utf8)
        guard let line = lines.last(where: { $0.starts(with: name) }) else { return nil }
        return String(decoding: line.dropFirst(name.count), as: UTF8.self)
    }
}
