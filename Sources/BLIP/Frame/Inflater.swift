internal import CZlib

/// The decompression of one direction of a connection.
final class Inflater {
    private static let partLength = 1 << 16

    private var stream = z_stream()

    init() {
        let status = inflateInit2_(
            &stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK, "zlib cannot begin a stream: \(status)")
    }

    deinit { inflateEnd(&stream) }

    /// Decompresses the bytes of a frame, and appends them to others.
    ///
    /// - Throws: ``BLIPError`` if they are not valid, or are longer than `limit`.
    func append(
        _ bytes: UnsafeRawBufferPointer, to result: inout [UInt8], limit: Int
    ) throws(BLIPError) {
        // A frame without content has not been flushed.
        guard !bytes.isEmpty else { return }
        try append(part: bytes, to: &result, limit: limit)
        let flushMark = UInt32(0xFFFF_0000).littleEndian
        try withUnsafeBytes(of: flushMark) { (mark) throws(BLIPError) in
            try append(part: mark, to: &result, limit: limit)
        }
    }

    private func append(
        part: UnsafeRawBufferPointer, to result: inout [UInt8], limit: Int
    ) throws(BLIPError) {
        stream.next_in = UnsafeMutablePointer(mutating: part.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(part.count)
        var isFull = true
        while stream.avail_in > 0 || isFull {
            var status = Z_OK
            let output = [UInt8](unsafeUninitializedCapacity: Self.partLength) { output, count in
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(Self.partLength)
                status = inflate(&stream, Z_SYNC_FLUSH)
                count = Self.partLength - Int(stream.avail_out)
            }
            isFull = stream.avail_out == 0
            // Without progress there is nothing left.
            if status == Z_BUF_ERROR, output.isEmpty { return }
            guard status == Z_OK else { throw .badFrame("its compressed bytes are not valid") }
            guard result.count + output.count <= limit else {
                throw .tooLarge("a frame of more than \(limit) bytes")
            }
            result += output
        }
    }
}
