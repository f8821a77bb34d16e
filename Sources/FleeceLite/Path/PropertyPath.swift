/// A path to a nested value: `name.last`, `likes[0]`, `contact.emails[-1].text`.
///
/// A path is `name` or `[index]`, followed by any number of `.name` or `[index]`. A negative index
/// counts from the end. `$` stands for the value itself, and `$.` may precede a path. A backslash
/// escapes `.`, `[`, `\` and a leading `$`.
///
/// A name may also be written in brackets and quotes, where a backslash escapes `"` and `\`:
/// `a["b.c"]`, `a[""]`. The reference lacks this syntax, and has no text for an empty key.
public struct PropertyPath: Hashable, Sendable {
    /// A step of a path.
    public enum Component: Hashable, Sendable {
        /// The value of a key in a dictionary.
        case key(String)
        /// An element of an array; a negative index counts from the end.
        case index(Int)
    }

    /// The strictness of the parser.
    public enum Syntax: Sendable {
        /// The syntax that is described above.
        case strict
        /// The reference's syntax: empty names are skipped (`a..b`, `a.`, `.a`), and a final `]`
        /// may be missing.
        case lenient
    }

    /// The steps, the first one first; none for the value itself.
    public var components: [Component]

    /// Creates a path from its steps.
    public init(_ components: [Component]) {
        self.components = components
    }

    /// Parses a path.
    ///
    /// Throws `.invalidData`, with the byte offset of the error.
    public init(parsing text: String, syntax: Syntax = .strict) throws {
        var parser = PropertyPathParser(text: Array(text.utf8), isLenient: syntax == .lenient)
        components = try parser.parse()
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The path's text, which parses as the same path; `$` for the value itself.
    ///
    /// An empty key is `[""]`. An index beyond 32 bits, which no array has, cannot be parsed.
    public var description: String {
        var text = ""
        for (index, component) in components.enumerated() {
            switch component {
            case .index(let number): text += "[\(number)]"
            case .key(""): text += #"[""]"#
            case .key(let key):
                if index > 0 { text += "." }
                text += Self.escaped(key, isFirst: index == 0)
            }
        }
        return text.isEmpty ? "$" : text
    }

    private static func escaped(_ key: String, isFirst: Bool) -> String {
        var escaped = String.UnicodeScalarView()
        if isFirst, key.unicodeScalars.first == "$" { escaped.append("\\") }
        for scalar in key.unicodeScalars {
            if scalar == "." || scalar == "[" || scalar == "\\" { escaped.append("\\") }
            escaped.append(scalar)
        }
        return String(escaped)
    }
}

extension FleeceValue {
    /// The value at a path; nil if there is none.
    ///
    /// Each step is a lookup in a dictionary or an array. A step that does not match, such as a key
    /// in an array, results in nil.
    public subscript(path: PropertyPath) -> FleeceValue? {
        path.components.reduce(self as FleeceValue?) { value, component in
            switch component {
            case .key(let key): value?.dictionary?[key]
            case .index(let index): value?.array?[at: index]
            }
        }
    }
}

extension FleeceDictionary {
    /// The value at a path from here; nil if there is none.
    public subscript(path: PropertyPath) -> FleeceValue? {
        guard case .key(let key) = path.components.first else { return nil }
        return self[key]?[PropertyPath(Array(path.components.dropFirst()))]
    }
}

extension FleeceArray {
    /// An element; nil outside the array. A negative index counts from the end.
    public subscript(at index: Int) -> FleeceValue? {
        let position = index < 0 ? count + index : index
        return indices.contains(position) ? self[position] : nil
    }
}
