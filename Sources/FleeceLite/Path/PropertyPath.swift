/// A path to a nested value: `name.last`, `likes[0]`, `contact.emails[-1].text`.
///
/// A path is a subscript of values, dictionaries and arrays, and of their mutable counterparts,
/// where it can also be set. Create one path and use it for many documents: its text is parsed only
/// once.
///
/// ```swift
/// let path = try PropertyPath(parsing: "contacts[-1].emails[0]")
/// let email = fleece.root[path]?.string
/// ```
///
/// The syntax is `name` or `[index]`, followed by any number of `.name` or `[index]`. A negative
/// index counts from the end. `$` stands for the value itself, and `$.` may precede a path. A
/// backslash escapes `.`, `[`, `\` and a leading `$`.
///
/// A name may also be written in brackets and quotes, where a backslash escapes `"` and `\`:
/// `a["b.c"]`, `a[""]`. The reference lacks this syntax, and has no text for an empty key.
///
/// If the keys are not known when the program is written, create the path from its steps, which
/// need no escapes:
///
/// ```swift
/// var changes = MutableFleeceDictionary(fleeceDictionary)
/// let key = "version 1.0"
/// changes[PropertyPath([.key("downloads"), .key(key)])] = 17
/// ```
///
/// A lookup takes one step per component, each a search in a dictionary or an access to an element.
/// See also ``JSONPointer`` for the notation of RFC 6901, and <doc:PathsAndIteration>.
public struct PropertyPath: Hashable, Sendable {
    /// A step of a path: a key of a dictionary, or an index of an array.
    ///
    /// A step does not match a collection of the other kind; the path then has no value.
    public enum Component: Hashable, Sendable {
        /// The value of a key in a dictionary.
        case key(String)
        /// An element of an array; a negative index counts from the end.
        case index(Int)
    }

    /// The strictness of the parser.
    ///
    /// Use ``strict`` for paths that a person has typed, to report errors; ``lenient`` for paths of
    /// existing queries, which Couchbase Lite accepted.
    public enum Syntax: Sendable {
        /// The syntax that is described above.
        case strict
        /// The reference's syntax: empty names are skipped (`a..b`, `a.`, `.a`), and a final `]`
        /// may be missing.
        case lenient
    }

    /// The steps, the first one first; none for the value itself.
    ///
    /// ```swift
    /// var path = try PropertyPath(parsing: "contacts[0]")
    /// path.components.append(.key("emails"))
    /// show(path.description)  // contacts[0].emails
    /// ```
    public var components: [Component]

    /// Creates a path from its steps, which may contain any keys without escapes.
    ///
    /// - Parameter components: the steps, the first one first; none for the value itself.
    public init(_ components: [Component]) {
        self.components = components
    }

    /// Parses a path.
    ///
    /// ```swift
    /// let quoted = try PropertyPath(parsing: #"prices["EUR/USD"][-1]"#)
    /// let careless = try PropertyPath(parsing: "contacts[-1]..emails[0", syntax: .lenient)
    /// ```
    ///
    /// - Parameters:
    ///   - text: the path, in the syntax described at ``PropertyPath``. An empty text is an error;
    ///     `$` stands for the value itself.
    ///   - syntax: whether to accept the irregularities that Couchbase Lite accepts (default:
    ///     ``Syntax/strict``).
    /// - Throws: ``FleeceError/Code/invalidData`` with the byte offset of the error, also for an
    ///   index beyond 32 bits.
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
        let isPlain = key.utf8.allSatisfy {
            $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "\\")
                && $0 != UInt8(ascii: "$")
        }
        if isPlain { return key }
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
    ///
    /// ```swift
    /// let path = PropertyPath([.key("tags"), .index(-1)])
    /// let lastTag = fleece.root[path]?.string
    /// ```
    ///
    /// - Parameter path: the path from this value; an empty one leads to the value itself.
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
    ///
    /// The first step must be a key. An empty path has no value here; use it with a
    /// ``FleeceValue``.
    ///
    /// - Parameter path: the path from this dictionary.
    public subscript(path: PropertyPath) -> FleeceValue? {
        guard case .key(let key) = path.components.first else { return nil }
        return self[key]?[PropertyPath(Array(path.components.dropFirst()))]
    }
}

extension FleeceArray {
    /// An element; nil outside the array. A negative index counts from the end.
    ///
    /// ```swift
    /// let last = fleeceArray[at: -1]
    /// let tenth = fleeceArray[at: 9]?.string
    /// ```
    /// - Parameter index: the position from the beginning, 0 for the first element, or from the
    ///   end, -1 for the last one.
    public subscript(at index: Int) -> FleeceValue? {
        let position = index < 0 ? count + index : index
        return indices.contains(position) ? self[position] : nil
    }
}
