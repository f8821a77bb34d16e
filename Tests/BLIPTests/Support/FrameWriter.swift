import CZlib
import FleeceLite

/// Writes frames as the other side of a connection does, and also frames that no sender writes.
///
/// It is written after the description of the protocol, not after the module that is tested.
struct FrameWriter {
    private var checksum = crc32(0, nil, 0)
    private let deflater = RawDeflater()

    /// The flags of frames.
    static let request: UInt64 = 0
    static let response: UInt64 = 1
    static let error: UInt64 = 2
    static let requestAcknowledgement: UInt64 = 4
    static let responseAcknowledgement: UInt64 = 5
    static let compressed: UInt64 = 0x08
    static let urgent: UInt64 = 0x10
    static let noReply: UInt64 = 0x20
    static let moreComing: UInt64 = 0x40

    /// A frame with some bytes of a message.
    mutating func frame(_ number: UInt64, _ flags: UInt64, _ bytes: [UInt8]) -> [UInt8] {
        checksum = crc32(checksum, bytes, UInt32(bytes.count))
        let content = flags & Self.compressed == 0 ? bytes : deflater.compressed(bytes)
        return Self.header(number, flags) + content + checksumBytes
    }

    /// A frame with bytes that are said to be compressed; its checksum is that of `message`.
    mutating func frame(
        _ number: UInt64, _ flags: UInt64, compressed bytes: [UInt8], of message: [UInt8] = []
    ) -> [UInt8] {
        checksum = crc32(checksum, message, UInt32(message.count))
        return Self.header(number, flags | Self.compressed) + bytes + checksumBytes
    }

    /// A frame with a whole message.
    mutating func message(
        _ number: UInt64, _ flags: UInt64, _ properties: [(String, String)] = [],
        body: [UInt8] = []
    ) -> [UInt8] {
        frame(number, flags, Self.content(properties, body: body))
    }

    private var checksumBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
    }

    static func header(_ number: UInt64, _ flags: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(number, to: &bytes)
        Varint.append(flags, to: &bytes)
        return bytes
    }

    /// The bytes of a message: the length of the properties, the properties, the body.
    static func content(_ properties: [(String, String)], body: [UInt8] = []) -> [UInt8] {
        let encoded = properties.flatMap { Array("\($0.0)\0\($0.1)\0".utf8) }
        return content(properties: encoded, body: body)
    }

    static func content(properties: [UInt8], body: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(UInt64(properties.count), to: &bytes)
        return bytes + properties + body
    }

    /// An acknowledgement with LiteCore's flags.
    static func acknowledgement(_ number: UInt64, _ type: UInt64, _ count: UInt64) -> [UInt8] {
        var bytes = header(number, type | urgent | noReply)
        Varint.append(count, to: &bytes)
        return bytes
    }
}

/// One DEFLATE stream without header, flushed after each part.
final class RawDeflater {
    private var stream = z_stream()

    init() {
        deflateInit2_(
            &stream, 6, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
    }

    deinit { deflateEnd(&stream) }

    /// The compressed bytes without `00 00 FF FF`, with which a flush ends.
    func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var input = bytes
        let capacity = bytes.count + 64 + bytes.count / 1000
        let output = input.withUnsafeMutableBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(capacity)
                deflate(&stream, Z_SYNC_FLUSH)
                count = capacity - Int(stream.avail_out)
            }
        }
        return output.dropLast(4)
    }
}
