import ServerStore
import Testing

@Suite("Protocols and the entries of endpoints")
struct ProtocolSupportTests {
    @Test("each protocol is a bit, and goes by the API's name")
    func bits() {
        #expect(
            VPNProtocol.allCases.map(\.apiName)
                == ["IKEv2", "WireGuardUDP", "WireGuardTCP", "WireGuardTLS"])
        #expect(VPNProtocol.allCases.map(\.support.rawValue) == [1, 2, 4, 8])
        #expect(ProtocolSupport.all.rawValue == 15 && ProtocolSupport.zero.rawValue == 0)
        #expect(ProtocolSupport.all.protocols == VPNProtocol.allCases)
        #expect(ProtocolSupport.zero.protocols == [])
        // Older ones had two protocols more.
        #expect(ProtocolSupport(rawValue: 63).protocols == VPNProtocol.allCases)
        #expect(ProtocolSupport(rawValue: 48).protocols == [])
        #expect(ProtocolSupport(rawValue: 63).isSuperset(of: .all))
    }

    /// Entries; the address for each protocol where `E` is the endpoint's; the mask that is stored.
    static let rules: [(entries: ProtocolEntries?, addresses: [String?], mask: Int?)] = [
        (nil, ["E", "E", "E", "E"], nil),
        ([:], ["E", "E", "E", "E"], 15),
        (["WireGuardTLS": .init(ipv4: "T")], ["E", "E", "E", "T"], 15),
        (["WireGuardTLS": .init(ports: [443])], [nil, nil, nil, "E"], 8),
        (["WireGuardTLS": nil], [nil, nil, nil, "E"], 8),
        (["IKEv2": .init(ipv4: "I"), "WireGuardTCP": .init()], ["I", nil, "E", nil], 5),
        (["IKEv2": .init(ipv4: "I"), "WireGuardTCP": .init(ipv4: "C")], ["I", "E", "C", "E"], 15),
        (["OpenVPNUDP": .init(ipv4: "O")], ["E", "E", "E", "E"], 15),
        (["OpenVPNUDP": .init()], [nil, nil, nil, nil], 0),
        (["OpenVPNUDP": nil, "IKEv2": .init(ipv4: "I")], ["I", nil, nil, nil], 1),
        (["ikev2": .init()], [nil, nil, nil, nil], 0),
    ]

    private func endpoint(_ entryIp: String?, _ entries: ProtocolEntries?) -> ServerEndpoint {
        ServerEndpoint(
            id: "e", entryIp: entryIp, exitIp: "X", domain: "e.example", status: 1,
            protocolEntries: entries)
    }

    @Test("the address for a protocol, and the protocols that have one", arguments: rules)
    func addresses(entries: ProtocolEntries?, addresses: [String?], mask: Int?) {
        let endpoint = endpoint("E", entries)
        #expect(VPNProtocol.allCases.map { endpoint.entryIP(for: $0) } == addresses)
        #expect(endpoint.protocolMask?.rawValue == mask)
        #expect(endpoint.supportedProtocols.rawValue == mask ?? 15)
    }

    @Test("without an address only entries that have one count", arguments: rules)
    func nowhere(entries: ProtocolEntries?, addresses: [String?], mask: Int?) {
        let endpoint = endpoint(nil, entries)
        let own = addresses.map { $0 == "E" ? nil : $0 }
        #expect(VPNProtocol.allCases.map { endpoint.entryIP(for: $0) } == own)
    }

    @Test("a query for protocols follows these rules", arguments: rules)
    func filters(entries: ProtocolEntries?, addresses: [String?], mask: Int?) throws {
        let asked = try AskedTwice([
            ServerLists.server("a", endpoints: [endpoint("E", entries)])
        ])
        for one in VPNProtocol.allCases {
            let isSpoken = (mask ?? 15) & one.support.rawValue != 0
            let found = try asked.servers([.supports(one.support)])
            #expect(found.labels == (isSpoken ? "a" : ""), "\(one)")
            let all = try asked.servers([.supportsAll(protocols: one.support)])
            #expect(all == found, "\(one)")
        }
        #expect(try asked.servers().map(\.protocolSupport.rawValue) == [mask ?? 15])
        let unlimited = try asked.servers([.supports(.zero)])
        #expect(unlimited.labels == (mask == nil ? "a" : ""))
    }
}
