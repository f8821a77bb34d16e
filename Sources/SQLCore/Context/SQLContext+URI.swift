extension SQLContext {
    /// A path as SQLite's URI, with parameters as they stand behind `?`.
    package static func uri(path: String, parameters: String) -> String {
        "file:\(escaped(path))?\(parameters)"
    }

    /// A path as part of a URI: everything but letters, digits and `/-._~` as `%xx`.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            let letter = Character(Unicode.Scalar(byte))
            if letter.isASCII, letter.isLetter || letter.isNumber || "/-._~".contains(letter) {
                uri.append(letter)
            } else {
                uri += byte < 16 ? "%0" : "%"
                uri += String(byte, radix: 16)
            }
        }
    }
}
