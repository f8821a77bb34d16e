/// A suffix of a searched string that starts at a word.
struct SearchToken: Sendable {
    /// The first eight bytes, padded with zeros: enough to sort most tokens.
    let head: UInt64
    let bytes: Range<Int>
    /// The number of the string, which many servers may share.
    let value: Int
    let field: SearchField
    /// Whether it is the whole string.
    let isWhole: Bool
}

/// All words of a list, sorted, and the servers that have them.
///
/// A server is represented by its rank in the order of names.
struct SearchTokens: Sendable {
    /// The folded strings, concatenated.
    private let bytes: [UInt8]
    private let tokens: [SearchToken]
    /// The servers that have the first string, those that have the second, and so on.
    private let servers: [Int]
    /// The start of each string's servers in `servers`, and the end of the last one's.
    private let bounds: [Int]

    /// - Parameter links: the strings and the servers that have them.
    init(
        bytes: [UInt8], tokens: [SearchToken], valueCount: Int,
        links: [(value: Int, server: Int)]
    ) {
        self.bytes = bytes
        self.tokens = bytes.withUnsafeBufferPointer { bytes in
            tokens.sorted { one, other in
                if one.head != other.head { return one.head < other.head }
                return bytes[one.bytes].lexicographicallyPrecedes(bytes[other.bytes])
            }
        }
        var bounds = [Int](repeating: 0, count: valueCount + 1)
        for link in links { bounds[link.value + 1] += 1 }
        for value in 0..<valueCount { bounds[value + 1] += bounds[value] }
        var servers = [Int](repeating: 0, count: links.count)
        var ends = bounds
        for link in links {
            servers[ends[link.value]] = link.server
            ends[link.value] += 1
        }
        (self.servers, self.bounds) = (servers, bounds)
    }

    /// The rank of each of `count` servers in a search for all words, of which there is at least
    /// one.
    ///
    /// For each word it visits the servers that have the word; it stops at the first word that
    /// matches none of the servers that matched the previous words.
    func ranks(_ words: [[UInt8]], count: Int) -> [UInt8] {
        var worst: [UInt8] = []
        // Long words are rare ones.
        for word in words.sorted(by: { $0.count > $1.count }) {
            let best = ranks(of: word, count)
            worst = worst.isEmpty ? best : zip(worst, best).map { Swift.max($0, $1) }
            if !worst.contains(where: { $0 != ServerSearch.Rank.none }) { break }
        }
        return worst
    }

    private func ranks(of word: [UInt8], _ count: Int) -> [UInt8] {
        var best = [UInt8](repeating: ServerSearch.Rank.none, count: count)
        for index in range(of: word) {
            let token = tokens[index]
            let isWhole = token.isWhole && token.bytes.count == word.count
            let code = token.field.rank(isWhole: isWhole).code
            for position in bounds[token.value]..<bounds[token.value + 1] {
                let server = servers[position]
                if code < best[server] { best[server] = code }
            }
        }
        return best
    }

    /// The tokens that begin with a word.
    private func range(of word: [UInt8]) -> Range<Int> {
        let start = first { bytes[$0.bytes].lexicographicallyPrecedes(word) }
        let end = first {
            bytes[$0.bytes].starts(with: word) || bytes[$0.bytes].lexicographicallyPrecedes(word)
        }
        return start..<Swift.max(start, end)
    }

    /// The first token that does not precede; those that precede come first.
    private func first(behind isBefore: (SearchToken) -> Bool) -> Int {
        var (low, high) = (0, tokens.count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(tokens[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ServerSearch.Rank {
    /// The code of a server that does not match, instead of a rank's code.
    static let none = UInt8(allCases.count)

    /// The code of a rank; lower is better.
    var code: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// The rank of a code; nil for `none`.
    init?(code: UInt8) {
        self.init(rawValue: Int(code))
    }
}

/// Collects the words of servers. Strings that many servers share, such as cities, are folded once.
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

    /// Names are unique to servers, so they are not cached.
    private mutating func number(of value: SearchValue) -> Int {
        if value.kind == .name {
            addTokens(.name, value.text)
        } else if let number = known[value] {
            return number
        } else {
            for (field, text) in value.strings(names) { addTokens(field, text) }
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
