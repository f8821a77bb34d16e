internal import SQLCore

/// Functions of strings. A missing argument gives missing, one of another type null. Lengths and
/// positions count code points.
enum StringFunctions {
    static var table: [NamedFunction] { cases + positions + trims }

    private static var cases: [NamedFunction] {
        [
            NamedFunction("lower") {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .lower, $0) }
            },
            NamedFunction("upper") {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .upper, $0) }
            },
            NamedFunction("initcap") {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .title, $0) }
            },
            NamedFunction("title") {
                StringFunctions.text($0, $1, $2) { try LetterCase.write($1, .title, $0) }
            },
        ]
    }

    private static var positions: [NamedFunction] {
        [
            NamedFunction("length") {
                StringFunctions.text($0, $1, $2) { $0.set(CodePoints.count(in: $1)) }
            },
            NamedFunction("position") { FunctionCall.run($0, $1, $2, StringFunctions.position) },
            NamedFunction("substr") {
                FunctionCall.run($0, $1, $2, StringFunctions.part)
            },
        ]
    }

    private static var trims: [NamedFunction] {
        [
            NamedFunction("trim") {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: true, atEnd: true)
                }
            },
            NamedFunction("ltrim") {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: true, atEnd: false)
                }
            },
            NamedFunction("rtrim") {
                FunctionCall.run($0, $1, $2) {
                    StringFunctions.trim($0, atStart: false, atEnd: true)
                }
            },
        ]
    }

    @inline(__always)
    private static func text(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, UnsafeRawBufferPointer) throws -> Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let text = call[0].text else { return call.setAbsent() }
            try body(call, text)
        }
    }

    /// The position of a string in another one, from 0; -1 if it does not occur.
    private static func position(_ call: FunctionCall) {
        guard let text = call[0].text, let part = call[1].text else { return call.setAbsent() }
        guard let offset = TextSearch(for: part).offset(in: text, from: 0) else {
            return call.set(-1)
        }
        call.set(CodePoints.count(in: text, before: offset))
    }

    /// The substring from a position, counted from 0 or, if negative, from the end; the third
    /// argument is its length. Null for a position outside of the string.
    private static func part(_ call: FunctionCall) {
        guard !call.hasMissing, let text = call[0].text, var index = call[1].integer else {
            return call.setAbsent()
        }
        var most = Int.max
        if call.count == 3 {
            guard let length = call[2].integer, length >= 0 else { return call.setNull() }
            most = length
        }
        let count = CodePoints.count(in: text)
        if index < 0 { index += count }
        guard index >= 0, index < count else { return call.setNull() }
        let rest = UnsafeRawBufferPointer(
            rebasing: text[CodePoints.offset(of: index, in: text)...])
        let end = CodePoints.offset(of: most, in: rest)
        call.raw.setText(UnsafeRawBufferPointer(rebasing: rest[..<end]))
    }

    /// Removes white space at the ends, or the code points of the second argument.
    private static func trim(_ call: FunctionCall, atStart: Bool, atEnd: Bool) {
        guard !call.hasMissing, let text = call[0].text else { return call.setAbsent() }
        var set = TrimSet.whiteSpace
        if call.count == 2 {
            guard let others = call[1].text else { return call.setNull() }
            set = TrimSet(others)
        }
        call.raw.setText(set.trimmed(text, atStart: atStart, atEnd: atEnd))
    }
}

/// Code points of UTF-8. Invalid UTF-8 is safe: each byte that does not continue a sequence begins
/// a code point.
enum CodePoints {
    /// Whether a byte begins a code point.
    @inline(__always)
    static func begins(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    /// The number of code points.
    static func count(in text: UnsafeRawBufferPointer) -> Int {
        var (count, index) = (0, 0)
        while index &+ 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The bit of each continuation byte: 1 in bit 7 and 0 in bit 6.
            let more = (word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101
            count &+= 8 &- more.nonzeroBitCount
            index &+= 8
        }
        while index < text.count {
            count &+= begins(text[index]) ? 1 : 0
            index &+= 1
        }
        return count
    }

    /// The number of code points that begin before an offset.
    static func count(in text: UnsafeRawBufferPointer, before offset: Int) -> Int {
        count(in: UnsafeRawBufferPointer(rebasing: text[..<min(max(offset, 0), text.count)]))
    }

    /// The offset of the code point after the one at `offset`; at most 1 past the end.
    static func next(in text: UnsafeRawBufferPointer, after offset: Int) -> Int {
        var next = offset + 1
        while next < text.count, !begins(text[next]) { next += 1 }
        return next
    }

    /// The offset of the code point with an index, from 0; the end if there are fewer.
    static func offset(of number: Int, in text: UnsafeRawBufferPointer) -> Int {
        var (left, offset) = (number, 0)
        while left > 0, offset < text.count {
            offset = min(next(in: text, after: offset), text.count)
            left -= 1
        }
        return offset
    }
}

/// The code points that trimming removes.
struct TrimSet {
    /// Nil for white space.
    private let scalars: Set<Unicode.Scalar>?

    /// Unicode's white space, except the figure space, which has the width of a digit.
    static var whiteSpace: TrimSet { TrimSet(scalars: nil) }

    private init(scalars: Set<Unicode.Scalar>?) {
        self.scalars = scalars
    }

    /// The code points of a string.
    init(_ text: UnsafeRawBufferPointer) {
        scalars = Set(String(decoding: text, as: UTF8.self).unicodeScalars)
    }

    /// The string without these code points at its ends.
    func trimmed(
        _ text: UnsafeRawBufferPointer, atStart: Bool, atEnd: Bool
    ) -> UnsafeRawBufferPointer {
        var (start, end) = (0, text.count)
        while atStart, start < end {
            let next = min(CodePoints.next(in: text, after: start), end)
            guard contains(text, start..<next) else { break }
            start = next
        }
        while atEnd, start < end {
            var previous = end - 1
            while previous > start, !CodePoints.begins(text[previous]) { previous -= 1 }
            guard contains(text, previous..<end) else { break }
            end = previous
        }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private func contains(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
        let first = text[range.lowerBound]
        if scalars == nil, first < 0x80 {
            return range.count == 1 && (first == 0x20 || first >= 0x09 && first <= 0x0D)
        }
        let bytes = UnsafeRawBufferPointer(rebasing: text[range])
        guard bytes.count <= 4 else { return false }
        let decoded = String(decoding: bytes, as: UTF8.self).unicodeScalars
        guard let scalar = decoded.first, decoded.count == 1 else { return false }
        if let scalars { return scalars.contains(scalar) }
        return scalar.properties.isWhitespace && scalar.value != 0x2007
    }
}
