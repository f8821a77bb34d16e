/// An index that finds servers by what people type.
///
/// Looked at are a server's name, city (also in the user's language), state and gateway, and the
/// codes and names of the countries where traffic leaves and enters. The text is split at white
/// space, and each word must be the beginning of a word there: `york new` finds New York City,
/// `us-ny#6`, `ny#6` and `#61` find `US-NY#61`, `ork` finds nothing. Case, accents and such do not
/// count (`lodz` finds Łódź); `%`, `_` and quotes stand for themselves. Nothing but white space
/// finds all servers. Of the text, as of a server's texts, only the first 200 code points count.
///
/// ```swift
/// let search = ServerSearch(servers: servers, names: .current)
/// for match in search.find("zur", limit: 20) { print(servers[match.place].name) }
/// ```
///
/// It is a value: build another one when the list changes, or the language (`names`).
public struct ServerSearch: Sendable {
    /// What the best word of a server is that a search found; of several words of a search the one
    /// that was found worst decides.
    public enum Rank: Int, Comparable, CaseIterable, Sendable {
        /// The code, in whole, of the country that traffic leaves from.
        case countryCode
        /// The server's name.
        case name
        /// A city, a state or a gateway.
        case place
        /// The name of a country, where traffic leaves or enters, or part of a code.
        case country

        /// Whether it is better.
        public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    /// A server that was found.
    public struct Match: Hashable, Sendable {
        /// Its place in the servers that the index was built of.
        public let place: Int
        /// What it was found by.
        public let rank: Rank

        /// A server by its place, and what it was found by.
        public init(place: Int, rank: Rank) {
            (self.place, self.rank) = (place, rank)
        }
    }

    /// The names of countries that it finds servers by.
    public let names: CountryNames
    private let tokens: SearchTokens
    /// The place of each server, in the order of names.
    private let places: [Int]

    /// Builds the index, in time that grows a little more than the list does.
    public init(servers: [LogicalServer], names: CountryNames) {
        self.names = names
        places = SearchOrder.places(of: servers)
        var builder = SearchTokensBuilder(names: names)
        for (number, place) in places.enumerated() { builder.add(servers[place], number) }
        tokens = builder.build()
    }

    /// How many servers it knows.
    public var count: Int { places.count }

    /// The servers that a text finds, the best first: by rank, then by name as lists show them
    /// (`DE#9` before `DE#10`), then by id. A blank text finds all, with the rank of names.
    public func find(_ text: String, limit: Int = .max) -> [Match] {
        guard limit > 0 else { return [] }
        let ranks = ranks(SearchQuery(text))
        var matches: [Match] = []
        for rank in Rank.allCases {
            let wanted = rank.code
            for (number, code) in ranks.enumerated() where code == wanted {
                matches.append(Match(place: places[number], rank: rank))
                if matches.count == limit { return matches }
            }
        }
        return matches
    }

    /// The places of the servers that a text finds.
    public func places(matching text: String) -> ServerPositions {
        places(matching: SearchQuery(text))
    }

    /// The places of the servers that a query finds.
    public func places(matching query: SearchQuery) -> ServerPositions {
        var found = [Bool](repeating: false, count: places.count)
        for (number, code) in ranks(query).enumerated() where code != Rank.none {
            found[places[number]] = true
        }
        return ServerPositions(found)
    }

    private func ranks(_ query: SearchQuery) -> [UInt8] {
        if query.isBlank {
            return [UInt8](repeating: Rank.name.code, count: places.count)
        }
        return tokens.ranks(query.words, count: places.count)
    }
}

/// A set of places in a list of servers, which come in their order.
public struct ServerPositions: Sequence, Sendable {
    private let isThere: [Bool]
    /// How many there are.
    public let count: Int

    init(_ isThere: [Bool]) {
        self.isThere = isThere
        count = isThere.count(where: \.self)
    }

    /// Whether a place is among them; none is that the list does not have.
    public func contains(_ place: Int) -> Bool {
        isThere.indices.contains(place) && isThere[place]
    }

    /// Visits the places in their order.
    public func makeIterator() -> some IteratorProtocol<Int> {
        isThere.indices.lazy.filter { [isThere] in isThere[$0] }.makeIterator()
    }
}

/// The order of servers that a search finds equally well: by name, then by id.
enum SearchOrder {
    /// A name as two numbers, so that few texts are compared.
    private struct Key {
        var prefix: Int
        var sequence: Int?
        var place: Int
    }

    /// The places of servers, in their order. Those of one id come as they stand.
    static func places(of servers: [LogicalServer]) -> [Int] {
        let names = servers.map { ServerName($0.name) }
        let prefixes = numbers(names)
        let keys = names.enumerated().map { place, name in
            Key(prefix: prefixes[text(name)] ?? 0, sequence: name.sequence, place: place)
        }
        return keys.sorted { isLess($0, $1, servers) }.map(\.place)
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
        let (id, otherID) = (servers[one.place].id, servers[other.place].id)
        guard ServerOrdering.isSame(id, otherID) else { return ServerOrdering.isLess(id, otherID) }
        return one.place < other.place
    }
}
