internal import CZlib

/// The compression of one direction of a connection: one DEFLATE stream without header (RFC 1951),
/// flushed after each frame.
final class Deflater {
    /// The length of what a flush ends with, `00 00 FF FF`. Frames leave it out.
    private static let flushMarkLength = 4

    /// How many bytes a frame of any content is longer at most: stored blocks and a flush.
    static let overhead = 32

    private var stream = z_stream()

    init(level: Int32) {
        let status = deflateInit2_(
            &stream, level, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin a stream: \(status)")
    }

    deinit { deflateEnd(&stream) }

    /// Compresses the bytes of a frame, and appends them to it.
    func append(_ bytes: UnsafeRawBufferPointer, to frame: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let capacity = bytes.count + Self.overhead
        let compressed = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            stream.next_in = UnsafeMutablePointer(
                mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
            stream.avail_in = UInt32(bytes.count)
            stream.next_out = output.baseAddress
            stream.avail_out = UInt32(capacity)
            let status = deflate(&stream, Z_SYNC_FLUSH)
            precondition(
                status == Z_OK && stream.avail_out > 0, "zlib has no space for a frame: \(status)")
            count = capacity - Int(stream.avail_out)
        }
        frame += compressed.dropLast(Self.flushMarkLength)
    }
}
