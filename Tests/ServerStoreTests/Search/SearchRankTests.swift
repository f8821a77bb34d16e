import Foundation
import ServerStore
import Testing

@Suite("In which order a search finds servers")
struct SearchRankTests {
    private typealias Rank = ServerSearch.Rank

    private let servers = [
        SearchFixture.server("XX#1", "XX", city: "Nottingham"),
        SearchFixture.server("NO#10", "NO", id: "b", city: "Oslo"),
        SearchFixture.server("MK#1", "MK", city: "Skopje"),
        SearchFixture.server("NO#9", "NO", id: "z", city: "Oslo"),
        SearchFixture.server("NO#10", "NO", id: "a", city: "Oslo"),
        SearchFixture.server("NO-DE#1", "DE", kind: .secureCore(entryCountryCode: "NO")),
        SearchFixture.server("OTHER#1", "SE", kind: .secureCore(entryCountryCode: "NO")),
        SearchFixture.server("GTW#2", "US", kind: .gateway(name: "Nova")),
    ]

    private func found(_ text: String, limit: Int = .max) -> [String] {
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        return search.find(text, limit: limit).map { match in
            "\(match.rank) \(servers[match.index].name) \(servers[match.index].id)"
        }
    }

    @Test("a country's code first, then names, then places, then names of countries")
    func ranks() {
        #expect(
            found("no") == [
                "countryCode NO#9 z", "countryCode NO#10 a", "countryCode NO#10 b",
                "name NO-DE#1 NO-DE#1", "place GTW#2 GTW#2", "place XX#1 XX#1",
                "country MK#1 MK#1", "country OTHER#1 OTHER#1",
            ])
        #expect(Rank.allCases.sorted() == [.countryCode, .name, .place, .country])
    }

    @Test("part of a code, or the code where traffic enters, is no better than a country's name")
    func codes() {
        #expect(found("m") == ["name MK#1 MK#1"])
        let renamed = [
            SearchFixture.server("A#1", "MK"), SearchFixture.server("B#1", "XX", city: "Metz"),
        ]
        #expect(SearchFixture.names("m", in: renamed) == ["B#1", "A#1"])
        #expect(SearchFixture.names("mk", in: renamed) == ["A#1"])
    }

    @Test("of several words the one decides that is found worst")
    func words() {
        #expect(
            found("oslo no") == ["place NO#9 z", "place NO#10 a", "place NO#10 b"])
        #expect(found("norway oslo #9") == ["country NO#9 z"])
        #expect(found("no NO no#") == ["name NO#9 z", "name NO#10 a", "name NO#10 b"])
    }

    @Test("no more than are asked for, the best of them")
    func limits() {
        #expect(found("no", limit: 2) == ["countryCode NO#9 z", "countryCode NO#10 a"])
        #expect(found("no", limit: 0).isEmpty && found("no", limit: -1).isEmpty)
        #expect(found("no", limit: 4).last == "name NO-DE#1 NO-DE#1")
        #expect(found("", limit: 1) == ["name GTW#2 GTW#2"])
    }

    @Test("by name if there is nothing to look for, and as they stand if the ids are the same")
    func blank() {
        #expect(
            SearchFixture.names("", in: servers) == [
                "GTW#2", "MK#1", "NO#9", "NO#10", "NO#10", "NO-DE#1", "OTHER#1", "XX#1",
            ])
        let twice = (0..<3).map { SearchFixture.server("A#1", "AT", id: "a", city: "W\($0)") }
        let search = ServerSearch(servers: twice, names: SearchFixture.english)
        #expect(search.find("w").map(\.index) == [0, 1, 2])
    }
}
