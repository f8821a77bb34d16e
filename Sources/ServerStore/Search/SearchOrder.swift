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
