internal import StorePlatform

extension JSONReader {
    /// Reads a string, from its opening to its closing quote, and writes it.
    @inline(__always)
    mutating func readString(into encoder: inout FleeceEncoder) -> Bool {
        let text = position + 1
        let low = word(text)
        let lowEnd = Self.special(low)
        if lowEnd != 0 {
            let count = lowEnd.trailingZeroBitCount &>> 3
            let short = ShortString(low: low, high: 0, count: count)
            if Self.isASCII(short.low), isQuote(text + count) {
                position = text + count + 1
                encoder.writeShortString(short)
                return true
            }
        } else {
            let high = word(text + 8)
            let highEnd = Self.special(high)
            let count = 8 &+ highEnd.trailingZeroBitCount &>> 3
            if highEnd != 0 {
                let short = ShortString(low: low, high: high, count: count)
                if Self.isASCII(short.low | short.highBytes), isQuote(text + count) {
                    position = text + count + 1
                    encoder.writeShortString(short)
                    return true
                }
            }
        }
        return readOtherString(into: &encoder)
    }

    @inline(never)
    private mutating func readOtherString(into encoder: inout FleeceEncoder) -> Bool {
        guard let text = readText(scratch: &encoder) else { return false }
        encoder.writeString(text)
        return true
    }

    @inline(__always)
    private func isQuote(_ location: UnsafeRawPointer) -> Bool {
        location.load(as: UInt8.self) == UInt8(ascii: "\"")
    }

    @inline(__always)
    private static func isASCII(_ word: UInt64) -> Bool { word & 0x8080_8080_8080_8080 == 0 }

    /// Reads a string of any form; nil if there is none.
    ///
    /// The result lies in the input or, if there are escapes, in the encoder's
    /// `scratch`: use it immediately.
    @inline(__always)
    mutating func readText(scratch encoder: inout FleeceEncoder) -> UnsafeRawBufferPointer? {
        var run = scanPlain(from: position + 1)
        if run.end >= fastEnd, !isPadded {
            copyRest(&encoder)
            run = scanPlain(from: position + 1)
        }
        guard isQuote(run.end) else { return readEscaped(&encoder, run) }
        let text = UnsafeRawBufferPointer(
            start: position + 1, count: run.end - (position + 1))
        guard run.isASCII || requireUTF8(text) else { return nil }
        position = run.end + 1
        return text
    }

    /// The position of the next quote, backslash or control character, or one beyond `fastEnd`; and
    /// whether all bytes before it are ASCII.
    @inline(__always)
    private func scanPlain(
        from start: UnsafeRawPointer
    ) -> (end: UnsafeRawPointer, isASCII: Bool) {
        var location = start
        var seen: UInt64 = 0
        while true {
            let low = word(location)
            let high = word(location + 8)
            let lowEnd = Self.special(low)
            let highEnd = Self.special(high)
            if lowEnd | highEnd != 0 {
                let last = lowEnd != 0 ? low : high
                let end = lowEnd != 0 ? lowEnd : highEnd
                let bits = UInt64(truncatingIfNeeded: end.trailingZeroBitCount & ~7)
                seen |= last & ((1 &<< bits) &- 1) | (lowEnd != 0 ? 0 : low)
                location += (lowEnd != 0 ? 0 : 8) + Int(truncatingIfNeeded: bits &>> 3)
                return (location, Self.isASCII(seen))
            }
            seen |= low | high
            location += 16
            if location >= fastEnd, !isPadded { return (location, false) }
        }
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

    private mutating func requireUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let wrong = UTF8Validation.firstInvalid(in: text), let start = text.baseAddress
        else { return true }
        return fail("the text is not UTF-8", at: start + wrong)
    }

    /// Reads a string with escapes, or fails at its first error; `first` is what
    /// `scanPlain` found at its start.
    @inline(never)
    private mutating func readEscaped(
        _ encoder: inout FleeceEncoder, _ first: (end: UnsafeRawPointer, isASCII: Bool)
    ) -> UnsafeRawBufferPointer? {
        let opening = position
        encoder.scratch.removeAll()
        position += 1
        var run = first
        var isASCII = true
        while true {
            encoder.scratch.append(run: position, count: run.end - position)
            position = run.end
            isASCII = isASCII && run.isASCII
            switch next {
            case UInt8(ascii: "\""):
                let text = UnsafeRawBufferPointer(
                    start: opening + 1, count: position - (opening + 1))
                guard isASCII || requireUTF8(text) else { return nil }
                position += 1
                return UnsafeRawBufferPointer(
                    start: encoder.scratch.base, count: encoder.scratch.count)
            case UInt8(ascii: "\\"):
                guard readEscape(&encoder.scratch) else { return nil }
                run = scanPlain(from: position)
                if run.end >= fastEnd, !isPadded {
                    position = opening
                    copyRest(&encoder)
                    return readText(scratch: &encoder)
                }
            default:
                _ =
                    position < end
                    ? fail("a control character must be escaped")
                    : fail("unterminated string", at: opening)
                return nil
            }
        }
    }

    private mutating func readEscape(_ scratch: inout GrowingBuffer<UInt8>) -> Bool {
        let escape = position
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
        case UInt8(ascii: "u"): return readUnicodeEscape(&scratch, escape)
        default: return fail("an unknown escape", at: escape)
        }
        return true
    }

    private mutating func readUnicodeEscape(
        _ scratch: inout GrowingBuffer<UInt8>, _ escape: UnsafeRawPointer
    ) -> Bool {
        guard var code = readHex() else { return false }
        if 0xD800...0xDBFF ~= code, next == UInt8(ascii: "\\"),
            position.load(fromByteOffset: 1, as: UInt8.self) == UInt8(ascii: "u")
        {
            position += 2
            guard let low = readHex() else { return false }
            guard 0xDC00...0xDFFF ~= low else {
                return fail("an unpaired surrogate", at: escape)
            }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            return fail("an unpaired surrogate", at: escape)
        }
        scratch.append(scalar)
        return true
    }

    private mutating func readHex() -> UInt32? {
        var value: UInt32 = 0
        for index in 0..<4 {
            let next = position.load(fromByteOffset: index, as: UInt8.self)
            guard let digit = Hexadecimal.value(of: next) else {
                _ =
                    position + 4 > end
                    ? fail("the JSON is truncated")
                    : fail("four hexadecimal digits are expected")
                return nil
            }
            value = value << 4 | UInt32(digit)
        }
        position += 4
        return value
    }
}
