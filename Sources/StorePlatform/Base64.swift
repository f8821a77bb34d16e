/// Encodes and decodes Base64 (RFC 4648).
package enum Base64 {
    @usableFromInline static var digits: StaticString {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    }

    /// Encodes bytes, padded to a multiple of four characters.
    package static func encoded(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var count = 0
            bytes.withUnsafeBytes {
                encode($0) {
                    text[count] = $0
                    count += 1
                }
            }
            return count
        }
    }

    /// Passes the characters of the encoded bytes, with padding, to a closure one by one.
    @inlinable
    package static func encode(_ bytes: UnsafeRawBufferPointer, _ append: (UInt8) -> Void) {
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var group = UInt32(bytes[start]) << 16
            if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[start + 2]) }
            append(digit(group >> 18))
            append(digit(group >> 12))
            append(count > 1 ? digit(group >> 6) : UInt8(ascii: "="))
            append(count > 2 ? digit(group) : UInt8(ascii: "="))
        }
    }

    /// Decodes a padded string; nil if it is not Base64.
    package static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        return decode(text) { bytes.append($0) } ? bytes : nil
    }

    /// Passes the decoded bytes to a closure one by one; the string may lack its padding.
    ///
    /// - Returns: false if the string is not Base64; the bytes before the error were passed on.
    @inlinable @inline(__always)
    package static func decode(_ text: UnsafeRawBufferPointer, _ append: (UInt8) -> Void) -> Bool {
        var text = text
        if text.count % 4 == 0 {
            for _ in 0..<2 where text.last == UInt8(ascii: "=") {
                text = UnsafeRawBufferPointer(rebasing: text.dropLast())
            }
        }
        guard text.count % 4 != 1 else { return false }
        var bits: UInt32 = 0
        for (index, character) in text.enumerated() {
            guard let value = value(of: character) else { return false }
            bits = bits << 6 | UInt32(value)
            // Each character but the first of four completes a byte.
            switch index & 3 {
            case 0: break
            case 1: append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: append(UInt8(truncatingIfNeeded: bits >> 2))
            default: append(UInt8(truncatingIfNeeded: bits))
            }
        }
        return true
    }

    /// The character for the lowest six bits.
    @inlinable
    package static func digit(_ bits: UInt32) -> UInt8 { digits.utf8Start[Int(bits & 63)] }

    /// The six bits that a character encodes; nil if it is not one of the 64.
    @inlinable
    package static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
