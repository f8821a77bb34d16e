/// The equality of characters in a collation, for `LIKE` and `contains`.
///
/// Each character maps to a number, which is the same for characters that the collation considers
/// equal.
final class CollationEquivalence: Sendable {
    private enum Kind {
        case binary
        case noCase
        case unicode(UnicodeCollator)
    }

    private let kind: Kind
    /// The numbers of the ASCII characters.
    private let ascii: [UInt64]

    /// The equivalence for a collation name; nil if the name is unknown.
    init?(_ name: String) {
        switch name {
        case "BINARY":
            kind = .binary
            ascii = (0..<128).map { $0 }
        case "NOCASE":
            kind = .noCase
            ascii = (0..<128).map { CollationEquivalence.lowered($0) }
        default:
            guard let collator = UnicodeCollator.named(name) else { return nil }
            kind = .unicode(collator)
            ascii = (0..<128).map { CollationEquivalence.number($0, collator) }
        }
    }

    private static func lowered(_ code: UInt64) -> UInt64 {
        (0x41...0x5a).contains(code) ? code + 32 : code
    }

    /// Control characters, which ICU ignores, map to themselves.
    private static func number(_ code: UInt64, _ collator: UnicodeCollator) -> UInt64 {
        guard code >= 32, code != 127 else { return code }
        return withUnsafeBytes(of: UInt8(truncatingIfNeeded: code)) { collator.key($0) }
    }

    /// Converts the next character of a string to its number. `position` must be before `end`.
    ///
    /// With a `LCUnicode_…` collation, combining marks belong to the preceding letter.
    @inline(__always)
    func next(_ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt64 {
        if position.pointee < 0x80, position + 1 == end || position[1] < 0x80 {
            let byte = position.pointee
            position += 1
            return ascii[Int(byte)]
        }
        return nextSlowly(&position, end)
    }

    @inline(never)
    private func nextSlowly(
        _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UInt64 {
        let start = position
        let code = LenientUTF8.read(&position, end)
        guard case .unicode(let collator) = kind else {
            return code < 0x80 ? ascii[Int(code)] : UInt64(code)
        }
        let base = position
        while position < end, position.pointee >= 0x80 {
            var next = position
            guard CollationEquivalence.isMark(LenientUTF8.read(&next, end)) else { break }
            position = next
        }
        if code < 0x80, position == base { return ascii[Int(code)] }
        return collator.key(UnsafeRawBufferPointer(start: start, count: position - start))
    }

    private static func isMark(_ code: UInt32) -> Bool {
        switch code {
        case 0x300...0x36f, 0x1ab0...0x1aff, 0x1dc0...0x1dff, 0x20d0...0x20ff, 0xfe20...0xfe2f:
            true
        default: false
        }
    }

    /// Lends all characters of a string.
    func withCharacters<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<UInt64>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: text.count) { numbers in
            var count = 0
            if var position = text.baseAddress?.assumingMemoryBound(to: UInt8.self) {
                let end = position + text.count
                while position < end {
                    numbers[count] = next(&position, end)
                    count &+= 1
                }
            }
            return body(UnsafeBufferPointer(rebasing: numbers[..<count]))
        }
    }
}
