internal import CZlib

/// The running CRC-32 of all bytes of messages in one direction of a connection.
struct FrameChecksum {
    /// The length of a checksum at the end of a frame, in bytes.
    static let length = 4

    private var value = crc32(0, nil, 0)

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        value = crc32_z(value, base, bytes.count)
    }

    /// The last bytes of the frame up to which bytes were added.
    var bytes: [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian) { Array($0) }
    }

    /// Whether a frame ends with the checksum.
    func isLast(of frame: UnsafeRawBufferPointer) -> Bool {
        frame.suffix(Self.length).elementsEqual(bytes)
    }
}
