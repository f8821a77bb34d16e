import ServerStore
import Testing

@Suite("Signs that stand for others elsewhere, and for themselves here")
struct WildcardTests {
    private let asked: AskedTwice

    init() throws {
        asked = try AskedTwice([
            ServerLists.server("a", "CH#1", city: "100% Wien"),
            ServerLists.server("b", "CH#2", city: "100 Wien"),
            ServerLists.server("c", "CH_1", city: "_wien"),
            ServerLists.server("d", "CHx1", city: "%"),
            ServerLists.server(
                "e", "GTW#1", exit: "US", city: "L'Aquila", state: "N_",
                kind: .gateway(name: "50%_off")),
            ServerLists.server(
                "f", "GTW#2", exit: "US", city: "L\"Aquila\\", state: "NY",
                kind: .gateway(name: "50xyoff")),
        ])
    }

    @Test(
        "in a search text",
        arguments: [
            ("100%", "a"), ("100", "a b"), ("%", "d"), ("%%", ""), ("_", "c"), ("_w", "c"),
            ("wien", "a b c"), ("%wien", ""), ("w%n", ""), ("w_en", ""), ("CH_1", "c"),
            ("CH#_", ""), ("CH%", ""), ("ch", "a b c d"), ("50%_", "e"), ("50%", "e"),
            ("50__", ""), ("50", "e f"), ("n_", "e"), ("n", "e f"), ("n%", ""), ("l'a", "e"),
            ("l\"a", "f"), ("aquila\\", "f"), ("'", ""), ("\"", ""), ("\\", ""), ("\\%", ""),
            ("*", ""), ("?", ""), ("[a-z]", ""), ("w*", ""), (".*", ""), ("' OR 1=1 --", ""),
            ("wien OR aquila", ""), ("w\0", ""),
        ])
    func search(text: String, finds: String) throws {
        #expect(try asked.servers([.matches(text)]).labels == finds)
    }

    @Test(
        "in the strings of other filters, which must match in whole",
        arguments: [
            ([.city("%")], "d"), ([.city("100% Wien")], "a"), ([.city("100_ Wien")], ""),
            ([.city("%Wien")], ""), ([.city("_wien")], "c"), ([.city("____")], ""),
            ([.city("L'Aquila")], "e"), ([.city("L\"Aquila\\")], "f"), ([.city("' OR '1'='1")], ""),
            ([.name("CH_1")], "c"), ([.name("CH%")], ""), ([.name("CH#1' --")], ""),
            ([.names(["CH_1", "%", "CH#_"])], "c"),
            ([.state("N_")], "e"), ([.state("N%")], ""), ([.state("NY")], "f"),
            ([.kind(.gateway("50%_off"))], "e"), ([.kind(.gateway("50%"))], ""),
            ([.kind(.gateway("50__off"))], ""),
            ([.kind(.city(name: "%", code: "CH"))], "d"),
            ([.kind(.city(name: "%", code: "C_"))], ""),
            ([.kind(.state(name: "N_", code: "US"))], "e"),
            ([.kind(.country("%"))], ""), ([.kind(.country("C_"))], ""),
            ([.exitCountryCode("C%")], ""), ([.exitCountryCodes(["__", "U_"])], ""),
            ([.entryCountryCode("%")], ""), ([.entryCountryCodes(["%"])], ""),
            ([.logicalID("_")], ""), ([.logicalIDs(["%", "_"])], ""),
            ([.endpointID("a-_")], ""), ([.endpointIDs(["%", "a-e"])], "a"),
        ] as [([VPNServerFilter], String)])
    func filters(filters: [VPNServerFilter], finds: String) throws {
        #expect(try asked.servers(filters).labels == finds)
    }

    @Test("in the names of groups")
    func groups() throws {
        let gateways = try asked.groups([.kind(.gateway())])
        #expect(gateways.map(\.kind) == [.gateway(name: "50%_off"), .gateway(name: "50xyoff")])
        let states = try asked.groups([.exitCountryCode("US")], of: .stateName)
        #expect(
            states.map(\.kind) == [
                .state(name: "NY", code: "US"), .state(name: "N_", code: "US"),
            ])
    }
}
