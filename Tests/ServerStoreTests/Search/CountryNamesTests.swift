import Foundation
import ServerStore
import Testing

@Suite("Names of countries")
struct CountryNamesTests {
    private func names(_ identifier: String) -> CountryNames {
        CountryNames(locale: Locale(identifier: identifier))
    }

    @Test(
        "are those of the language, and the API's UK is GB",
        arguments: [
            ("en", "CH", "Switzerland"), ("de", "CH", "Schweiz"), ("sv", "SE", "Sverige"),
            ("pl", "UK", "Wielka Brytania"), ("en", "UK", "United Kingdom"),
            ("en", "GB", "United Kingdom"), ("fr_CA", "US", "États-Unis"), ("ja", "JP", "日本"),
        ])
    func languages(identifier: String, code: String, name: String) {
        #expect(names(identifier).name(of: code) == name)
    }

    @Test("an unknown code is its own name", arguments: ["XX", "ZZ", "", "ch", "USA", "%", "é"])
    func unknown(code: String) {
        #expect(names("en").name(of: code) == code)
    }

    @Test("can be given, with a name for UK or without")
    func given() {
        let own = CountryNames(["GB": "Albion", "CH": "Helvetia"])
        #expect(own.name(of: "UK") == "Albion" && own.name(of: "US") == "US")
        let both = CountryNames(["GB": "Albion", "UK": "Kingdom"])
        #expect(both.name(of: "UK") == "Kingdom" && both.name(of: "GB") == "Albion")
        #expect(CountryNames([:]).name(of: "UK") == "UK")
    }

    @Test(
        "are in the order of the language",
        arguments: [
            ("sv", ["AL", "BR", "CY", "ZM", "AX", "AT"]),
            ("de", ["AX", "AL", "BR", "AT", "ZM", "CY"]),
            ("en", ["AX", "AL", "AT", "BR", "CY", "ZM"]),
        ])
    func order(identifier: String, expected: [String]) {
        // Albanien, Brasilien, Cypern, Zambia, Åland, Österrike; Åland, Albanien, Brasilien,
        // Österreich, Sambia, Zypern.
        let names = names(identifier)
        #expect(["ZM", "AT", "CY", "BR", "AX", "AL"].sorted(by: names.isLess) == expected)
    }

    @Test("are in a total order, with codes that have no name or the same one")
    func total() {
        let names = CountryNames(
            ["AA": "Same", "AB": "Same", "AC": "same", "AD": "Öl", "AE": "Zug", "AF": "Ost"],
            locale: Locale(identifier: "sv"))
        let codes = [
            "AA", "AB", "AC", "AD", "AE", "AF", "UK", "Sam", "Zz", "Å", "a", "", "AB\u{301}",
        ]
        for one in codes {
            for other in codes where one != other {
                #expect(names.isLess(one, other) != names.isLess(other, one), "\(one) \(other)")
            }
            #expect(!names.isLess(one, one))
        }
        let sorted = codes.sorted(by: names.isLess)
        // Same, same and so on as Swedish has them; then codes without a name, byte by byte.
        #expect(
            sorted == [
                "AF", "AC", "AA", "AB", "AE", "AD", "", "AB\u{301}", "Sam", "UK", "Zz", "a", "Å",
            ])
        #expect(codes.reversed().sorted(by: names.isLess) == sorted)
        for (index, one) in sorted.enumerated() {
            for other in sorted[(index + 1)...] { #expect(names.isLess(one, other)) }
        }
    }

    @Test("are equal if they are of one language, so that an index can be reused until it changes")
    func equality() {
        #expect(names("de") == names("de") && names("de") != names("sv"))
        #expect(Set([names("de"), names("de"), names("sv")]).count == 2)
        #expect(CountryNames(["CH": "A"]) == CountryNames(["CH": "A"]))
        #expect(CountryNames(["CH": "A"]) != CountryNames(["CH": "B"]))
        #expect(CountryNames([:], locale: Locale(identifier: "sv")) != CountryNames([:]))
        #expect(CountryNames.current == CountryNames(locale: .current))
        #expect(CountryNames.current == CountryNames.current)
    }

    @Test("are made once, by however many tasks they are asked for")
    func shared() async {
        let names = names("fi")
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { names.name(of: "FI") } }
            for await name in group { #expect(name == "Suomi") }
        }
    }
}
