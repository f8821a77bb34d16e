import Foundation
import ProjectTestSupport
import ServerStore
import StoreTestSupport
import Testing

@Suite("Real lists of servers", .enabled(if: GoldenFiles.arePresent))
struct ServerListGoldenTests {
    private func file(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: GoldenFiles.file("servers/\(name)")))
    }

    @Test("the list that the API gave keeps all its servers and endpoints")
    func live() throws {
        let read = try ServerListJSON.read(file("LiveServers.json"))
        #expect(read.problems == [])
        let servers = read.servers
        #expect(servers.count == 405)
        #expect(servers.map(\.endpoints.count).reduce(0, +) == 530)
        #expect(servers.map(\.endpoints.count).max() == 22)
        #expect(Set(servers.flatMap { $0.endpoints.map(\.id) }).count == 452)
        #expect(Set(servers.map(\.logical.exitCountryCode)).count == 33)
        // Cities of countries, in some of which servers have none.
        #expect(
            Set(servers.map { [$0.logical.exitCountryCode, $0.logical.city] }).count == 72)
        let core = servers.filter { $0.logical.kind != .country }
        #expect(core.count == 34)
        #expect(core.allSatisfy { $0.logical.entryCountryCode != $0.logical.exitCountryCode })
        #expect(
            [0, 1, 2].map { tier in servers.count { $0.logical.tier == tier } } == [7, 173, 225])
        #expect(servers.count { $0.logical.isUnderMaintenance } == 3)
        let first = try #require(servers.first)
        #expect(first.logical.name == "CA#1" && first.logical.city == "Toronto")
        #expect(first.logical.latitude == 43.6329 && first.logical.longitude == -79.3611)
        #expect(first.logical.score == 1.38974285 && first.logical.load == 21)
        #expect(first.endpoints.map(\.entryIp) == ["104.254.92.59"])
    }

    @Test("it is written as it was read, and its loads are those of the servers")
    func liveAgain() throws {
        let json = try file("LiveServers.json")
        let servers = try ServerListJSON.read(json).servers
        let text = try ServerListJSON.write(servers)
        #expect(try ServerListJSON.read(text).servers == servers)
        #expect(try ServerListJSON.write(ServerListJSON.read(text).servers) == text)
        let pretty = try ServerListJSON.write(servers, pretty: true)
        #expect(try ServerListJSON.read(pretty).servers == servers)
        let loads = try ServerListJSON.readLoads(json)
        #expect(loads.problems == [])
        #expect(loads.loads.map(\.serverId) == servers.map(\.id))
        #expect(loads.loads.map(\.load) == servers.map(\.logical.load))
    }

    @Test("a list as clients keep it is read with its trailing commas")
    func models() throws {
        let json = try file("TestServers.json")
        #expect(throws: ServerStoreError.self) { try ServerListJSON.read(json) }
        let read = try ServerListJSON.read(json, allowingTrailingCommas: true)
        #expect(read.problems == [])
        let servers = read.servers
        #expect(servers.count == 21)
        #expect(servers.map(\.endpoints.count).reduce(0, +) == 26)
        #expect(servers.flatMap(\.endpoints).count { $0.id.isEmpty } == 1)
        #expect(servers.flatMap(\.endpoints).count { $0.protocolEntries != nil } == 7)
        #expect(
            servers.compactMap(\.logical.gatewayName)
                == ["Mega Gateway 1000", "Mega Gateway 2000", "Mega Gateway 1000"])
        #expect(
            servers.filter { $0.logical.feature.contains(.secureCore) }
                .map(\.logical.entryCountryCode) == ["SE", "CH", "IS"])
        let coded = try JSONEncoder().encode(servers)
        #expect(try ServerListJSON.read(coded).servers == servers)
        let text = try ServerListJSON.write(servers)
        #expect(try ServerListJSON.read(text).servers == servers)
        #expect(!text.contains("\"Kind\""))
    }
}
