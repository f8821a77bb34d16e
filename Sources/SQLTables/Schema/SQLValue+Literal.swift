public import SQLCore
internal import StorePlatform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SQLValue {
    /// The value as an SQL literal: `1`, `2.5`, `'text'`, `x'00FF'` or `NULL`.
    ///
    /// NaN is `NULL`, as SQLite stores it. Text with a NUL is a cast blob, since a statement ends
    /// at its first NUL.
    ///
    /// It is for statements that do not permit parameters, such as `CREATE TABLE … DEFAULT`; bind
    /// values everywhere else.
    ///
    /// ```swift
    /// let value = SQLValue("O'Brien")
    /// print(value.literalValue)  // 'O''Brien'
    /// ```
    public var literalValue: String {
        switch self {
        case .long(let number): String(number)
        case .real(let number): realLiteral(number)
        case .text(let text): textLiteral(text)
        case .blob(let bytes): blobLiteral(bytes)
        case .null: "NULL"
        }
    }
}

private func realLiteral(_ number: Double) -> String {
    if number.isNaN { return "NULL" }
    // SQLite has no literal for infinity: a number out of range evaluates to it.
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    return number.description
}

private func textLiteral(_ text: String) -> String {
    guard text.hasNUL else { return text.sqlText }
    return "CAST(\(blobLiteral(text.utf8)) AS TEXT)"
}

private func blobLiteral(_ bytes: some Collection<UInt8>) -> String {
    "x'" + Hexadecimal.encoded(bytes).uppercased() + "'"
}
