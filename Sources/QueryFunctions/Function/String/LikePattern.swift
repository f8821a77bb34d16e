/// A pattern of `LIKE`: `%` matches any string, `_` any character, and `\` escapes them.
final class LikePattern {
    /// The collation of the comparison.
    let order: CollationEquivalence
    private let parts: [Part]

    private enum Part: Equatable {
        case character(UInt64)
        case anyCharacter
        case anyText
    }

    /// Parses a pattern; a final `\` stands for itself.
    init(_ pattern: UnsafeRawBufferPointer, _ order: CollationEquivalence) {
        var parts: [Part] = []
        if var position = pattern.baseAddress?.assumingMemoryBound(to: UInt8.self) {
            let end = position + pattern.count
            while position < end {
                let part = LikePattern.part(&position, end, order)
                // Several wildcards in sequence are equivalent to one.
                if part != .anyText || parts.last != .anyText { parts.append(part) }
            }
        }
        self.parts = parts
        self.order = order
    }

    private static func part(
        _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
        _ order: CollationEquivalence
    ) -> Part {
        switch position.pointee {
        case UInt8(ascii: "%"):
            position += 1
            return .anyText
        case UInt8(ascii: "_"):
            position += 1
            return .anyCharacter
        case UInt8(ascii: "\\") where position + 1 < end:
            position += 1
            return .character(order.next(&position, end))
        default: return .character(order.next(&position, end))
        }
    }

    /// Whether a whole string matches the pattern; takes time proportional to the product of their
    /// lengths at worst, and usually to their sum.
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
        // Only the last `%` is retried: everything before it has matched at its earliest position.
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
