/// Numbers in strings.
enum NumberText {
    /// The decimal number at the start of a string, after blanks; 0 if there is none.
    static func number(at text: UnsafeRawBufferPointer) -> Double {
        var position = 0
        while position < text.count, isBlank(text[position]) { position += 1 }
        let start = position
        skipSign(text, &position)
        let digits = position
        skipDigits(text, &position)
        var digitCount = position - digits
        if position < text.count, text[position] == UInt8(ascii: ".") {
            let fraction = position + 1
            position = fraction
            skipDigits(text, &position)
            digitCount += position - fraction
        }
        guard digitCount > 0 else { return 0 }
        skipExponent(text, &position)
        return Double(plain(UnsafeRawBufferPointer(rebasing: text[start..<position]))) ?? 0
    }

    /// Swift needs a digit on both sides of the decimal point.
    private static func plain(_ bytes: UnsafeRawBufferPointer) -> String {
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            let isPoint = byte == UInt8(ascii: ".")
            if isPoint, text.last.map({ !isDigit($0) }) ?? true { text.append(0x30) }
            text.append(byte)
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if isPoint, !isDigit(next) { text.append(0x30) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func skipExponent(_ text: UnsafeRawBufferPointer, _ position: inout Int) {
        guard position < text.count, text[position] | 0x20 == UInt8(ascii: "e") else { return }
        var end = position + 1
        skipSign(text, &end)
        let digits = end
        skipDigits(text, &end)
        if end > digits { position = end }
    }

    private static func skipSign(_ text: UnsafeRawBufferPointer, _ position: inout Int) {
        guard position < text.count else { return }
        if text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
            position += 1
        }
    }

    private static func skipDigits(_ text: UnsafeRawBufferPointer, _ position: inout Int) {
        while position < text.count, isDigit(text[position]) { position += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte >= 0x09 && byte <= 0x0D
    }
}
