internal import StoreFormat

/// Contextual keywords of SQL++, which are names elsewhere.
///
/// They are not keywords in LiteCore, so queries that were written for it may use them as names of
/// properties and aliases.
package enum SQLPPContextualKeyword: String, CaseIterable, Sendable {
    case all, current, delete, element, escape, except, exclude, exists, filter, first, following
    case groups, intersect, last, `let`, no, nulls, others, over, partition, preceding, range, raw
    case row, rows, set, some, ties, unbounded, union, unset, update, value, with

    /// The keywords that are ambiguous where a name is allowed.
    static let needingQuotes: Set<String> = [
        all.rawValue, exists.rawValue, some.rawValue, unbounded.rawValue,
    ]

    /// Whether the text is this keyword, in any case.
    func isWritten(_ bytes: ArraySlice<UInt8>) -> Bool {
        let letters = rawValue.utf8
        return bytes.count == letters.count
            && zip(bytes, letters).allSatisfy { $0 | 0x20 == $1 && $0 >= 0x41 }
    }
}

extension SQLPPParser {
    /// Whether the next token, or a later one, is this keyword.
    func isWord(_ word: SQLPPContextualKeyword, after count: Int = 0) -> Bool {
        kind(after: count) == .name && word.isWritten(source(after: count))
    }

    mutating func skip(_ word: SQLPPContextualKeyword) -> Bool {
        guard isWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ word: SQLPPContextualKeyword) throws {
        guard skip(word) else { throw unexpected(word.rawValue.asciiUppercased) }
    }

    /// Whether a later token can follow an alias. A word before it is then an alias, even if it is
    /// also a keyword.
    func endsItem(after count: Int) -> Bool {
        switch kind(after: count) {
        case .end, .symbol(.comma), .symbol(.rightParenthesis), .symbol(.semicolon): true
        case .keyword(let keyword):
            switch keyword {
            case .from, .where, .group, .having, .order, .limit, .offset, .join, .inner, .left,
                .cross, .unnest, .on, .natural, .right, .using:
                true
            default: false
            }
        default: false
        }
    }

    /// Reads `[AS] alias` if present; an alias cannot be one of the words that may follow.
    mutating func parseAlias(unless words: [SQLPPContextualKeyword] = []) throws -> String? {
        if skip(.as) { return try parseName("a name") }
        guard let name else { return nil }
        let isClause =
            words.contains { isWord($0) }
            || Self.clauses.contains { isWord($0) } && !endsItem(after: 1)
        if isClause { return nil }
        advance()
        return name
    }

    /// The words that may follow an alias.
    private static let clauses: [SQLPPContextualKeyword] = [.let, .union, .intersect, .except]
}
