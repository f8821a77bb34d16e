/// Base64 with padding (RFC 4648).
enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()
    private static let padding = UInt8(ascii: "=")

    /// The bytes that a text stands for; nil if it is none.
    static func bytes(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
    }

    private static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let missing = text.reversed().prefix(3).prefix { $0 == padding }.count
        guard missing < 3 else { return nil }
        let count = text.count - missing
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        let isText = values.withUnsafeBufferPointer { values in
            var bits: UInt32 = 0
            for index in 0..<count {
                let value = values[Int(text[index])]
                guard value < 64 else { return false }
                bits = bits << 6 | UInt32(value)
                guard index & 3 == 3 else { continue }
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
            if missing == 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> 4)) }
            if missing == 1 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            }
            return true
        }
        return isText ? bytes : nil
    }

    /// Appends the text of bytes.
    static func append(_ bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) {
        digits.withUnsafeBufferPointer { digits in
            func digit(_ bits: UInt32) -> UInt8 { digits[Int(bits & 63)] }
            var index = 0
            while bytes.count - index >= 3 {
                let bits = group(bytes, index, 3)
                text.append(digit(bits >> 18))
                text.append(digit(bits >> 12))
                text.append(digit(bits >> 6))
                text.append(digit(bits))
                index += 3
            }
            let rest = bytes.count - index
            guard rest > 0 else { return }
            let bits = group(bytes, index, rest)
            text.append(digit(bits >> 18))
            text.append(digit(bits >> 12))
            text.append(rest == 2 ? digit(bits >> 6) : padding)
            text.append(padding)
        }
    }

    /// Up to three bytes as 24 bits.
    private static func group(
        _ bytes: UnsafeRawBufferPointer, _ index: Int, _ count: Int
    ) -> UInt32 {
        var bits = UInt32(bytes[index]) << 16
        if count > 1 { bits |= UInt32(bytes[index + 1]) << 8 }
        if count > 2 { bits |= UInt32(bytes[index + 2]) }
        return bits
    }
}
