/// Random bytes of the system, with as few system calls as possible.
package enum RandomBytes {
    package static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
            // Up to 256 bytes are returned at once, or none where there is no such call.
            if bytes.count <= 256, let start = bytes.baseAddress,
                getentropy(start, bytes.count) == 0
            {
                return
            }
        #endif
        var generator = SystemRandomNumberGenerator()
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var word = generator.next()
            let count = min(8, bytes.count - offset)
            withUnsafeBytes(of: &word) {
                UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<offset + count])
                    .copyBytes(from: $0.prefix(count))
            }
        }
    }
}
