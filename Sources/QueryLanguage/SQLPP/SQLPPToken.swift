/// A word, number or sign of a text in SQL++, and where it stands.
struct SQLPPToken: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// Behind the last one.
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
        /// What cannot be read; nothing behind it is.
        case invalid(Problem)
    }

    /// Signs.
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

    /// Why a token cannot be read.
    enum Problem: Hashable, Sendable {
        case openString, openName, openComment, namelessParameter, gluedNumber, character
    }

    var kind: Kind
    /// Its bytes in the text, quotes included.
    var range: Range<Int>
}
