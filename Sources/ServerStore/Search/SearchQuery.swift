/// A text that somebody looks for servers with; `ServerSearch` says what it finds.
///
/// This asks a single server, `SearchMatcher` one after the other, and `ServerSearch` all of a list
/// at once; all three find the same.
public struct SearchQuery: Hashable, Sendable {
    /// The folded words, none of which is the beginning of another.
    let words: [[UInt8]]

    /// What is looked for. Only the first 200 code points count.
    public init(_ text: String) {
        var folding = SearchFolding()
        folding.append(text)
        let words = folding.bytes.split(separator: 0x20).map { Array($0) }
            .sorted { $0.lexicographicallyPrecedes($1) }
        // Where a word matches, so does its beginning: only the longer one is asked.
        let next = words.dropFirst().map { $0 } + [[]]
        self.words = zip(words, next).filter { !$1.starts(with: $0) }.map(\.0)
    }

    /// Whether there is no word to look for, so that every server is found.
    public var isBlank: Bool { words.isEmpty }

    /// Whether it finds a server.
    public func matches(_ logical: LogicalServer, _ names: CountryNames) -> Bool {
        rank(of: logical, names) != nil
    }

    /// How well it finds a server; nil if it does not.
    public func rank(of logical: LogicalServer, _ names: CountryNames) -> ServerSearch.Rank? {
        var matcher = SearchMatcher(self, names)
        return matcher.rank(of: logical)
    }
}
