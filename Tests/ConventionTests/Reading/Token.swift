/// One word or sign of Swift source. Comments and the text of strings are not tokens, so a rule
/// that looks at tokens never errors one for code.
struct Token: Equatable, Sendable {
    enum Kind: Sendable {
        /// An identifier or a keyword, with its backticks if it has any.
        case word
        /// A number.
        case number
        /// A string or a regular expression. ``Token/text`` is what stands between its opening
        /// delimiter and its first interpolation, or its end.
        case literal
        /// One character of punctuation; an operator of two characters is two tokens.
        case sign
    }

    var kind: Kind
    var text: String

    /// The line it begins in, counted from 1.
    var line: Int

    /// Nothing, neither blank nor comment, stands between the token before and this one.
    var isGlued: Bool

    /// It is the first token of its line.
    var isFirstOnLine: Bool

    func isWord(_ word: String) -> Bool { kind == .word && text == word }

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}
