/// The checksum of a write-ahead log, which goes on from frame to frame: two sums of 32-bit words,
/// each added to the other (SQLite's file format, 4.2).
package struct WALChecksum: Equatable {
    /// What a log begins with.
    package static let zero = WALChecksum(first: 0, second: 0)

    private let first: UInt32
    private let second: UInt32

    private init(first: UInt32, second: UInt32) {
        self.first = first
        self.second = second
    }

    /// Goes on over bytes, a multiple of eight.
    package func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> WALChecksum {
        var (first, second) = (first, second)
        for place in stride(from: 0, to: bytes.count, by: 8) {
            first = first &+ Self.word(bytes, place, isBigEndian) &+ second
            second = second &+ Self.word(bytes, place + 4, isBigEndian) &+ first
        }
        return WALChecksum(first: first, second: second)
    }

    @inline(__always)
    private static func word(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isBigEndian: Bool
    ) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}

extension WALChecksum {
    /// How many bytes it has in a file, highest first.
    package static let length = 8

    /// Reads it from a file.
    package init(_ bytes: UnsafeRawBufferPointer) {
        first = Self.word(bytes, 0, true)
        second = Self.word(bytes, 4, true)
    }

    /// Writes it as files have it.
    package func store(in bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: first.bigEndian, toByteOffset: 0, as: UInt32.self)
        bytes.storeBytes(of: second.bigEndian, toByteOffset: 4, as: UInt32.self)
    }
}
