import Foundation
import ProjectTestSupport
import SampleData
import ServerStore
import StoreTestSupport
import Testing

@Suite("The index and the test of one server agree")
struct SearchAgreementTests {
    private static let pieces = [
        "a", "b", "New", "York", "Łódź", "é", "e\u{301}", "ß", "ss", "İ", " ", "  ", "-", "#", "1",
        "61", "%", "_", "'", "’", "ñ", "東京", "が", "\u{200b}", "\u{301}", "🇨🇭", "\0", "US", "CH",
        "uk", "\u{ac00}", "Ａ", "\n", "Æ",
    ]

    // Read once for all cases.
    private static let live = Result { try GoldenServers.live() }
    private static let test = Result { try GoldenServers.test() }

    private static func text(_ generator: inout SeededGenerator, upTo count: Int = 6) -> String {
        let long = generator.below(40) == 0
        let count = long ? 150 + generator.below(100) : generator.below(count + 1)
        return (0..<count).map { _ in pieces[generator.below(pieces.count)] }.joined()
    }

    private static func code(_ generator: inout SeededGenerator) -> String {
        let codes = ["US", "CH", "UK", "GB", "SE", "Ch", "XX", "", "U S", "É", "E\u{301}"]
        return codes[generator.below(codes.count)]
    }

    private static func server(_ generator: inout SeededGenerator) -> LogicalServer {
        func maybe() -> String? { generator.below(2) == 0 ? text(&generator) : nil }
        let kind: LogicalServer.Kind =
            switch generator.below(3) {
            case 0: .country
            case 1: .secureCore(entryCountryCode: code(&generator))
            default: .gateway(name: text(&generator))
            }
        return SearchFixture.server(
            text(&generator), code(&generator), id: "\(generator.below(20))", city: maybe(),
            translated: maybe(), state: maybe(), kind: kind)
    }

    /// Words and parts of words of the servers, so that something is found.
    private static func query(_ servers: [LogicalServer], _ generator: inout SeededGenerator)
        -> String
    {
        guard generator.below(3) > 0 else { return text(&generator) }
        let server = servers[generator.below(servers.count)]
        let texts = [server.name, server.city, server.exitCountryCode, "Switz", server.gatewayName]
        return (0...generator.below(2)).map { _ in
            let text = texts[generator.below(texts.count)] ?? ""
            return String(text.unicodeScalars.prefix(1 + generator.below(12)))
        }.joined(separator: " ")
    }

    private func check(_ text: String, _ servers: [LogicalServer], _ search: ServerSearch) -> Int {
        let query = SearchQuery(text)
        let expected = servers.map { query.rank(of: $0, search.names) }
        var ranks = [ServerSearch.Rank?](repeating: nil, count: servers.count)
        let matches = search.find(text)
        for match in matches { ranks[match.index] = match.rank }
        #expect(ranks == expected, "\(text.debugDescription)")
        #expect(Set(matches.map(\.index)).count == matches.count)
        #expect(matches.map(\.rank) == matches.map(\.rank).sorted())
        #expect(Array(search.indices(matching: text)) == matches.map(\.index).sorted())
        var matcher = SearchMatcher(query, search.names)
        #expect(servers.map { matcher.rank(of: $0) } == expected)
        for (server, rank) in zip(servers, expected).prefix(5) {
            #expect(matcher.matches(server) == (rank != nil))
            #expect(query.matches(server, search.names) == (rank != nil))
        }
        return matches.count
    }

    @Test("on servers and searches that are made up", arguments: 1...25 as ClosedRange<UInt64>)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let servers = (0...generator.below(30)).map { _ in Self.server(&generator) }
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        var found = 0
        for _ in 0..<50 {
            found += check(Self.query(servers, &generator), servers, search)
        }
        #expect(found > 0, "seed \(seed)")
    }

    @Test("an index distinguishes strings that Swift treats as equal")
    func canonicallyEqual() {
        let long = String(repeating: "é", count: 150)
        let servers = [long, long.decomposedStringWithCanonicalMapping].enumerated().map {
            SearchFixture.server("A#\($0)", "AT", city: $1 + "x")
        }
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        _ = check(long, servers, search)
        #expect(check(String(repeating: "e", count: 150) + "x", servers, search) == 1)
    }

    @Test(
        "on the servers of a real list", .enabled(if: GoldenFiles.arePresent, "no golden files"),
        arguments: [
            // As counted in the file by other means; one is from Switzerland to the United Kingdom.
            ("us", 100), ("zur", 13), ("ch", 38), ("united s", 101), ("são", 4), ("SAO PAULO", 4),
            ("san jose", 12), ("york", 4), ("#1", 220), ("", 405), ("is-", 11), ("%", 0),
        ])
    func live(text: String, count: Int) throws {
        let servers = try Self.live.get()
        let names = ["US": "United States", "GB": "United Kingdom", "CH": "Switzerland"]
        let search = ServerSearch(servers: servers, names: CountryNames(names))
        #expect(check(text, servers, search) == count)
    }

    @Test(
        "on the servers of the original's tests",
        .enabled(if: GoldenFiles.arePresent, "no golden files"),
        arguments: [
            ("us-ny#6", 2), ("mega", 3), ("1000", 2), ("Canad", 7), ("iran", 1), ("ca", 8),
            ("new york", 2), ("berlin de#9", 1), ("genève", 0), ("GENÉVA", 1),
        ])
    func fixture(text: String, count: Int) throws {
        let servers = try Self.test.get()
        #expect(servers.count == 21)
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        #expect(check(text, servers, search) == count)
    }
}
