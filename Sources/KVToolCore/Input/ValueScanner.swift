/// Finds the end of a JSON value that arrives in pieces. It does not validate the value.
struct ValueScanner {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false

    /// Returns the offset after the value, nil if the value continues after these bytes.
    ///
    /// A scalar ends before the comma, bracket or white space that follows it.
    mutating func end(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        var index = offset
        while index < bytes.count {
            let byte = bytes[index]
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isInText = false
                }
                index += 1
                continue
            }
            switch byte {
            case 0x22: isInText = true
            case 0x5B, 0x7B: depth += 1
            case 0x5D, 0x7D:
                guard depth > 0 else { return index }
                depth -= 1
                if depth == 0 { return index + 1 }
            case 0x2C, 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return nil
    }
}

extension UInt8 {
    /// Whether it is JSON white space.
    var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
