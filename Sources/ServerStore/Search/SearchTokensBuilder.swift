/// Gathers the words of servers. Texts that many have, such as cities, are folded once.
struct SearchTokensBuilder {
    private let names: CountryNames
    private var folding = SearchFolding()
    private var tokens: [SearchToken] = []
    private var links: [(value: Int, server: Int)] = []
    private var known: [SearchValue: Int] = [:]
    private var valueCount = 0

    init(names: CountryNames) {
        self.names = names
    }

    mutating func add(_ logical: LogicalServer, _ server: Int) {
        logical.forEachSearchValue { links.append((number(of: $0), server)) }
    }

    func build() -> SearchTokens {
        SearchTokens(bytes: folding.bytes, tokens: tokens, valueCount: valueCount, links: links)
    }

    /// Names are each server's own: there is no use in remembering them.
    private mutating func number(of value: SearchValue) -> Int {
        if value.kind == .name {
            addTokens(.name, value.text)
        } else if let number = known[value] {
            return number
        } else {
            for (field, text) in value.texts(names) { addTokens(field, text) }
            known[value] = valueCount
        }
        valueCount += 1
        return valueCount - 1
    }

    private mutating func addTokens(_ field: SearchField, _ text: String) {
        let begin = folding.bytes.count
        folding.append(text)
        let end = folding.bytes.count
        for start in folding.starts {
            tokens.append(
                SearchToken(
                    head: head(start..<end), bytes: start..<end, value: valueCount, field: field,
                    isWhole: start == begin))
        }
    }

    private func head(_ range: Range<Int>) -> UInt64 {
        var head: UInt64 = 0
        for offset in 0..<8 {
            let index = range.lowerBound + offset
            head = head << 8 | (index < range.upperBound ? UInt64(folding.bytes[index]) : 0)
        }
        return head
    }
}
