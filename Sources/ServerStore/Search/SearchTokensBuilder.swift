/// Gathers the words of servers. Texts that many have, such as cities, are folded once.
struct SearchTokensBuilder {
    private let names: CountryNames
    private var folding = SearchFolding()
    private var tokens: [SearchToken] = []
    private var links: [(value: Int, server: Int)] = []
    private var valueCount = 0
    private var exits: [ServerText: Int] = [:]
    private var entries: [ServerText: Int] = [:]
    private var places: [ServerText: Int] = [:]

    init(names: CountryNames) {
        self.names = names
    }

    /// Adds what `Logical.searchTexts` gives of a server.
    mutating func add(_ logical: Logical, _ server: Int) {
        links.append((value([(.name, logical.name)]), server))
        let exit = logical.exitCountryCode
        links.append((value(of: exit, as: .code, in: \.exits), server))
        if let entry = logical.searchEntry {
            links.append((value(of: entry, as: .country, in: \.entries), server))
        }
        for place in logical.searchPlaces {
            links.append((value(of: place, as: .place, in: \.places), server))
        }
    }

    func build() -> SearchTokens {
        SearchTokens(bytes: folding.bytes, tokens: tokens, valueCount: valueCount, links: links)
    }

    /// The number of a text that others may have, too; a country's code brings its name.
    private mutating func value(
        of text: String, as field: SearchField,
        in known: WritableKeyPath<Self, [ServerText: Int]>
    ) -> Int {
        if let value = self[keyPath: known][ServerText(text)] { return value }
        let name: [(SearchField, String)] =
            field == .place ? [] : [(.country, names.name(of: text))]
        let number = value([(field, text)] + name)
        self[keyPath: known][ServerText(text)] = number
        return number
    }

    /// A number for texts that come together.
    private mutating func value(_ texts: [(SearchField, String)]) -> Int {
        for (field, text) in texts {
            let begin = folding.bytes.count
            folding.append(text)
            let end = folding.bytes.count
            for start in folding.starts {
                tokens.append(
                    SearchToken(
                        head: head(start..<end), bytes: start..<end, value: valueCount,
                        field: field, isWhole: start == begin))
            }
        }
        valueCount += 1
        return valueCount - 1
    }

    private func head(_ range: Range<Int>) -> UInt64 {
        let bytes = folding.bytes[range].prefix(8)
        let head = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        return head << UInt64(8 * (8 - bytes.count))
    }
}
