extension JSONText {
    /// Appends bytes as base64 with padding (RFC 4648).
    public mutating func append(base64 bytes: [UInt8]) {
        bytes.withUnsafeBytes { append(base64: $0) }
    }

    mutating func append(base64 bytes: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group: UInt32 = 0
            for index in 0..<3 {
                group = group << 8 | (index < count ? UInt32(bytes[start + index]) : 0)
            }
            for index in 0..<4 {
                let digit = Int(group >> UInt32(18 - 6 * index) & 0x3F)
                utf8.append(index <= count ? Self.digits[digit] : UInt8(ascii: "="))
            }
        }
    }

    private static let digits = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
