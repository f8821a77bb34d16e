/// A piece of a page that is also well-formed XML: text is escaped when it is added.
struct Markup {
    let source: String

    private init(source: String) {
        self.source = source
    }

    /// Creates text.
    init(_ text: String) {
        source = Self.escaped(text)
    }

    /// Creates an element with contents.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [Markup]
    ) -> Markup {
        let inside = content.map(\.source).joined()
        return Markup(source: "<\(name)\(written(attributes))>\(inside)</\(name)>")
    }

    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String
    ) -> Markup {
        element(name, attributes, [Markup(text)])
    }

    static func element(_ name: String, _ content: [Markup]) -> Markup {
        element(name, [:], content)
    }

    static func element(_ name: String, _ text: String) -> Markup {
        element(name, [:], [Markup(text)])
    }

    /// Creates an empty element.
    static func empty(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:]
    ) -> Markup {
        Markup(source: "<\(name)\(written(attributes))/>")
    }

    /// Creates a style sheet from a literal.
    static func style(_ sheet: StaticString) -> Markup {
        Markup(source: "<style>\n\(sheet)\n</style>")
    }

    private static func written(_ attributes: KeyValuePairs<String, String>) -> String {
        attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }

    /// Characters that XML does not allow become U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}":
                escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
