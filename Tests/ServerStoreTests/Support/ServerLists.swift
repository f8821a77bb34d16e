import Foundation
import ProjectTestSupport
import SampleData
import ServerStore
import StoreTestSupport

/// Lists of servers for tests.
enum ServerLists {
    /// The lists of the original's tests, and one that its API gave.
    static func golden(_ name: String) throws -> [VPNServer] {
        let data = try Data(contentsOf: URL(fileURLWithPath: GoldenFiles.file("servers/" + name)))
        return try ServerListJSON.read(
            String(decoding: data, as: UTF8.self), allowingTrailingCommas: true
        ).servers
    }

    /// A server of a name, with an endpoint that is up.
    static func server(
        _ id: String, _ name: String = "CH#1", exit: String = "CH", tier: Int = 0,
        score: Double = 1, load: Int = 10, status: Int = 1, feature: ServerFeature = .zero,
        city: String? = nil, state: String? = nil, host: String? = nil,
        kind: LogicalServer.Kind = .country, endpoints: [ServerEndpoint]? = nil
    ) -> VPNServer {
        let logical = LogicalServer(
            id: id, name: name, domain: "\(id).example", load: load, exitCountryCode: exit,
            tier: tier, score: score, status: status, feature: feature, city: city,
            hostCountry: host, latitude: 1, longitude: 2, state: state, kind: kind)
        return VPNServer(logical: logical, endpoints: endpoints ?? [endpoint(id + "-e")])
    }

    static func endpoint(
        _ id: String, status: Int = 1, _ entries: ProtocolEntries? = nil
    ) -> ServerEndpoint {
        ServerEndpoint(
            id: id, entryIp: "10.0.0.1", exitIp: "10.0.0.2", domain: "e.example", status: status,
            protocolEntries: entries)
    }

    /// Servers of all kinds, at random.
    static func random(_ count: Int, _ generator: inout SeededGenerator) -> [VPNServer] {
        (0..<count).map { random("s\($0)", &generator) }
    }

    static func random(_ id: String, _ generator: inout SeededGenerator) -> VPNServer {
        let exit = generator.pick(["CH", "US", "UK", "DE", "JP"])
        let feature = ServerFeature(rawValue: generator.below(64))
        let kind: LogicalServer.Kind =
            switch generator.below(6) {
            case 0: .gateway(name: generator.pick(["Mega", "Giga", "Ünï"]))
            case 1: .secureCore(entryCountryCode: generator.pick(["SE", "IS", "CH"]))
            default: .country
            }
        let endpoints = (0..<generator.below(4)).map { number in
            endpoint(
                generator.pick(["shared", "\(id)-\(number)"]) + (number > 0 ? "\(number)" : ""),
                status: generator.below(4) > 0 ? 1 : 0, entries(&generator))
        }
        return server(
            id, "\(exit)#\(generator.below(12))" + generator.pick(["", "-TOR", ""]), exit: exit,
            tier: generator.below(4), score: Double(generator.below(8)) / 2,
            load: generator.below(5), status: generator.below(5) > 0 ? 1 : 0, feature: feature,
            city: generator.pick([nil, "Zürich", "New York City", "Łódź", "tokyo"]),
            state: generator.pick([nil, nil, "CA", "NY"]),
            host: generator.pick([nil, "", exit, "SG"]),
            kind: kind, endpoints: endpoints)
    }

    private static func entries(_ generator: inout SeededGenerator) -> ProtocolEntries? {
        guard generator.below(2) == 0 else { return nil }
        var entries: ProtocolEntries = [:]
        for name in ["IKEv2", "WireGuardUDP", "WireGuardTCP", "WireGuardTLS", "Unknown"]
        where generator.below(3) == 0 {
            let entry = ServerProtocolEntry(
                ipv4: generator.below(2) == 0 ? "10.1.0.1" : nil,
                ports: generator.pick([nil, [], [443]]))
            entries.updateValue(generator.below(4) == 0 ? nil : entry, forKey: name)
        }
        return entries
    }
}
