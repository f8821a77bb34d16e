import Foundation
import ProjectTestSupport
import SampleData
import ServerStore
import StoreTestSupport

/// Servers to search for.
enum SearchFixture {
    static let english = CountryNames(locale: Locale(identifier: "en"))

    static func server(
        _ name: String, _ exit: String, id: String? = nil, city: String? = nil,
        translated: String? = nil, state: String? = nil, kind: LogicalServer.Kind = .country
    ) -> LogicalServer {
        LogicalServer(
            id: id ?? name, name: name, domain: "a.example", load: 1, exitCountryCode: exit,
            tier: 0, score: 1, status: 1, feature: .zero, city: city, translatedCity: translated,
            state: state, kind: kind)
    }

    /// The names of the servers that a text finds, in their order.
    static func names(
        _ text: String, in servers: [LogicalServer], _ names: CountryNames = english
    ) -> [String] {
        ServerSearch(servers: servers, names: names).find(text).map { servers[$0.index].name }
    }

    /// As many servers as of a large provider: countries, cities and names repeat as there.
    static func many(_ count: Int, seed: UInt64) -> [LogicalServer] {
        var generator = SeededGenerator(seed: seed)
        let codes = Locale.Region.isoRegions.map(\.identifier).filter { $0.utf8.count == 2 }
        let cities = Array(Paragraphs(count: 300, seed: seed)).map { String($0.prefix(12)) }
        return (0..<count).map { number in
            let city = cities[generator.below(cities.count)]
            // A third of all servers is in one country, as in real lists.
            let exit =
                generator.below(3) == 0 ? "US" : codes[generator.below(min(codes.count, 148))]
            return server(
                "\(exit)#\(number)", exit, id: "id\(number)", city: city, translated: city + "o",
                state: exit == "US" ? cities[generator.below(50)] : nil)
        }
    }
}

/// The lists of real servers among the golden files.
enum GoldenServers {
    /// What the API gave, in its own shape.
    static func live() throws -> [LogicalServer] {
        struct List: Decodable {
            struct Server: Decodable {
                var ID: String
                var Name: String
                var EntryCountry: String
                var ExitCountry: String
                var City: String?
            }
            var LogicalServers: [Server]
        }
        let data = try Data(contentsOf: URL(filePath: GoldenFiles.file("servers/LiveServers.json")))
        return try JSONDecoder().decode(List.self, from: data).LogicalServers.map { server in
            let isSecureCore = server.EntryCountry != server.ExitCountry
            return SearchFixture.server(
                server.Name, server.ExitCountry, id: server.ID, city: server.City,
                kind: isSecureCore
                    ? .secureCore(entryCountryCode: server.EntryCountry) : .country)
        }
    }

    /// Servers of tests, in the shape of the models; their JSON has commas too many.
    static func test() throws -> [LogicalServer] {
        let path = GoldenFiles.file("servers/TestServers.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
            .replacing(/,(\s*[}\]])/) { $0.output.1 }
        return try JSONDecoder().decode([VPNServer].self, from: Data(text.utf8)).map(\.logical)
    }
}
