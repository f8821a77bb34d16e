/// A way into a value: `name.last`, `likes[0]`, `contact.emails[-1].text`.
///
/// The text is `name` or `[index]`, then any number of `.name` or `[index]`. A negative index
/// counts from the end. `$` is the value itself, and `$.` may come first. A backslash takes `.`,
/// `[`, `\` and a leading `$` literally.
///
/// A name may also stand in brackets and quotes, where a backslash takes `"` and `\` literally:
/// `a["b.c"]`, `a[""]`. The reference does not know that; it has no text for an empty key.
public struct PropertyPath: Hashable, Sendable {
    /// One step.
    public enum Component: Hashable, Sendable {
        /// A dictionary's value for a key.
        case key(String)
        /// An array's element; a negative index counts from the end.
        case index(Int)
    }

    /// How strict the syntax is.
    public enum Syntax: Sendable {
        /// What the description above says.
        case strict
        /// As the reference: empty names are skipped (`a..b`, `a.`, `.a`), a last `]` may be
        /// missing.
        case lenient
    }

    /// The steps, the first one first; none for the value itself.
    public var components: [Component]

    /// A path of these steps.
    public init(_ components: [Component]) {
        self.components = components
    }

    /// Reads a path's text.
    ///
    /// Throws `.invalidData`, with the byte offset of what is wrong.
    public init(parsing text: String, syntax: Syntax = .strict) throws {
        var parser = PropertyPathParser(text: Array(text.utf8), isLenient: syntax == .lenient)
        components = try parser.parse()
    }
}

extension PropertyPath: CustomStringConvertible {
    /// The text, which reads back as the same path; `$` for the value itself.
    ///
    /// An empty key is `[""]`. An index beyond 32 bits, which no array has, is not read back.
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
    /// What the path leads to, nil if there is nothing.
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
    /// What the path leads to from here, nil if there is nothing.
    public subscript(path: PropertyPath) -> FleeceValue? {
        guard case .key(let key) = path.components.first else { return nil }
        return self[key]?[PropertyPath(Array(path.components.dropFirst()))]
    }
}

extension FleeceArray {
    /// An element, a negative index counting from the end; nil outside the array.
    public subscript(at index: Int) -> FleeceValue? {
        let place = index < 0 ? count + index : index
        return indices.contains(place) ? self[place] : nil
    }
}
