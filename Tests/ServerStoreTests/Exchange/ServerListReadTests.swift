import Foundation
import ServerStore
import Testing

@Suite("Lists of servers as JSON")
struct ServerListReadTests {
    private func read(_ servers: ResponseText...) throws -> ServerListJSON.Servers {
        let texts = servers.map(\.json).joined(separator: ",")
        return try ServerListJSON.read(#"{"Code": 1000, "LogicalServers": [\#(texts)]}"#)
    }

    @Test("a server of the API gives all its fields")
    func fields() throws {
        let entries = #"{"IKEv2": null, "WireGuardTLS": {"IPv4": "192.0.2.3", "Ports": [443]}}"#
        let read = try read(.server("a", .endpoint().with("EntryPerProtocol", entries)))
        #expect(read.problems == [])
        let logical = LogicalServer(
            id: "a", name: "CH#1", domain: "ch.example", load: 40, exitCountryCode: "CH", tier: 2,
            score: 1.25, status: 1, feature: [.p2p, .streaming], city: "Zurich", hostCountry: "DE",
            translatedCity: "Zürich", latitude: 47.5, longitude: -8.25)
        let endpoint = ServerEndpoint(
            id: "e", entryIp: "192.0.2.1", exitIp: "192.0.2.2", domain: "e.example", status: 1,
            label: "0", x25519PublicKey: "a2V5",
            protocolEntries: [
                "IKEv2": nil, "WireGuardTLS": .init(ipv4: "192.0.2.3", ports: [443]),
            ])
        #expect(read.servers == [VPNServer(logical: logical, endpoints: [endpoint])])
    }

    @Test("what a server can do without need not be there")
    func least() throws {
        let least = ResponseText(
            fields: ResponseText.server().fields.filter {
                ["ID", "Name", "ExitCountry", "Domain", "Tier", "Features", "Score", "Load"]
                    .contains($0.name) || $0.name == "Status"
            }
        ).with("Servers", #"[{"ID": "", "ExitIP": "192.0.2.2", "Domain": "", "Status": 0}]"#)
        let read = try read(least)
        #expect(read.problems == [])
        let endpoint = ServerEndpoint(id: "", exitIp: "192.0.2.2", domain: "", status: 0)
        #expect(read.servers.first?.endpoints == [endpoint])
        let logical = try #require(read.servers.first?.logical)
        #expect(logical.city == nil && logical.hostCountry == nil && logical.state == nil)
        #expect(logical.translatedCity == nil && logical.latitude == 0 && logical.longitude == 0)
        #expect(logical.kind == .country)
    }

    @Test("a server's kind follows from its features and its gateway")
    func kinds() throws {
        let read = try read(
            .server("plain"),
            .server("core").with("Features", "5").with("GatewayName", "\"G\""),
            .server("gateway").with("Features", "32").with("GatewayName", "\"G\""),
            .server("told").with("Kind", #"{"gateway": {"name": "H"}}"#))
        #expect(read.problems == [])
        #expect(
            read.servers.map(\.logical.kind) == [
                .country, .secureCore(entryCountryCode: "SE"), .gateway(name: "G"),
                .gateway(name: "H"),
            ])
    }

    @Test("unknown protocols are retained, and so are empty entries")
    func protocols() throws {
        func entries(_ json: String) throws -> ProtocolEntries? {
            let server = ResponseText.server("a", .endpoint().with("EntryPerProtocol", json))
            let read = try read(server)
            #expect(read.problems == [])
            return read.servers.first?.endpoints.first?.protocolEntries
        }
        #expect(try entries("null") == nil)
        #expect(try entries("{}") == [:])
        #expect(
            try entries(#"{"OpenVPNUDP": {}, "New": null, "IKEv2": {"Ports": []}}"#)
                == ["OpenVPNUDP": .init(), "New": nil, "IKEv2": .init(ports: [])])
    }

    @Test("servers of a list as clients keep it are read in the same way")
    func models() throws {
        let core = VPNServer(
            logical: LogicalServer(
                id: "a", name: "SE-CH#1", domain: "a.example", load: 1, exitCountryCode: "CH",
                tier: 1, score: 0.1, status: 0, feature: .secureCore, city: "Zurich",
                hostCountry: "DE", translatedCity: "Zürich", latitude: 1.5, longitude: 2.5,
                state: "ZH", kind: .secureCore(entryCountryCode: "SE")),
            endpoints: [
                ServerEndpoint(
                    id: "e", entryIp: "192.0.2.1", exitIp: "192.0.2.2", domain: "e.example",
                    status: 1, label: "1", x25519PublicKey: "k",
                    protocolEntries: ["IKEv2": .init(ipv4: "192.0.2.9", ports: [500]), "X": nil])
            ])
        var gateway = core
        gateway.logical.id = "b"
        gateway.logical.kind = .gateway(name: "G")
        var plain = core
        plain.logical.id = "c"
        plain.logical.kind = .country
        let coded = try JSONEncoder().encode([core, gateway, plain])
        let read = try ServerListJSON.read(coded)
        #expect(read.problems == [])
        #expect(read.servers == [core, gateway, plain])
    }

    @Test("a list may stand alone, and hold servers of both forms")
    func mixed() throws {
        let model = #"""
            {"logical": {"id": "b", "name": "DE#1", "domain": "", "load": 1, "tier": 0,
             "exitCountryCode": "DE", "score": 1, "status": 1, "feature": 0}, "endpoints": []}
            """#
        let read = try ServerListJSON.read("[\(ResponseText.server().json), \(model)]")
        #expect(read.problems == [])
        #expect(read.servers.map(\.id) == ["a", "b"])
        #expect(read.servers.last?.logical.kind == .country)
    }

    @Test("what changes of servers is read, whatever else stands there")
    func loads() throws {
        let read = try ServerListJSON.readLoads(
            #"""
            {"Code": 1000, "LogicalServers": [
              {"ID": "a", "Load": 12, "Score": 1.5, "Status": 1},
              {"ID": "b", "Load": -5, "Score": 2, "Status": 0, "Name": 5},
              {"ID": "c", "Load": 1, "Score": 2}, {"ID": "a", "Load": 1, "Score": 1, "Status": 1}]}
            """#)
        #expect(
            read.loads == [
                .init(serverId: "a", load: 12, score: 1.5, status: 1),
                .init(serverId: "b", load: 0, score: 2, status: 0),
            ])
        #expect(
            read.problems == [
                #"LogicalServers[1] "b": Load is -5.0, not a whole number of 0 to 100; 0 is used"#,
                #"LogicalServers[2] "c": Status is missing; the server is left out"#,
                #"LogicalServers[3] "a": ID is that of a previous server; the server is left out"#,
            ])
        let list = try ServerListJSON.readLoads(Data(ResponseText.list(.server("a")).utf8))
        #expect(list.loads == [.init(serverId: "a", load: 40, score: 1.25, status: 1)])
    }
}
