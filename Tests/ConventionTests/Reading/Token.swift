/// A word, literal or punctuation character of Swift source. Comments and the contents of strings
/// are not tokens, so that a rule cannot mistake them for code.
struct Token: Equatable, Sendable {
    enum Kind: Sendable {
        /// An identifier or a keyword, with its backticks if it has any.
        case word
        /// A number.
        case number
        /// A string or a regular expression. ``Token/text`` is its text from the opening delimiter
        /// to the first interpolation, or to the end.
        case literal
        /// One character of punctuation; an operator of two characters is two tokens.
        case sign
    }

    var kind: Kind
    var text: String

    /// The line in which it starts, counted from 1.
    var line: Int

    /// Whether it follows the previous token directly, without a blank or a comment.
    var isGlued: Bool

    /// Whether it is the first token on its line.
    var isFirstOnLine: Bool

    func isWord(_ word: String) -> Bool { kind == .word && text == word }

    func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
}
