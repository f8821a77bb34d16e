import ServerStore
import Testing

@Suite("Servers as values")
struct ServerModelTests {
    private func logical(
        _ feature: ServerFeature = .zero, _ kind: LogicalServer.Kind = .country, host: String? = nil
    ) -> LogicalServer {
        LogicalServer(
            id: "a", name: "CH#1", domain: "a.example", load: 1, exitCountryCode: "CH", tier: 0,
            score: 1, status: 1, feature: feature, hostCountry: host, kind: kind)
    }

    private func endpoint(
        _ entryIp: String? = "1.1.1.1", _ entries: ProtocolEntries? = nil, status: Int = 1
    ) -> ServerEndpoint {
        ServerEndpoint(
            id: "e", entryIp: entryIp, exitIp: "2.2.2.2", domain: "e.example", status: status,
            protocolEntries: entries)
    }

    @Test(
        "a name is a prefix and a number, where it has one",
        arguments: [
            ("CH#30", "CH", 30), ("US-NY#61", "US-NY", 61), ("SE-CA#15", "SE-CA", 15),
            ("FR#13-TOR", "FR", 13), ("CH", "CH", nil), ("CH#", "CH", nil), ("#7", "", 7),
            ("A#B#1", "A", nil), ("A#x", "A", nil), ("", "", nil),
            ("A#99999999999999999999", "A", nil),
        ] as [(String, String, Int?)])
    func names(name: String, prefix: String, sequence: Int?) {
        #expect(ServerName(name).prefix == prefix && ServerName(name).sequence == sequence)
    }

    @Test("names come by prefix and number, not by their digits")
    func order() {
        let names = ["DE#10", "DE#9", "CH#1", "DE", "DE#9-TOR", "d#1"]
        let sorted = names.sorted { (ServerName($0), $0) < (ServerName($1), $1) }
        #expect(sorted == ["CH#1", "DE", "DE#9", "DE#9-TOR", "DE#10", "d#1"])
    }

    @Test("a server's kind has the entry country, and secure core precedes a gateway")
    func kinds() {
        #expect(logical().entryCountryCode == "CH")
        let core = LogicalServer.kind(
            feature: [.secureCore, .restricted], entryCountryCode: "SE", gatewayName: "G")
        #expect(core == .secureCore(entryCountryCode: "SE"))
        #expect(logical(.secureCore, core).entryCountryCode == "SE")
        let gateway = LogicalServer.kind(
            feature: .restricted, entryCountryCode: "CH", gatewayName: "G")
        #expect(logical(.restricted, gateway).gatewayName == "G")
        #expect(
            LogicalServer.kind(feature: [], entryCountryCode: "CH", gatewayName: nil) == .country)
    }

    @Test("a server is virtual if its machine is in another country")
    func virtual() {
        #expect(logical(host: "SG").isVirtual)
        #expect(!logical(host: "CH").isVirtual && !logical(host: "").isVirtual)
        #expect(!logical().isVirtual)
    }

    @Test("the address for a protocol is the entry's, else the endpoint's, else there is none")
    func addresses() {
        let open = endpoint()
        #expect(open.entryIP(for: .wireGuardTLS) == "1.1.1.1" && open.protocolMask == nil)
        #expect(open.supportedProtocols == .all)
        let other = endpoint("1.1.1.1", ["WireGuardTLS": .init(ipv4: "3.3.3.3", ports: [443])])
        #expect(other.entryIP(for: .wireGuardTLS) == "3.3.3.3")
        #expect(other.entryIP(for: .ikev2) == "1.1.1.1")
        #expect(other.ports(for: .wireGuardTLS) == [443] && other.ports(for: .ikev2) == nil)
        #expect(other.protocolMask == .all)
        let only = endpoint("1.1.1.1", ["IKEv2": .init(ports: [500]), "New": nil])
        #expect(only.entryIP(for: .ikev2) == "1.1.1.1")
        #expect(only.entryIP(for: .wireGuardUDP) == nil)
        #expect(only.protocolMask == .ikev2)
        // A protocol that nobody knows makes it exclusive, too.
        let unknown = endpoint("1.1.1.1", ["New": .init()])
        #expect(unknown.protocolMask == .zero)
        let named = endpoint("1.1.1.1", ["IKEv2": .init(ipv4: "4.4.4.4", ports: [])])
        #expect(named.ports(for: .ikev2) == nil)
        let nowhere = endpoint(nil, ["IKEv2": .init(ipv4: "4.4.4.4")])
        #expect(nowhere.protocolMask == .ikev2)
    }

    @Test("a server speaks what any endpoint speaks, and is up if one is")
    func server() {
        let (up, down) = (
            endpoint("1.1.1.1", ["IKEv2": .init()]),
            endpoint("1.1.1.1", ["WireGuardTLS": .init()], status: 0)
        )
        let server = VPNServer(logical: logical(), endpoints: [up, down])
        #expect(server.supportedProtocols == [.ikev2, .wireGuardTLS])
        #expect(!server.isUnderMaintenance)
        #expect(VPNServer(logical: logical(), endpoints: [down]).isUnderMaintenance)
        #expect(VPNServer(logical: logical(), endpoints: []).isUnderMaintenance)
        #expect(ProtocolSupport([.ikev2, .wireGuardTLS]).protocols == [.ikev2, .wireGuardTLS])
    }
}
