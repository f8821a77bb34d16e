/// An index that finds servers by search text.
///
/// A search considers a server's name, city (also in the user's language), state and gateway, and
/// the codes and names of the exit and entry countries. The search text is split at white space,
/// and each word must be a prefix of a word of the server: `york new` finds New York City,
/// `us-ny#6`, `ny#6` and `#61` find `US-NY#61`, `ork` finds nothing. Case, accents and similar
/// differences are ignored (`lodz` finds Łódź); `%`, `_` and quotes are literal. A blank text finds
/// all servers. Only the first 200 code points are used, of the search text as of a server's
/// strings.
/// ```swift
/// let logicals = servers.map(\.logical)
/// let search = ServerSearch(servers: logicals, names: .current)
/// for match in search.find("zur", limit: 20) { print(logicals[match.index].name) }
/// ```
/// ``ServerList/search(_:limit:)`` has an index of its list, so most programs do not build their
/// own. A search takes some 10 µs for 1,900 servers.
///
/// It is an immutable value: build another one when the list or the language (``names``) changes.
public struct ServerSearch: Sendable {
    /// The field of a server that best matches a word; for several words, the worst of their ranks.
    ///
    /// Ranks are sorted from the best to the worst, so `.countryCode < .name`.
    public enum Rank: Int, Comparable, CaseIterable, Sendable {
        /// The whole code of the exit country.
        case countryCode
        /// The server's name.
        case name
        /// A city, a state or a gateway.
        case place
        /// The name of the exit or entry country, or part of a code.
        case country

        /// Whether it is the rank of a better match.
        public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// A server that matches a search, and how well.
    ///
    /// ```swift
    /// let logicals = servers.map(\.logical)
    /// let matches = ServerSearch(servers: logicals, names: .current).find("no")
    /// let byCode = matches.prefix { $0.rank == .countryCode }.map { logicals[$0.index].name }
    /// ```
    public struct Match: Hashable, Sendable {
        /// The index in the servers from which the search was built.
        public let index: Int
        /// The rank of the match; matches are sorted by it.
        public let rank: Rank

        /// Creates a match, for tests; searches create the others.
        ///
        /// - Parameters:
        ///   - index: the index in the servers.
        ///   - rank: the rank of the match.
        public init(index: Int, rank: Rank) {
            (self.index, self.rank) = (index, rank)
        }
    }

    /// The names of countries by which it finds servers.
    public let names: CountryNames
    private let tokens: SearchTokens
    /// The index of each server, in the order of names.
    private let indices: [Int]

    /// Builds the index, in time slightly more than proportional to the length of the list.
    ///
    /// - Parameters:
    ///   - servers: the servers, in any order; results refer to them by index.
    ///   - names: the names of countries to match.
    public init(servers: [LogicalServer], names: CountryNames) {
        self.names = names
        indices = SearchOrder.indices(of: servers)
        var builder = SearchTokensBuilder(names: names)
        for (number, index) in indices.enumerated() { builder.add(servers[index], number) }
        tokens = builder.build()
    }

    /// The number of servers in the index.
    public var count: Int { indices.count }

    /// Returns the servers that match a search text, best first: by rank, then by name as in lists
    /// (`DE#9` precedes `DE#10`), then by ID.
    ///
    /// - Parameters:
    ///   - text: the search text; a blank one matches all servers, with the rank of names.
    ///   - limit: the maximum number of matches, without a limit by default; 0 or less finds none.
    /// - Returns: the matches, which refer to the servers by index.
    public func find(_ text: String, limit: Int = .max) -> [Match] {
        guard limit > 0 else { return [] }
        let ranks = ranks(SearchQuery(text))
        var matches: [Match] = []
        for rank in Rank.allCases {
            let wanted = rank.code
            for (number, code) in ranks.enumerated() where code == wanted {
                matches.append(Match(index: indices[number], rank: rank))
                if matches.count == limit { return matches }
            }
        }
        return matches
    }

    /// Returns the indices of the servers that match a search text, in the order of the list.
    ///
    /// Use it to filter a list in its own order; it does not sort.
    /// ```swift
    /// let search = ServerSearch(servers: servers.map(\.logical), names: .current)
    /// let found = search.indices(matching: "tokyo")
    /// print(found.count, found.map { servers[$0].logical.name })
    /// ```
    ///
    /// - Parameter text: the search text; a blank one matches all servers.
    /// - Returns: a set of indices in ascending order.
    public func indices(matching text: String) -> ServerPositions {
        indices(matching: SearchQuery(text))
    }

    /// Returns the indices of the servers that match a query, in the order of the list.
    ///
    /// - Parameter query: the folded search text, which several searches can share.
    /// - Returns: a set of indices in ascending order.
    public func indices(matching query: SearchQuery) -> ServerPositions {
        var found = [Bool](repeating: false, count: indices.count)
        for (number, code) in ranks(query).enumerated() where code != Rank.none {
            found[indices[number]] = true
        }
        return ServerPositions(found)
    }

    private func ranks(_ query: SearchQuery) -> [UInt8] {
        if query.isBlank {
            return [UInt8](repeating: Rank.name.code, count: indices.count)
        }
        return tokens.ranks(query.words, count: indices.count)
    }
}

/// A set of indices in a list of servers, in ascending order.
///
/// It takes one byte for each server of the list. `ServerSearch.indices(matching:)` returns it.
public struct ServerPositions: Sequence, Sendable {
    private let isThere: [Bool]
    /// The number of indices in the set.
    public let count: Int

    init(_ isThere: [Bool]) {
        self.isThere = isThere
        count = isThere.count(where: \.self)
    }

    /// Whether an index is in the set, by one lookup; false for one outside of the list.
    public func contains(_ index: Int) -> Bool {
        isThere.indices.contains(index) && isThere[index]
    }

    /// Returns an iterator over the indices in ascending order, which visits each server of the
    /// list.
    public func makeIterator() -> some IteratorProtocol<Int> {
        isThere.indices.lazy.filter { [isThere] in isThere[$0] }.makeIterator()
    }
}

/// The order of servers with equal rank: by name, then by ID.
enum SearchOrder {
    /// A name as two numbers, which reduces comparisons of strings.
    private struct Key {
        var prefix: Int
        var sequence: Int?
        var index: Int
    }

    /// The indices of servers in this order. Those with the same ID keep their order.
    static func indices(of servers: [LogicalServer]) -> [Int] {
        let names = servers.map { ServerName($0.name) }
        let prefixes = numbers(names)
        let keys = names.enumerated().map { index, name in
            Key(prefix: prefixes[text(name)] ?? 0, sequence: name.sequence, index: index)
        }
        return keys.sorted { isLess($0, $1, servers) }.map(\.index)
    }

    private static func text(_ name: ServerName) -> SearchValue {
        SearchValue(kind: .name, text: name.prefix)
    }

    private static func numbers(_ names: [ServerName]) -> [SearchValue: Int] {
        let sorted = Set(names.map(text))
            .sorted { ServerOrdering.isLess($0.text, $1.text) }
        return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    }

    private static func isLess(_ one: Key, _ other: Key, _ servers: [LogicalServer]) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        if one.sequence != other.sequence {
            guard let sequence = one.sequence else { return true }
            return other.sequence.map { sequence < $0 } ?? false
        }
        let (id, otherID) = (servers[one.index].id, servers[other.index].id)
        guard ServerOrdering.isSame(id, otherID) else { return ServerOrdering.isLess(id, otherID) }
        return one.index < other.index
    }
}
