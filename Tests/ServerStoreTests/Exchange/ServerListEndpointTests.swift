import ServerStore
import Testing

@Suite("Endpoints that are wrong")
struct ServerListEndpointTests {
    @Test(
        "an endpoint that lacks what it cannot be without is left out",
        arguments: [
            ("ExitIP", nil, "ExitIP is missing"), ("ExitIP", "\"\"", "ExitIP is empty"),
            ("ExitIP", "1", "ExitIP is not a string"), ("ID", nil, "ID is missing"),
            ("ID", "7", "ID is not a string"),
            ("ID", "\"good\"", "ID is that of a previous endpoint"),
            ("Domain", nil, "Domain is missing"), ("Status", nil, "Status is missing"),
            ("Status", "0.5", "Status is not a whole number"),
        ] as [(String, String?, String)])
    func leftOut(field: String, value: String?, says: String) throws {
        let bad = ResponseText.endpoint("bad").with(field, value)
        let server = ResponseText.server("a", .endpoint("good"), bad, .endpoint("last"))
        let read = try ServerListJSON.read(ResponseText.list(server))
        #expect(read.servers.first?.endpoints.map(\.id) == ["good", "last"])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[1].\#(says); the endpoint is left out"#
            ])
    }

    @Test("a server keeps its place without any endpoint that can be used")
    func none() throws {
        let server = ResponseText.server("a").with("Servers", "[5]")
        let read = try ServerListJSON.read(ResponseText.list(server))
        #expect(read.servers.map(\.endpoints) == [[]])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[0] is not an object; the endpoint is left out"#
            ])
    }

    @Test("an endpoint's id may be empty once, and be that of another server's endpoint")
    func ids() throws {
        let read = try ServerListJSON.read(
            ResponseText.list(
                .server("a", .endpoint(""), .endpoint("")), .server("b", .endpoint("")))
        )
        #expect(read.servers.map { $0.endpoints.map(\.id) } == [[""], [""]])
        #expect(
            read.problems == [
                #"LogicalServers[0] "a": Servers[1].ID is that of a previous endpoint; "#
                    + "the endpoint is left out"
            ])
    }

    @Test(
        "an endpoint with invalid optional fields is read without them",
        arguments: [
            ("EntryIP", "\"\"", "EntryIP is empty"), ("EntryIP", "5", "EntryIP is not a string"),
            ("Label", "0", "Label is not a string"),
            ("X25519PublicKey", "[]", "X25519PublicKey is not a string"),
            ("EntryPerProtocol", "[]", "EntryPerProtocol is not an object"),
        ])
    func kept(field: String, value: String, says: String) throws {
        let server = ResponseText.server("a", .endpoint().with(field, value))
        let read = try ServerListJSON.read(ResponseText.list(server))
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
        let server = ResponseText.server("a", .endpoint().with("EntryPerProtocol", json))
        let read = try ServerListJSON.read(ResponseText.list(server))
        let endpoint = try #require(read.servers.first?.endpoints.first)
        #expect(
            endpoint.protocolEntries == [
                "IKEv2": nil, "A": .init(), "B": .init(ports: [443, 65535]),
            ])
        let start = #"LogicalServers[0] "a": Servers[0].EntryPerProtocol."#
        #expect(
            Set(read.problems) == [
                start + #""IKEv2" is not an object; null is used"#,
                start + #""A".IPv4 is empty; it is left out"#,
                start + #""A".Ports is not an array; it is left out"#,
                start + #""B".IPv4 is not a string; it is left out"#,
                start + #""B".Ports[0] is not a port; it is left out"#,
                start + #""B".Ports[2] is not a port; it is left out"#,
                start + #""B".Ports[4] is not a port; it is left out"#,
                start + #""B".Ports[5] is not a port; it is left out"#,
                start + #""B".Ports[6] is not a port; it is left out"#,
                start + #""B".Ports[7] is not a port; it is left out"#,
            ])
    }
}
