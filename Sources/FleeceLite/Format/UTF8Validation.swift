/// Whether bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing cut off.
enum UTF8Validation {
    /// The offset of the first sequence that is not UTF-8, nil if all are.
    static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while position < bytes.count {
            if bytes.count - position >= 8,
                bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    & 0x8080_8080_8080_8080 == 0
            {
                position += 8
                continue
            }
            let length = sequenceLength(bytes, position)
            if length == 0 { return position }
            position += length
        }
        return nil
    }

    /// The length of the sequence at `position`, 0 if it is malformed.
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
        let first = bytes[position]
        if first < 0x80 { return 1 }
        let left = bytes.count - position
        // The second byte's range excludes overlong forms, surrogates and what is over U+10FFFF.
        let (length, second): (Int, ClosedRange<UInt8>)
        switch first {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard left >= length, second ~= bytes[position + 1] else { return 0 }
        for index in 2..<length where bytes[position + index] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
