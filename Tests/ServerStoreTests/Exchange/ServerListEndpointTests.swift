import ServerStore
import Testing

@Suite("Endpoints that are wrong")
struct ServerListEndpointTests {
    @Test(
        "an endpoint that lacks what it cannot be without is left out",
        arguments: [
            ("ExitIP", nil, "ExitIP is missing"), ("ExitIP", "\"\"", "ExitIP is empty"),
            ("ExitIP", "1", "ExitIP is not text"), ("ID", nil, "ID is missing"),
            ("ID", "7", "ID is not text"), ("ID", "\"good\"", "ID is that of an endpoint before it"),
            ("Domain", nil, "Domain is missing"), ("Status", nil, "Status is missing"),
            ("Status", "0.5", "Status is not a whole number"),
        ] as [(String, String?, String)])
    func leftOut(field: String, value: String?, says: String) throws {
        let bad = AnswerText.endpoint("bad").with(field, value)
        let server = AnswerText.server("a", .endpoint("good"), bad, .endpoint("last"))
        let read = try ServerListJSON.read(AnswerText.list(server))
        #expect(read.servers.first?.endpoints.map(\.id) == ["good", "last"])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[1].\#(says); the endpoint is left out"#
            ])
    }

    @Test("a server keeps its place without any endpoint that can be used")
    func none() throws {
        let server = AnswerText.server("a").with("Servers", "[5]")
        let read = try ServerListJSON.read(AnswerText.list(server))
        #expect(read.servers.map(\.endpoints) == [[]])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[0] is no object; the endpoint is left out"#
            ])
    }

    @Test("an endpoint's id may be empty once, and be that of another server's endpoint")
    func ids() throws {
        let read = try ServerListJSON.read(
            AnswerText.list(.server("a", .endpoint(""), .endpoint("")), .server("b", .endpoint("")))
        )
        #expect(read.servers.map { $0.endpoints.map(\.id) } == [[""], [""]])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[1].ID is that of an endpoint before it; "#
                    + "the endpoint is left out"
            ])
    }

    @Test(
        "an endpoint is kept without what it can do without, if that is wrong",
        arguments: [
            ("EntryIP", "\"\"", "EntryIP is empty"), ("EntryIP", "5", "EntryIP is not text"),
            ("Label", "0", "Label is not text"),
            ("X25519PublicKey", "[]", "X25519PublicKey is not text"),
            ("EntryPerProtocol", "[]", "EntryPerProtocol is not an object"),
        ])
    func kept(field: String, value: String, says: String) throws {
        let server = AnswerText.server("a", .endpoint().with(field, value))
        let read = try ServerListJSON.read(AnswerText.list(server))
        #expect(read.problems == [#"LogicalServers[0] "a": Servers[0].\#(says); it is left out"#])
        let endpoint = try #require(read.servers.first?.endpoints.first)
        switch field {
        case "EntryIP": #expect(endpoint.entryIp == nil)
        case "Label": #expect(endpoint.label == nil)
        case "X25519PublicKey": #expect(endpoint.x25519PublicKey == nil)
        default: #expect(endpoint.protocolEntries == nil)
        }
    }

    @Test("an entry that is wrong still names its protocol")
    func entries() throws {
        let json = #"""
            {"IKEv2": 5, "A": {"IPv4": "", "Ports": "443"}, "B": {"IPv4": 1, "Ports": [0, 443, "1",
             65535, 65536, 1.5, null, -1]}}
            """#
        let server = AnswerText.server("a", .endpoint().with("EntryPerProtocol", json))
        let read = try ServerListJSON.read(AnswerText.list(server))
        let endpoint = try #require(read.servers.first?.endpoints.first)
        #expect(
            endpoint.protocolEntries == [
                "IKEv2": nil, "A": .init(), "B": .init(ports: [443, 65535]),
            ])
        let start = #"LogicalServers[0] "a": Servers[0].EntryPerProtocol."#
        #expect(
            Set(read.problems) == [
                start + #""IKEv2" is not an object; it is taken as null"#,
                start + #""A".IPv4 is empty; it is left out"#,
                start + #""A".Ports is not an array; it is left out"#,
                start + #""B".IPv4 is not text; it is left out"#,
                start + #""B".Ports[0] is no port; it is left out"#,
                start + #""B".Ports[2] is no port; it is left out"#,
                start + #""B".Ports[4] is no port; it is left out"#,
                start + #""B".Ports[5] is no port; it is left out"#,
                start + #""B".Ports[6] is no port; it is left out"#,
                start + #""B".Ports[7] is no port; it is left out"#,
            ])
    }
}
