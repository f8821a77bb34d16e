/// A pattern of ids: `*` stands for any characters, `?` for one, `\` for the character after it.
package struct KeyPattern {
    private enum Part: Equatable {
        case literal(Unicode.Scalar), one, any
    }

    private let parts: [Part]

    /// Nil for a text that has neither `*` nor `?`, not even escaped ones, so that it is an id.
    package init?(_ text: String) {
        var parts: [Part] = []
        var isEscaped = false
        var hasEscapes = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where isEscaped, "?" where isEscaped, "\\" where isEscaped:
                hasEscapes = true
                parts.append(.literal(scalar))
            case "*":
                if parts.last != .any { parts.append(.any) }
            case "?": parts.append(.one)
            default: parts.append(.literal(scalar))
            }
            isEscaped = false
        }
        if isEscaped { parts.append(.literal("\\")) }
        self.parts = parts
        guard hasEscapes || isOpen else { return nil }
    }

    /// Whether more than one id can match: it has a `*` or `?` that is not escaped.
    var isOpen: Bool { parts.contains { $0 == .any || $0 == .one } }

    /// What all matching ids begin with.
    package var prefix: String {
        var scalars = String.UnicodeScalarView()
        for case .literal(let scalar) in parts.prefix(while: { $0 != .any && $0 != .one }) {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Whether an id matches, in time that is at most the product of the lengths.
    package func matches(_ id: String) -> Bool {
        let scalars = Array(id.unicodeScalars)
        var (part, place) = (0, 0)
        // Where to go on when what follows the last `*` does not fit.
        var (afterAny, retry) = (-1, 0)
        while place < scalars.count {
            if part < parts.count, parts[part] == .any {
                (afterAny, retry) = (part + 1, place)
                part += 1
            } else if part < parts.count, fits(parts[part], scalars[place]) {
                part += 1
                place += 1
            } else if afterAny >= 0 {
                retry += 1
                (part, place) = (afterAny, retry)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .any }
    }

    private func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .one: true
        case .literal(let literal): literal == scalar
        case .any: false
        }
    }
}
