/// Memory for a page and what stands around it, kept by a file for all its calls.
final class PageBuffer {
    private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { free() }

    /// The first `count` bytes; what was in them before may be lost.
    func prefix(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if bytes.count < count {
            free()
            bytes = .allocate(byteCount: count, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    }

    /// Overwrites what was in it: it may have been plain text.
    private func free() {
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.deallocate()
    }
}

extension UnsafeRawBufferPointer {
    /// A part of it, from 0 on.
    func part(_ range: some RangeExpression<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Four bytes, the highest first.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Whether all bytes are 0.
    var isZero: Bool { allSatisfy { $0 == 0 } }
}

extension UnsafeMutableRawBufferPointer {
    /// Four bytes, the highest first.
    func bigEndian(at offset: Int) -> UInt32 {
        UnsafeRawBufferPointer(self).bigEndian(at: offset)
    }

    /// A part of it, from 0 on.
    func part(_ range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[range])
    }

    /// Writes four bytes, the highest first.
    func setBigEndian(_ value: UInt32, at offset: Int) {
        storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Sets all bytes to 0.
    func clear() { initializeMemory(as: UInt8.self, repeating: 0) }
}
