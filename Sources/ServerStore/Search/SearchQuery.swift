/// A search text for servers, folded once; see ``ServerSearch`` for what it matches.
///
/// A query tests a single server, ``SearchMatcher`` one server after the other, and
/// ``ServerSearch`` all servers of a list at once; all three give the same results. Two queries are
/// equal if their folded words are the same, in any order.
/// ```swift
/// let query = SearchQuery("Zürich #3")
/// if query.matches(server.logical, .current) { print(server.logical.name) }
/// print(SearchQuery("zurich") == SearchQuery("ZÜRICH"))  // true
/// ```
public struct SearchQuery: Hashable, Sendable {
    /// The folded words, none of which is a prefix of another.
    let words: [[UInt8]]

    /// Creates a query from a search text. Each string is a query, so it cannot fail.
    ///
    /// - Parameter text: words separated by white space, of which only the first 200 code points
    ///   are used.
    public init(_ text: String) {
        var folding = SearchFolding()
        folding.append(text)
        let words = folding.bytes.split(separator: 0x20).map { Array($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        // A match of a word is also a match of its prefix, so only the longer word is needed.
        let next = words.dropFirst().map { $0 } + [[]]
        self.words = zip(words, next).filter { !$1.starts(with: $0) }.map(\.0)
    }

    /// Whether there is no word to search for, so that every server matches.
    public var isBlank: Bool { words.isEmpty }

    /// Whether a server matches, with the names of countries in a language. Each call reads all
    /// strings of the server.
    public func matches(_ logical: LogicalServer, _ names: CountryNames) -> Bool {
        rank(of: logical, names) != nil
    }

    /// Returns the rank of a server.
    ///
    /// - Parameters:
    ///   - logical: the server.
    ///   - names: the names of countries to match.
    /// - Returns: the rank, the worst of those of the words; nil if the server does not match.
    public func rank(of logical: LogicalServer, _ names: CountryNames) -> ServerSearch.Rank? {
        var matcher = SearchMatcher(self, names)
        return matcher.rank(of: logical)
    }
}
