import Foundation
import ServerStore
import Testing

@Suite(
    "What search costs", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["STORE_MEASURE"] != nil, "no STORE_MEASURE"))
struct SearchMeasureTests {
    private let clock = ContinuousClock()

    /// The least and the median of some times.
    private func measure(_ rounds: Int, _ body: () -> Void) -> String {
        let times = (0..<rounds).map { _ in clock.measure(body) }.sorted()
        return "least \(times[0]), median \(times[rounds / 2])"
    }

    @Test("of 15,000 servers")
    func large() {
        let servers = SearchFixture.many(15_000, seed: 1)
        let names = CountryNames(locale: Locale(identifier: "en"))
        print("FIGURES names: \(clock.measure { _ = names.name(of: "CH") })")
        print("FIGURES index: \(measure(5) { _ = ServerSearch(servers: servers, names: names) })")
        let search = ServerSearch(servers: servers, names: names)
        for text in ["", "u", "us", "united st", "switz", "us#1", "1", "a b", "zzzz", "é'%"] {
            let count = search.find(text).count
            let time = measure(20) { _ = search.find(text) }
            print("FIGURES \(text.debugDescription), \(count) found: \(time)")
            let some = measure(20) { _ = search.find(text, limit: 50) }
            print("FIGURES \(text.debugDescription), 50 at most: \(some)")
        }
        let query = SearchQuery("united st")
        let one = measure(3) {
            var matcher = SearchMatcher(query, names)
            for server in servers { _ = matcher.matches(server) }
        }
        print("FIGURES one after the other: \(one)")
    }
}
