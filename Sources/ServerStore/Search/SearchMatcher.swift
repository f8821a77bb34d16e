/// Tests servers one by one against a search, without an index.
///
/// It caches the results for cities, states and names of countries, which many servers share, so
/// use one matcher for all servers of a list. For repeated searches in one list, build a
/// ``ServerSearch``.
/// ```swift
/// var matcher = SearchMatcher(SearchQuery("zurich"), .current)
/// let found = servers.filter { matcher.matches($0.logical) }
/// ```
/// It is a value that changes while it is used: give each thread its own.
public struct SearchMatcher: Sendable {
    private let query: SearchQuery
    private let names: CountryNames
    /// The rank of each word in a string.
    private var known: [SearchValue: [UInt8]] = [:]
    private var folding = SearchFolding()

    /// Creates a matcher of a query.
    ///
    /// - Parameters:
    ///   - query: what to search for.
    ///   - names: the names of countries to match.
    public init(_ query: SearchQuery, _ names: CountryNames) {
        (self.query, self.names) = (query, names)
    }

    /// Whether a server matches the search: each word is a prefix of a word of the server.
    public mutating func matches(_ logical: LogicalServer) -> Bool { rank(of: logical) != nil }

    /// Returns the rank of a server, by which better matches precede.
    ///
    /// - Parameter logical: the server.
    /// - Returns: the rank; nil if the server does not match. A blank query gives each server the
    ///   rank of names.
    public mutating func rank(of logical: LogicalServer) -> ServerSearch.Rank? {
        if query.isBlank { return .name }
        var best = [UInt8](repeating: ServerSearch.Rank.none, count: query.words.count)
        logical.forEachSearchValue { value in
            let codes = codes(of: value)
            for index in best.indices { best[index] = min(best[index], codes[index]) }
        }
        return best.max().flatMap { ServerSearch.Rank(code: $0) }
    }

    private mutating func codes(of value: SearchValue) -> [UInt8] {
        if value.kind == .name { return codes(of: value.strings(names)) }
        if let codes = known[value] { return codes }
        let codes = codes(of: value.strings(names))
        known[value] = codes
        return codes
    }

    private mutating func codes(of strings: [(field: SearchField, text: String)]) -> [UInt8] {
        var best = [UInt8](repeating: ServerSearch.Rank.none, count: query.words.count)
        for (field, text) in strings {
            folding.removeAll()
            folding.append(text)
            for (index, word) in query.words.enumerated() where folding.hasWord(word) {
                let rank = field.rank(isWhole: folding.bytes == word)
                best[index] = min(best[index], rank.code)
            }
        }
        return best
    }
}

extension SearchFolding {
    /// Whether a word of the latest string begins with a prefix.
    fileprivate func hasWord(_ beginning: [UInt8]) -> Bool {
        starts.contains { start in
            bytes.count - start >= beginning.count
                && beginning.indices.allSatisfy { bytes[start + $0] == beginning[$0] }
        }
    }
}
