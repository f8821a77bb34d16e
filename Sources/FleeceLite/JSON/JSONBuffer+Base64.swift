extension JSONBuffer {
    /// Appends bytes as base64 with padding (RFC 4648).
    mutating func append(base64 source: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: source.count, by: 3) {
            let count = min(3, source.count - start)
            var group: UInt32 = 0
            for index in 0..<3 {
                group = group << 8 | (index < count ? UInt32(source[start + index]) : 0)
            }
            for index in 0..<4 {
                let digit = UInt8(group >> UInt32(18 - 6 * index) & 0x3F)
                append(index <= count ? Self.digit(digit) : UInt8(ascii: "="))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}
