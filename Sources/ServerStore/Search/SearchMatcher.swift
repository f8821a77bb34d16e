/// Asks one server after the other whether a search finds it, without an index.
///
/// It remembers what it has found in cities, states and names of countries, of which many servers
/// have the same, so keep one for all servers of a list.
public struct SearchMatcher: Sendable {
    private let query: SearchQuery
    private let names: CountryNames
    /// How well a text has each word.
    private var known: [SearchValue: [UInt8]] = [:]
    private var folding = SearchFolding()

    /// What is looked for, and the names of countries that servers are found by.
    public init(_ query: SearchQuery, _ names: CountryNames) {
        (self.query, self.names) = (query, names)
    }

    /// Whether the search finds a server.
    public mutating func matches(_ logical: LogicalServer) -> Bool { rank(of: logical) != nil }

    /// How well the search finds a server; nil if it does not.
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
        if value.kind == .name { return codes(of: value.texts(names)) }
        if let codes = known[value] { return codes }
        let codes = codes(of: value.texts(names))
        known[value] = codes
        return codes
    }

    private mutating func codes(of texts: [(field: SearchField, text: String)]) -> [UInt8] {
        var best = [UInt8](repeating: ServerSearch.Rank.none, count: query.words.count)
        for (field, text) in texts {
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
    /// Whether a word of the latest text begins so.
    fileprivate func hasWord(_ beginning: [UInt8]) -> Bool {
        starts.contains { start in
            bytes.count - start >= beginning.count
                && beginning.indices.allSatisfy { bytes[start + $0] == beginning[$0] }
        }
    }
}
