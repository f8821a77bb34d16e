/// The checksum of a WAL, which is cumulative over its frames: two sums of 32-bit words, each added
/// to the other (SQLite's file format, 4.2).
package struct WALChecksum: Equatable {
    /// The initial value at the beginning of a WAL.
    package static let zero = WALChecksum(first: 0, second: 0)

    private let first: UInt32
    private let second: UInt32

    private init(first: UInt32, second: UInt32) {
        self.first = first
        self.second = second
    }

    /// Continues the checksum over bytes, whose number is a multiple of eight.
    package func adding(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) -> WALChecksum {
        var (first, second) = (first, second)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            first = first &+ Self.word(bytes, offset, isBigEndian) &+ second
            second = second &+ Self.word(bytes, offset + 4, isBigEndian) &+ first
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
    /// The number of bytes in a file; they are big-endian.
    package static let length = 8

    /// Reads it from a file.
    package init(_ bytes: UnsafeRawBufferPointer) {
        first = Self.word(bytes, 0, true)
        second = Self.word(bytes, 4, true)
    }

    /// Stores it in the form that files have.
    package func store(in bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: first.bigEndian, toByteOffset: 0, as: UInt32.self)
        bytes.storeBytes(of: second.bigEndian, toByteOffset: 4, as: UInt32.self)
    }
}
