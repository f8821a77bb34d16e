/// Random bytes of the system, for as few of its calls as can be.
package enum RandomBytes {
    package static func fill(_ bytes: UnsafeMutableRawBufferPointer) {
        #if os(Linux)
            // Up to 256 bytes come at once, or not at all where there is no such call.
            if bytes.count <= 256, let start = bytes.baseAddress,
                getentropy(start, bytes.count) == 0
            {
                return
            }
        #endif
        var generator = SystemRandomNumberGenerator()
        for place in stride(from: 0, to: bytes.count, by: 8) {
            var word = generator.next()
            let count = min(8, bytes.count - place)
            withUnsafeBytes(of: &word) {
                UnsafeMutableRawBufferPointer(rebasing: bytes[place..<place + count])
                    .copyBytes(from: $0.prefix(count))
            }
        }
    }
}
