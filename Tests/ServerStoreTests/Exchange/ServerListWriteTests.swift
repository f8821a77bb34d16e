import SampleData
import ServerStore
import StoreTestSupport
import Testing

@Suite("Lists of servers that are written")
struct ServerListWriteTests {
    private func server(_ id: String = "a", _ change: (inout VPNServer) -> Void = { _ in })
        -> VPNServer
    {
        var server = VPNServer(
            logical: LogicalServer(
                id: id, name: "CH#1", domain: "a.example", load: 1, exitCountryCode: "CH", tier: 0,
                score: 1.5, status: 1, feature: .p2p),
            endpoints: [
                ServerEndpoint(id: "e", exitIp: "192.0.2.2", domain: "e.example", status: 1)
            ])
        change(&server)
        return server
    }

    @Test("a list is written in the format of the API, with sorted fields")
    func text() throws {
        let full = server {
            $0.logical.translatedCity = "Zürich"
            $0.endpoints[0].protocolEntries = ["b": nil, "a": .init(ipv4: "192.0.2.3", ports: [1])]
        }
        #expect(
            try ServerListJSON.write([full])
                == #"{"Code":1000,"LogicalServers":[{"Domain":"a.example","EntryCountry":"CH","#
                + #""ExitCountry":"CH","Features":4,"ID":"a","Load":1,"#
                + #""Location":{"Lat":0.0,"Long":0.0},"Name":"CH#1","Score":1.5,"#
                + #""Servers":[{"Domain":"e.example","EntryPerProtocol":"#
                + #"{"a":{"IPv4":"192.0.2.3","Ports":[1]},"b":null},"ExitIP":"192.0.2.2","#
                + #""ID":"e","Status":1}],"Status":1,"Tier":0,"Translations":{"City":"Zürich"}}]}"#)
        #expect(try ServerListJSON.write([]) == #"{"Code":1000,"LogicalServers":[]}"#)
        #expect(try ServerListJSON.write([], pretty: true).contains("\n"))
    }

    @Test("equal servers have equal text")
    func equal() throws {
        let names = (0..<40).map { "protocol\($0)" }
        let one = server { one in
            one.logical.latitude = 0
            one.endpoints[0].protocolEntries = [:]
            for name in names { one.endpoints[0].protocolEntries?[name] = .init() }
        }
        let other = server { other in
            other.logical.latitude = -0.0
            other.endpoints[0].protocolEntries = [:]
            for name in names.reversed() { other.endpoints[0].protocolEntries?[name] = .init() }
        }
        #expect(one == other)
        #expect(try ServerListJSON.write([one]) == ServerListJSON.write([other]))
    }

    @Test(
        "a kind that does not follow from the other fields is read back",
        arguments: [
            (.country, .secureCore), (.gateway(name: "G"), .secureCore), (.gateway(name: ""), []),
            (.secureCore(entryCountryCode: "SE"), []), (.gateway(name: "G"), .restricted),
            (.secureCore(entryCountryCode: "SE"), [.secureCore, .restricted]),
        ] as [(LogicalServer.Kind, ServerFeature)])
    func kinds(kind: LogicalServer.Kind, feature: ServerFeature) throws {
        let server = server { ($0.logical.kind, $0.logical.feature) = (kind, feature) }
        let text = try ServerListJSON.write([server])
        #expect(try ServerListJSON.read(text).servers == [server])
        let derived = LogicalServer.kind(
            feature: feature, entryCountryCode: server.logical.entryCountryCode,
            gatewayName: server.logical.gatewayName)
        #expect(text.contains("\"Kind\"") == (derived != kind))
    }

    @Test("numbers are read back to the last bit")
    func numbers() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 4)
        var random = SeededGenerator(seed: UInt64(bitPattern: Int64(seed)))
        var servers: [VPNServer] = []
        for number in 0..<500 {
            let score = Double(bitPattern: random.next())
            servers.append(
                server("\(number)") {
                    $0.logical.score = score.isFinite ? score : Double(Float(0.1))
                    $0.logical.latitude = Double(Float.random(in: -90...90, using: &random))
                    $0.logical.longitude = .random(in: -180...180, using: &random)
                    $0.logical.status = Int(truncatingIfNeeded: random.next())
                    $0.logical.feature = .init(rawValue: Int.random(in: 0...(.max), using: &random))
                    $0.logical.kind =
                        $0.logical.feature.contains(.secureCore)
                        ? .secureCore(entryCountryCode: "SE") : .country
                })
        }
        #expect(
            try ServerListJSON.read(ServerListJSON.write(servers)).servers == servers,
            "STORE_SEED=\(seed)")
    }

    @Test("a list that would not be read back is not written, and the error names the server")
    func refused() {
        func refusal(_ servers: VPNServer...) -> String {
            let error = #expect(throws: ServerStoreError.self) {
                try ServerListJSON.write(servers)
            }
            #expect(error?.code == .invalidJSON)
            return error?.message ?? ""
        }
        let start = "the list cannot be written: LogicalServers"
        #expect(refusal(server(""), server()) == start + "[0]: ID is empty; the server is left out")
        let duplicate = start + #"[1] "a": ID is that of a previous server"#
        #expect(refusal(server(), server()).hasPrefix(duplicate))
        #expect(refusal(server { $0.logical.load = 120 }).hasPrefix(start + #"[0] "a": Load is"#))
        #expect(refusal(server { $0.logical.tier = -1 }).hasPrefix(start + #"[0] "a": Tier is"#))
        #expect(
            refusal(server { $0.endpoints.append($0.endpoints[0]) })
                .hasPrefix(start + #"[0] "a": Servers[1].ID is that"#))
        #expect(
            refusal(server { $0.endpoints[0].protocolEntries = ["a": .init(ports: [0])] })
                .hasPrefix(start + #"[0] "a": Servers[0].EntryPerProtocol."a".Ports[0]"#))
        #expect(
            refusal(server { $0.logical.score = .nan })
                == #"the list cannot be written: Score of the server "a" is nan"#)
        #expect(
            refusal(server { $0.logical.longitude = -.infinity })
                == #"the list cannot be written: Long of the server "a" is -inf"#)
    }
}
