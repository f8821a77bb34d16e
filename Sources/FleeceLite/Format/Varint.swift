/// Unsigned LEB128: 7 bits per byte, low bits first; the high bit marks that more bytes follow.
package enum Varint {
    /// The maximum number of bytes of a 64-bit number.
    package static let maximumLength = 10

    /// Reads a number at `offset`; nil if it is truncated at `limit` or exceeds 64 bits.
    package static func read(
        _ base: UnsafeRawPointer, at offset: Int, limit: Int
    ) -> (value: UInt64, end: Int)? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var position = offset
        while position < limit, shift < 64 {
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            position += 1
            let bits = UInt64(byte & 0x7F)
            if shift == 63, bits > 1 { return nil }
            value |= bits << shift
            if byte < 0x80 { return (value, position) }
            shift += 7
        }
        return nil
    }

    /// Appends a number to `bytes`.
    package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        forEachByte(of: value) { bytes.append($0) }
    }

    /// Stores a number at an offset of a buffer that has space for it; returns its end.
    @inlinable
    @inline(__always)
    package static func store(
        _ value: UInt64, in bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        var rest = value
        var end = offset
        while rest >= 0x80 {
            bytes[end] = UInt8(truncatingIfNeeded: rest) | 0x80
            rest >>= 7
            end += 1
        }
        bytes[end] = UInt8(truncatingIfNeeded: rest)
        return end + 1
    }

    /// Passes the bytes of a number to a closure, the first one first.
    @inline(__always)
    static func forEachByte(of value: UInt64, _ operation: (UInt8) -> Void) {
        var rest = value
        while rest >= 0x80 {
            operation(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        operation(UInt8(rest))
    }
}
