/// A pattern of `LIKE`: `%` is any text, `_` any character, and `\` takes their meaning away.
final class LikePattern {
    /// The collation in which it compares.
    let order: CollationEquivalence
    private let parts: [Part]

    private enum Part: Equatable {
        case character(UInt64)
        case anyCharacter
        case anyText
    }

    /// Reads a pattern; a `\` at its end stands for itself.
    init(_ pattern: UnsafeRawBufferPointer, _ order: CollationEquivalence) {
        var parts: [Part] = []
        if var place = pattern.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            let end = place + pattern.count
            while place < end {
                let part = LikePattern.part(&place, end, order)
                // Several are no more than one.
                if part != .anyText || parts.last != .anyText { parts.append(part) }
            }
        }
        self.parts = parts
        self.order = order
    }

    private static func part(
        _ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ order: CollationEquivalence
    ) -> Part {
        switch place.pointee {
        case UInt8(ascii: "%"):
            place += 1
            return .anyText
        case UInt8(ascii: "_"):
            place += 1
            return .anyCharacter
        case UInt8(ascii: "\\") where place + 1 < end:
            place += 1
            return .character(order.next(&place, end))
        default: return .character(order.next(&place, end))
        }
    }

    /// Whether a whole text is like the pattern; takes at most time in proportion to the product of
    /// their lengths, and mostly to their sum.
    func matches(_ text: UnsafeRawBufferPointer) -> Bool {
        order.withCharacters(of: text) { characters in
            parts.withUnsafeBufferPointer { matches(characters, $0) }
        }
    }

    private func matches(
        _ text: UnsafeBufferPointer<UInt64>, _ parts: UnsafeBufferPointer<Part>
    ) -> Bool {
        var index = 0
        var part = 0
        // Only the last `%` is tried again: what stands before it has found its earliest place.
        var retry: (index: Int, part: Int)?
        while index < text.count {
            if part < parts.count, parts[part] == .anyText {
                part += 1
                retry = (index, part)
            } else if part < parts.count, accepts(parts[part], text[index]) {
                part += 1
                index += 1
            } else if let last = retry {
                retry = (last.index + 1, last.part)
                (index, part) = (last.index + 1, last.part)
            } else {
                return false
            }
        }
        return part == parts.count || part + 1 == parts.count && parts[part] == .anyText
    }

    private func accepts(_ part: Part, _ character: UInt64) -> Bool {
        switch part {
        case .character(let wanted): wanted == character
        case .anyCharacter: true
        case .anyText: false
        }
    }
}
