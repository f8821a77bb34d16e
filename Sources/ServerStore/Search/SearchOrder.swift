/// The order of servers that a search finds equally well: by name, then by id.
enum SearchOrder {
    /// A name as two numbers, so that few texts are compared.
    private struct Key {
        var prefix: Int
        var sequence: Int?
        var place: Int
    }

    /// The places of servers, in their order. Those of one id come as they stand.
    static func places(of servers: [Logical]) -> [Int] {
        let names = servers.map(\.serverName)
        let prefixes = numbers(names)
        let keys = names.enumerated().map { place, name in
            Key(
                prefix: prefixes[ServerText(name.prefix)] ?? 0, sequence: name.sequence,
                place: place)
        }
        return keys.sorted { isLess($0, $1, servers) }.map(\.place)
    }

    private static func numbers(_ names: [ServerName]) -> [ServerText: Int] {
        let sorted = Set(names.map { ServerText($0.prefix) })
            .sorted { ServerOrdering.isLess($0.text, $1.text) }
        return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1, $0) })
    }

    private static func isLess(_ one: Key, _ other: Key, _ servers: [Logical]) -> Bool {
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

/// A text that is itself only byte by byte: Swift takes some different ones for equal.
struct ServerText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: Self, other: Self) -> Bool { ServerOrdering.isSame(one.text, other.text) }

    // Texts of the same bytes are equal to Swift, too.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
