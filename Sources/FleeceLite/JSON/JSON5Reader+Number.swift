internal import StorePlatform

extension JSON5Reader {
    /// Reads a number in any form of ECMAScript.
    ///
    /// Integers remain integers, also hexadecimal ones; `5.` and `.5` are not integers.
    mutating func readNumber() throws {
        let start = position
        let isNegative = next == UInt8(ascii: "-")
        if isNegative || next == UInt8(ascii: "+") { position += 1 }
        if isNegative { output.append("-") }
        if takes("Infinity") || takes("NaN") {
            throw error("JSON has neither infinity nor NaN", at: start)
        }
        if next == UInt8(ascii: "0"), byte(at: position + 1) | 0x20 == UInt8(ascii: "x") {
            try readHexadecimal(from: start)
        } else {
            try readDecimal()
        }
        guard identifierPart(at: position) == nil else {
            throw error("an unexpected character after a number")
        }
    }

    private mutating func readDecimal() throws {
        let digits = position
        let whole = copyDigits()
        if whole == 0 { output.append("0") }
        if whole > 1, byte(at: digits) == UInt8(ascii: "0") {
            throw error("a number begins with 0", at: digits)
        }
        var fraction = 0
        if next == UInt8(ascii: ".") {
            position += 1
            output.append(".")
            fraction = copyDigits()
            if fraction == 0 { output.append("0") }
        }
        guard whole + fraction > 0 else { throw unexpected("a digit is expected") }
        guard next | 0x20 == UInt8(ascii: "e") else { return }
        output.append("e")
        position += 1
        if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") {
            output.utf8.append(next)
            position += 1
        }
        guard copyDigits() > 0 else { throw unexpected("a digit is expected") }
    }

    private mutating func copyDigits() -> Int {
        let start = position
        while Self.isDigit(next) {
            output.utf8.append(next)
            position += 1
        }
        return position - start
    }

    /// Writes a hexadecimal integer as a decimal one, or as a double if 64 bits cannot hold it.
    private mutating func readHexadecimal(from start: Int) throws {
        let prefix = position
        position += 2
        var value: UInt64? = 0
        while let digit = Hexadecimal.value(of: next) {
            value = value.flatMap { $0 >> 60 == 0 ? $0 << 4 | UInt64(digit) : nil }
            position += 1
        }
        guard position > prefix + 2 else {
            throw unexpected("a hexadecimal digit is expected")
        }
        if let value { return output.append(value) }
        let text = String(decoding: input[prefix..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw error("the number is beyond the range of a double", at: start)
        }
        output.utf8.append(contentsOf: number.description.utf8)
    }
}
