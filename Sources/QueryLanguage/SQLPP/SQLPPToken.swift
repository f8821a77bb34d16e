/// A token of SQL++ text, and its position.
struct SQLPPToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// The end of the text.
        case end
        case name
        /// In back-quotes.
        case quotedName
        case keyword(SQLPPKeyword)
        /// In single or double quotes.
        case string
        /// Decimal digits.
        case integer
        /// A number with a point or an exponent.
        case real
        /// `$` and a name.
        case parameter
        case symbol(Symbol)
        /// An invalid token; the text after it is not read.
        case invalid(Problem)
    }

    /// Symbols.
    enum Symbol: String, Hashable, Sendable {
        case concatenate = "||"
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case notEqual = "!="
        case lessOrGreater = "<>"
        case doubleEqual = "=="
        case shiftLeft = "<<"
        case shiftRight = ">>"
        case equal = "="
        case less = "<"
        case greater = ">"
        case plus = "+"
        case minus = "-"
        case star = "*"
        case slash = "/"
        case percent = "%"
        case ampersand = "&"
        case bar = "|"
        case leftParenthesis = "("
        case rightParenthesis = ")"
        case leftBracket = "["
        case rightBracket = "]"
        case leftBrace = "{"
        case rightBrace = "}"
        case comma = ","
        case dot = "."
        case colon = ":"
        case semicolon = ";"
    }

    /// Why a token is invalid.
    enum Problem: Hashable, Sendable {
        case openString, openName, openComment, namelessParameter, gluedNumber, character
    }

    var kind: Kind
    /// Its byte range in the text, quotes included.
    var range: Range<Int>
}
