/// A pattern of ids: `*` matches any characters, `?` matches one, and `\` escapes the next one.
package struct KeyPattern {
    private enum Part: Equatable {
        case literal(Unicode.Scalar), one, any
    }

    private let parts: [Part]

    /// Returns nil for a text without `*` and `?`, including escaped ones, which is an ID.
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

    /// Whether more than one ID can match: it contains an unescaped `*` or `?`.
    package var isOpen: Bool { parts.contains { $0 == .any || $0 == .one } }

    /// The common prefix of all matching IDs.
    package var prefix: String {
        var scalars = String.UnicodeScalarView()
        for case .literal(let scalar) in parts.prefix(while: { $0 != .any && $0 != .one }) {
            scalars.append(scalar)
        }
        return String(scalars)
    }

    /// Whether an ID matches. The time is at most proportional to the product of the lengths.
    package func matches(_ id: String) -> Bool {
        let scalars = Array(id.unicodeScalars)
        var (part, position) = (0, 0)
        // The position to retry from when the rest after the last `*` does not match.
        var (afterAny, retry) = (-1, 0)
        while position < scalars.count {
            if part < parts.count, parts[part] == .any {
                (afterAny, retry) = (part + 1, position)
                part += 1
            } else if part < parts.count, fits(parts[part], scalars[position]) {
                part += 1
                position += 1
            } else if afterAny >= 0 {
                retry += 1
                (part, position) = (afterAny, retry)
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
