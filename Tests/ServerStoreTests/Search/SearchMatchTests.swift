import Foundation
import ServerStore
import Testing

@Suite("What a search finds")
struct SearchMatchTests {
    private let servers = [
        SearchFixture.server("PL#1", "PL", city: "Łódź"),
        SearchFixture.server("CH#30", "CH", city: "Zürich"),
        SearchFixture.server(
            "US-NY#61", "US", city: "New York City", translated: "Nowy Jork", state: "New York"),
        SearchFixture.server("SE-CA#15", "CA", kind: .secureCore(entryCountryCode: "SE")),
        SearchFixture.server("GTW#1", "JP", city: "Tokyo", kind: .gateway(name: "Mega_Gate 1000")),
        SearchFixture.server("CI#1", "CI", city: "Abidjan"),
        SearchFixture.server("UK#7-TOR", "UK", city: "London"),
    ]

    private func found(_ text: String) -> Set<String> {
        Set(SearchFixture.names(text, in: servers))
    }

    @Test(
        "a country by its name in the user's language, or by any word of it",
        arguments: [
            ("Switz", "CH#30"), ("switzerland", "CH#30"), ("united kingdom", "UK#7-TOR"),
            ("kingdom", "UK#7-TOR"), ("states", "US-NY#61"), ("côte d'ivoire", "CI#1"),
            ("Cote d’Ivoire", "CI#1"), ("ivoire", "CI#1"), ("sweden", "SE-CA#15"),
            ("canada", "SE-CA#15"),
        ])
    func countryNames(text: String, name: String) {
        #expect(found(text) == [name])
    }

    @Test(
        "with or without accents, in capital or small letters, of full width or half",
        arguments: ["Zürich", "zurich", "ZÜRICH", "zu\u{308}rich", "Ｚｕｒｉｃｈ", "zür", "  zur  "])
    func accents(text: String) {
        #expect(found(text) == ["CH#30"])
    }

    @Test("letters that Unicode does not take apart", arguments: ["lodz", "Łódź", "łodz", "LÓDZ"])
    func letters(text: String) {
        #expect(found(text) == ["PL#1"])
    }

    @Test(
        "a country's code, of the exit or the entry",
        arguments: [("ch", "CH#30"), ("CH", "CH#30"), ("uk", "UK#7-TOR"), ("se", "SE-CA#15")])
    func codes(text: String, name: String) {
        #expect(found(text) == [name])
    }

    @Test(
        "a server's name by its beginning or that of a part of it",
        arguments: [
            ("us-ny#6", "US-NY#61"), ("US-NY#61", "US-NY#61"), ("ny#61", "US-NY#61"),
            ("#61", "US-NY#61"), ("61", "US-NY#61"), ("uk#", "UK#7-TOR"), ("tor", "UK#7-TOR"),
            ("se-ca", "SE-CA#15"), ("7-t", "UK#7-TOR"),
        ])
    func names(text: String, name: String) {
        #expect(found(text) == [name])
    }

    @Test(
        "cities, their names in the user's language, states and gateways",
        arguments: [
            ("new york", "US-NY#61"), ("york new", "US-NY#61"), ("city", "US-NY#61"),
            ("jork", "US-NY#61"), ("gate", "GTW#1"), ("mega_gate 1000", "GTW#1"),
            ("tokyo mega japan", "GTW#1"),
        ])
    func places(text: String, name: String) {
        #expect(found(text) == [name])
    }

    @Test(
        "nothing else: no middle of a word, and no sign that stands for others",
        arguments: [
            "ork", "urich", "%", "_", "c%", "z_rich", "*", "'", "\"", "' OR 1=1 --", "ch'",
            "us-ny#611",
            "zurich tokyo", "zurichx", "\\", "\0",
        ])
    func others(text: String) {
        #expect(found(text).isEmpty)
    }

    @Test("signs where they stand in a name")
    func signs() {
        let servers = [
            SearchFixture.server("A#1", "AT", city: "100% Wien"),
            SearchFixture.server("A#2", "AT", city: "100 Wien"),
            SearchFixture.server("A#3", "AT", city: "%Wien \"Mitte\""),
            SearchFixture.server("A#4", "AT", city: "_wien 'x'"),
        ]
        #expect(SearchFixture.names("100%", in: servers) == ["A#1"])
        #expect(SearchFixture.names("%", in: servers) == ["A#3"])
        #expect(SearchFixture.names("“mitte”", in: servers) == ["A#3"])
        #expect(SearchFixture.names("_w", in: servers) == ["A#4"])
        #expect(SearchFixture.names("‘x’", in: servers) == ["A#4"])
        #expect(SearchFixture.names("wien", in: servers) == ["A#1", "A#2", "A#3", "A#4"])
    }

    @Test("everything, if there is nothing to look for", arguments: ["", " ", "\t\n\u{3000}"])
    func blank(text: String) {
        #expect(found(text).count == servers.count)
        #expect(SearchQuery(text).isBlank)
    }

    @Test("nothing without servers, and nothing in empty strings")
    func empty() {
        let nothing = ServerSearch(servers: [], names: SearchFixture.english)
        #expect(nothing.find("").isEmpty && nothing.find("a").isEmpty && nothing.count == 0)
        let bare = [SearchFixture.server("", "", id: "", city: "", translated: " ", state: "\n")]
        #expect(SearchFixture.names("a", in: bare).isEmpty)
        #expect(SearchFixture.names("", in: bare) == [""])
    }

    @Test("the indices of the matches, which do not contain others")
    func placesFound() {
        let search = ServerSearch(servers: servers, names: SearchFixture.english)
        let indices = search.indices(matching: "c")
        #expect(Array(indices) == [1, 2, 3, 5] && indices.count == 4)
        #expect(indices.contains(3) && !indices.contains(0))
        #expect(!indices.contains(-1) && !indices.contains(7) && !indices.contains(.max))
    }

    @Test("by the names of the language that the index was built with")
    func languages() {
        let german = CountryNames(locale: Locale(identifier: "de"))
        let polish = CountryNames(locale: Locale(identifier: "pl"))
        #expect(SearchFixture.names("schweiz", in: servers, german) == ["CH#30"])
        #expect(SearchFixture.names("switz", in: servers, german).isEmpty)
        #expect(SearchFixture.names("szwajcaria", in: servers, polish) == ["CH#30"])
        #expect(SearchFixture.names("grossbritannien", in: servers, german).isEmpty)
        #expect(SearchFixture.names("königreich", in: servers, german) == ["UK#7-TOR"])
        let own = CountryNames(["CH": "Helvetia", "GB": "Albion"])
        #expect(SearchFixture.names("helvetia", in: servers, own) == ["CH#30"])
        #expect(SearchFixture.names("albion", in: servers, own) == ["UK#7-TOR"])
        #expect(SearchFixture.names("pl", in: servers, own) == ["PL#1"])
    }
}
