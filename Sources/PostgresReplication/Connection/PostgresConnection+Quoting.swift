extension PostgresConnection {
    /// A name in quotation marks.
    static func quoted(_ name: String) -> String { enclosed(name, in: "\"") }

    /// A string as a literal, for servers with `standard_conforming_strings`, the default.
    static func literal(_ text: String) -> String { enclosed(text, in: "'") }

    /// Doubles the marks. A mark before a combining character is one, too, so that the string is
    /// not split by characters.
    private static func enclosed(_ text: String, in mark: Unicode.Scalar) -> String {
        var result = String.UnicodeScalarView([mark])
        for scalar in text.unicodeScalars {
            if scalar == mark { result.append(mark) }
            result.append(scalar)
        }
        result.append(mark)
        return String(result)
    }
}
