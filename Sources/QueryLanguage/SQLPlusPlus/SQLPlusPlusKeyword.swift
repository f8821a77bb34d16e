/// The words of SQL++ that are no names unless they are written in back-quotes.
package enum SQLPlusPlusKeyword: String, CaseIterable, Hashable, Sendable {
    case and, any, `as`, asc, between, by, `case`, collate, cross, desc, distinct, `else`, end
    case every, `false`, from, group, having, `in`, inner, `is`, join, left, like, limit, missing
    case natural, not, null, offset, on, or, order, outer, right, satisfies, select, then, `true`
    case unnest, using, valued, when, `where`

    /// The longest of them has so many bytes.
    private static let longest = 9
    private static let all = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// The keyword that is written so, in any case.
    init?(_ bytes: some Swift.Collection<UInt8>) {
        guard bytes.count <= Self.longest,
            let keyword = Self.all[String(asciiLowercase: bytes)]
        else { return nil }
        self = keyword
    }
}

extension String {
    /// A text with the letters from `A` to `Z` in lower case, the others as they are.
    package init(asciiLowercase bytes: some Swift.Collection<UInt8>) {
        self = String(
            decoding: bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
