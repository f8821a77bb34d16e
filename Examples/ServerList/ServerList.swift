import Foundation
import ServerStore

/// Keeps the list of servers that an API has given, and answers what a client asks of it.
///
///   swift run server-list FOLDER.cblite2 store ANSWER.json
///   swift run server-list FOLDER.cblite2 loads ANSWER.json
///   swift run server-list FOLDER.cblite2 groups
///   swift run server-list FOLDER.cblite2 fastest [COUNTRY]
@main
enum Program {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard arguments.count >= 2, try run(arguments[1], arguments) else {
                fail("usage: server-list FOLDER.cblite2 store|loads FILE | groups | fastest [CODE]")
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(2)
    }

    private static func run(_ command: String, _ arguments: [String]) throws -> Bool {
        let repository = ServerRepository.live(store: try ServerStore(path: arguments[0]))
        switch (command, arguments.dropFirst(2).first) {
        case ("store", let file?): try store(read(file), repository)
        case ("loads", let file?): try updateLoads(read(file), repository)
        case ("groups", nil): try showGroups(repository)
        case ("fastest", let code): try showFastest(code, repository)
        default: return false
        }
        return true
    }

    private static func read(_ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: file))
    }

    private static func store(_ json: Data, _ repository: ServerRepository) throws {
        let answer = try ServerListJSON.read(json, allowingTrailingCommas: true)
        for problem in answer.problems { print("not read: \(problem)") }
        // What could not be read may be there all the same.
        let change =
            try answer.problems.isEmpty
            ? repository.replaceList(answer.servers) : repository.upsert(servers: answer.servers)
        print(
            "\(change.added.count) new, \(change.changed.count) changed, "
                + "\(change.removed.count) gone, \(change.unchanged) as they were")
    }

    private static func updateLoads(_ json: Data, _ repository: ServerRepository) throws {
        let answer = try ServerListJSON.readLoads(json, allowingTrailingCommas: true)
        for problem in answer.problems { print("not read: \(problem)") }
        let change = try repository.upsert(loads: answer.loads)
        print("\(change.updated) changed, \(change.unknown.count) unknown")
    }

    private static func showGroups(_ repository: ServerRepository) throws {
        let groups = try repository.groups(
            filteredBy: [.features(.standard)], orderedBy: .exitCountryCodeAscending)
        for group in groups {
            let name =
                switch group.kind {
                case .country(let code): code
                case .gateway(let name): name
                case .city(let name, let code), .state(let name, let code): "\(name), \(code)"
                }
            let state = group.isUnderMaintenance ? ", under maintenance" : ""
            print("\(name): \(group.serverCount) servers in \(group.cityCount) cities\(state)")
        }
    }

    private static func showFastest(_ code: String?, _ repository: ServerRepository) throws {
        let filters: [VPNServerFilter] =
            [.features(.standard), .isNotUnderMaintenance]
            + (code.map { [.kind(.country($0))] } ?? [])
        let server = try repository.getFirstServer(filteredBy: filters, orderedBy: .fastest)
        print(server.map { "\($0.logical.name), load \($0.logical.load) %" } ?? "none")
    }
}
