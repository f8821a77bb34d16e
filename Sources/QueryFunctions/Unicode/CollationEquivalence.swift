/// When two characters are the same: what a collation's name means for `LIKE` and `contains`.
///
/// A character is a number, the same for characters that the collation does not tell apart.
final class CollationEquivalence: Sendable {
    private enum Kind {
        case binary
        case noCase
        case unicode(UnicodeCollator)
    }

    private let kind: Kind
    /// The numbers of the ASCII characters.
    private let ascii: [UInt64]

    /// A collation by its name; nil for an unknown one.
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

    /// Control characters, which ICU ignores, are themselves.
    private static func number(_ code: UInt64, _ collator: UnicodeCollator) -> UInt64 {
        guard code >= 32, code != 127 else { return code }
        return withUnsafeBytes(of: UInt8(truncatingIfNeeded: code)) { collator.key($0) }
    }

    /// Turns the next character of a text into its number. `place` must be before `end`.
    ///
    /// With a `LCUnicode_…` collation, marks belong to the letter before them.
    @inline(__always)
    func next(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt64 {
        if place.pointee < 0x80, place + 1 == end || place[1] < 0x80 {
            let byte = place.pointee
            place += 1
            return ascii[Int(byte)]
        }
        return nextSlowly(&place, end)
    }

    @inline(never)
    private func nextSlowly(
        _ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UInt64 {
        let start = place
        let code = LenientUTF8.read(&place, end)
        guard case .unicode(let collator) = kind else {
            return code < 0x80 ? ascii[Int(code)] : UInt64(code)
        }
        let base = place
        while place < end, place.pointee >= 0x80 {
            var next = place
            guard CollationEquivalence.isMark(LenientUTF8.read(&next, end)) else { break }
            place = next
        }
        if code < 0x80, place == base { return ascii[Int(code)] }
        return collator.key(UnsafeRawBufferPointer(start: start, count: place - start))
    }

    private static func isMark(_ code: UInt32) -> Bool {
        switch code {
        case 0x300...0x36f, 0x1ab0...0x1aff, 0x1dc0...0x1dff, 0x20d0...0x20ff, 0xfe20...0xfe2f:
            true
        default: false
        }
    }

    /// Lends all characters of a text.
    func withCharacters<Result>(
        of text: UnsafeRawBufferPointer, _ body: (UnsafeBufferPointer<UInt64>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: text.count) { numbers in
            var count = 0
            if var place = text.baseAddress?.assumingMemoryBound(to: UInt8.self) {
                let end = place + text.count
                while place < end {
                    numbers[count] = next(&place, end)
                    count &+= 1
                }
            }
            return body(UnsafeBufferPointer(rebasing: numbers[..<count]))
        }
    }
}
