import Foundation
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("A text that finds the original's servers", .enabled(if: GoldenFiles.arePresent))
struct OriginalTextSearchTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice(ServerLists.golden("TestServers.json"))
    }

    @Test(
        "by the name of a country, where traffic leaves or enters",
        arguments: [
            ("Germany", "DE1 DE2"), ("germ", "DE1 DE2"), ("GERMANY", "DE1 DE2"),
            ("Switzerland", "fastestMegaGateway1000Server2 secureCoreCAServer1"),
            ("korea", "fastestFreeWireGuardUDPServer"), ("sweden", "secureCoreCAServer2"),
            ("emirates arab", "AEServer"), ("hong kong", "HK#3"), ("Iran", "IR1"),
            ("many", ""), ("germany japan", ""), ("germanyx", ""),
            (
                "united",
                """
                AEServer fastestFeaturelessUSServer fastestMegaGateway1000Server1 \
                featureRichUSServer
                """
            ),
            ("canada iceland", "secureCoreCAServer3"),
        ])
    func countries(text: String, finds: String) throws {
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test(
        "by the whole code of a country, whose beginning may be that of other words",
        arguments: [
            ("DE", "DE1 DE2"), ("de", "DE1 DE2"), ("kr", "fastestFreeWireGuardUDPServer"),
            ("JP", "JP#4 JP#5 JP#7 JP#8"), ("AE", "AEServer"), ("IR", "IR1"),
            (
                "us",
                "fastestFeaturelessUSServer fastestMegaGateway1000Server1 featureRichUSServer"
            ),
            ("ch", "fastestMegaGateway1000Server2 secureCoreCAServer1"),
            ("se", "fastestFreeWireGuardUDPServer secureCoreCAServer2"), ("usa", ""), ("xx", ""),
        ])
    func codes(text: String, finds: String) throws {
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test(
        "by a server's name or what it begins with, and by its number",
        arguments: [
            ("DE#9", "DE2"), ("de#1", "DE1"), ("DE#10", "DE1"), ("de#100", ""), ("JP#7", "JP#7"),
            ("us-ny#6", "fastestFeaturelessUSServer featureRichUSServer"),
            ("ny#61", "fastestFeaturelessUSServer featureRichUSServer"),
            ("#61", "fastestFeaturelessUSServer featureRichUSServer"),
            ("13", "fastestFreeWireGuardUDPServer"), ("is-ca#12", "secureCoreCAServer3"),
            ("ca#1", "fastestFreeServer secureCoreCAServer2 secureCoreCAServer3"),
            (
                "gtw",
                """
                fastestMegaGateway1000Server1 fastestMegaGateway1000Server2 \
                fastestMegaGateway2000Server
                """
            ),
            ("us ny", "fastestFeaturelessUSServer featureRichUSServer"), ("e#9", ""),
        ])
    func names(text: String, finds: String) throws {
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test(
        "by a city or a gateway, and together with other filters",
        arguments: [
            ([.matches("tokyo")], "JP#4 JP#7 JP#8 fastestMegaGateway2000Server"),
            ([.matches("tokyo"), .kind(.country())], "JP#4 JP#7 JP#8"),
            ([.matches("tokyo japan")], "JP#4 JP#7 JP#8"),
            ([.matches("tokyo"), .matches("mega")], "fastestMegaGateway2000Server"),
            ([.matches("mega 1000"), .exitCountryCode("CH")], "fastestMegaGateway1000Server2"),
            ([.matches("new york"), .supports(.wireGuardUDP)], "featureRichUSServer"),
            ([.matches("genè")], "fastestMegaGateway1000Server2"),
            ([.matches("iran"), .isNotUnderMaintenance], ""),
            ([.matches(" "), .maxTier(0), .exitCountryCode("JP")], "JP#5"),
        ] as [([VPNServerFilter], String)])
    func places(filters: [VPNServerFilter], finds: String) throws {
        #expect(try asked.servers(filters).labels == finds)
        let groups = try asked.groups(filters)
        #expect(groups.map(\.serverCount).reduce(0, +) == finds.split(separator: " ").count)
    }

    @Test("and the order is the one that is asked for")
    func orders() throws {
        let found = try asked.servers([.matches("canada"), .maxTier(2)], by: .fastest)
        let expected = """
            fastestVancouverServer slowVancouverServer fastestMegaGateway2000Server \
            fastestFreeServer secureCoreCAServer1 secureCoreCAServer2 secureCoreCAServer3
            """
        #expect(found.labels == expected)
        #expect(try asked.first([.matches("berlin")], by: .nameAscending)?.id == "DE2")
    }
}

@Suite("A text that finds servers, with its accents or without")
struct TextSearchTests {
    private static let servers = [
        ServerLists.server("a", city: "Zürich"),
        ServerLists.server("b", exit: "US", city: "Zurich"),
        ServerLists.server("c", exit: "BR", city: "São Paulo"),
        ServerLists.server("d", exit: "BR", city: "Sao Paulo"),
        ServerLists.server("e", exit: "AT", city: "Łódź"),
        ServerLists.server("f", exit: "AT", city: "Tromsø"),
        ServerLists.server("g", exit: "DE", city: "Gießen"),
    ]

    @Test(
        "those of the place do not count, nor those of the text",
        arguments: [
            ("zurich", "a b"), ("Zürich", "a b"), ("ZÜRICH", "a b"), ("zu\u{308}r", "a b"),
            ("Zúrîçh", "a b"), ("sao paulo", "c d"), ("São", "c d"), ("sǎọ", "c d"),
            ("lodz", "e"), ("Łódź", "e"), ("łodż", "e"), ("tromso", "f"), ("TROMSØ", "f"),
            ("trömsö", "f"), ("giessen", "g"), ("gießen", "g"), ("GIESSEN", "g"),
            ("zuerich", ""), ("gieben", ""), ("urich", ""),
        ])
    func accents(text: String, finds: String) throws {
        let asked = try AskedTwice(Self.servers)
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test(
        "countries go by their names in the language of the store",
        arguments: [
            ("en", "Switzerland", "a"), ("en", "Schweiz", ""), ("de", "Schweiz", "a"),
            ("de", "Switzerland", ""), ("de", "osterreich", "e f"), ("de", "Österr", "e f"),
            ("de", "deutschland", "g"), ("sv", "osterrike", "e f"), ("pl", "szwajcaria", "a"),
        ])
    func languages(identifier: String, text: String, finds: String) throws {
        let names = CountryNames(locale: Locale(identifier: identifier))
        let asked = try AskedTwice(Self.servers, names: names)
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test("a city's name in the user's language is found as well as its own")
    func translated() throws {
        var server = ServerLists.server("a", city: "Geneva")
        server.logical.translatedCity = "Genève"
        let asked = try AskedTwice([server, ServerLists.server("b", city: "Geneva")])
        #expect(try asked.servers([.matches("geneve")]).labels == "a")
        #expect(try asked.servers([.matches("geneva")]).labels == "a b")
    }
}
