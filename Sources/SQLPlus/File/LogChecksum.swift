/// The checksum of a write-ahead log, which goes on from frame to frame: two sums of 32-bit words,
/// each added to the other (SQLite's file format, 4.2).
struct LogChecksum: Equatable {
    var first: UInt32
    var second: UInt32

    /// Goes on over bytes, a multiple of eight.
    func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> LogChecksum {
        var (first, second) = (first, second)
        for place in stride(from: 0, to: bytes.count, by: 8) {
            first = first &+ Self.word(bytes, place, isBigEndian) &+ second
            second = second &+ Self.word(bytes, place + 4, isBigEndian) &+ first
        }
        return LogChecksum(first: first, second: second)
    }

    @inline(__always)
    private static func word(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool
    ) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}

extension LogChecksum {
    /// How many bytes it has in a file, highest first.
    static let length = 8

    /// Reads it from a file.
    init(_ bytes: UnsafeRawBufferPointer) {
        first = bytes.bigEndian(at: 0)
        second = bytes.bigEndian(at: 4)
    }

    /// Writes it as files have it.
    func store(in bytes: UnsafeMutableRawBufferPointer) {
        bytes.setBigEndian(first, at: 0)
        bytes.setBigEndian(second, at: 4)
    }
}
