extension JSONReader {
    /// Reads a string, from its opening to its closing quote.
    ///
    /// The result lies in the input or, if there are escapes, in `scratch`: use it at once.
    @inline(__always)
    mutating func readString(
        scratch: inout GrowingBuffer<UInt8>
    ) throws -> UnsafeRawBufferPointer {
        let start = position &+ 1
        position = start
        let isASCII = scanPlain()
        guard position < end else { throw error("a string has no end", at: start - 1) }
        guard byte(at: position) == UInt8(ascii: "\"") else {
            return try readEscaped(from: start, &scratch)
        }
        let text = UnsafeRawBufferPointer(rebasing: input[start..<position])
        position &+= 1
        if !isASCII { try requireUTF8(text, start) }
        return text
    }

    /// Moves on to the next quote, backslash or control character, or to the end; returns
    /// whether only ASCII was passed.
    @inline(__always)
    private mutating func scanPlain() -> Bool {
        var seen: UInt64 = 0
        while end &- position >= 8 {
            let word = UInt64(
                littleEndian: input.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let found = Self.special(word)
            if found != 0 {
                let bits = UInt64(found.trailingZeroBitCount & ~7)
                seen |= word & ((1 << bits) &- 1)
                position &+= Int(bits >> 3)
                return seen & 0x8080_8080_8080_8080 == 0
            }
            seen |= word
            position &+= 8
        }
        while position < end {
            let byte = byte(at: position)
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
            seen |= UInt64(byte)
            position &+= 1
        }
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// The high bit of each byte that ends a plain run; only the lowest one set is exact.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // One test for the quote and all control characters, one for the backslash.
        let quote = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        return (quote | backslash) & ~word & (ones &* 0x80)
    }

    private func requireUTF8(_ text: UnsafeRawBufferPointer, _ start: Int) throws {
        if let wrong = UTF8Validation.firstInvalid(in: text) {
            throw error("the text is not UTF-8", at: start + wrong)
        }
    }

    @inline(never)
    private mutating func readEscaped(
        from start: Int, _ scratch: inout GrowingBuffer<UInt8>
    ) throws -> UnsafeRawBufferPointer {
        scratch.removeAll()
        var run = start
        while true {
            scratch.append(UnsafeRawBufferPointer(rebasing: input[run..<position]))
            guard position < end else { throw error("a string has no end", at: start - 1) }
            switch byte(at: position) {
            case UInt8(ascii: "\""):
                try requireUTF8(UnsafeRawBufferPointer(rebasing: input[start..<position]), start)
                position += 1
                return UnsafeRawBufferPointer(start: scratch.base, count: scratch.count)
            case UInt8(ascii: "\\"): try readEscape(&scratch)
            default: throw error("a control character must be escaped")
            }
            run = position
            _ = scanPlain()
        }
    }

    private mutating func readEscape(_ scratch: inout GrowingBuffer<UInt8>) throws {
        position += 1
        let letter = next
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): try readUnicodeEscape(&scratch)
        default: throw error("an unknown escape", at: position - 2)
        }
    }

    private mutating func readUnicodeEscape(_ scratch: inout GrowingBuffer<UInt8>) throws {
        let start = position - 2
        var code = try readHex()
        if 0xD800...0xDBFF ~= code, end - position >= 6, byte(at: position) == 0x5C,
            byte(at: position + 1) == UInt8(ascii: "u")
        {
            position += 2
            let low = try readHex()
            guard 0xDC00...0xDFFF ~= low else { throw error("half a surrogate pair", at: start) }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw error("half a surrogate pair", at: start)
        }
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            scratch.append(byte)
        }
    }

    private mutating func readHex() throws -> UInt32 {
        guard end - position >= 4 else { throw error("the JSON is cut off") }
        var value: UInt32 = 0
        for index in 0..<4 {
            let letter = Unicode.Scalar(byte(at: position + index))
            guard letter.isASCII, let digit = Character(letter).hexDigitValue else {
                throw error("four hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
