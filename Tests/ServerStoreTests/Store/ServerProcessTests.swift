import DocumentStore
import Foundation
import SQLCore
import ServerStore
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("A file of servers that several processes use", .timeLimit(.minutes(20)))
struct ServerProcessTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("servers.cblite2")
    }

    private static func path(of program: String) throws -> String {
        try #require(CrashHarness.program(named: program))
    }

    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let outcome = try ChildProcess.run([Self.path(of: program)] + arguments)
        #expect(outcome.status == 0, "\(outcome.output)")
        return outcome.output
    }

    /// A file of the API's JSON with these servers.
    private func answer(_ servers: [VPNServer], _ name: String) throws -> String {
        let path = directory(name)
        try ServerListJSON.write(servers).write(
            to: URL(fileURLWithPath: path), atomically: true, encoding: .utf8)
        return path
    }

    @Test("the example stores a list and loads, and runs queries; kvtool shows its collections")
    func example() throws {
        let servers = [
            ServerLists.server("a", "CH#1", score: 2), ServerLists.server("b", "CH#2", score: 1),
            ServerLists.server("c", "DE#1", exit: "DE", status: 0),
        ]
        let list = try answer(servers, "list.json")
        #expect(
            try run("server-list", [path, "store", list])
                == "3 new, 0 changed, 0 gone, 0 as they were\n")
        #expect(
            try run("server-list", [path, "store", list])
                == "0 new, 0 changed, 0 gone, 3 as they were\n")
        #expect(try run("server-list", [path, "fastest", "CH"]) == "CH#2, load 10 %\n")
        var slow = servers
        (slow[1].logical.score, slow[1].logical.load) = (9, 99)
        let loads = try answer(slow, "loads.json")
        #expect(try run("server-list", [path, "loads", loads]) == "1 changed, 0 unknown\n")
        #expect(try run("server-list", [path, "fastest"]) == "CH#1, load 10 %\n")
        #expect(
            try run("server-list", [path, "groups"])
                == """
                CH: 2 servers in 0 cities
                DE: 1 servers in 0 cities, under maintenance

                """)
        #expect(
            try run("kvtool", ["ls", path, "--collection", "vpn.logicals"])
                .split(separator: "\n").count == 4)
    }

    @Test("what another process stores is in the next list, whole")
    func another() async throws {
        let lists = [["a", "b", "c"], ["b"]].map { $0.map { ServerLists.server($0) } }
        let files = try lists.enumerated().map { try answer($1, "\($0).json") }
        let store = try ServerStore(path: path)
        _ = try store.replaceList(lists[0])
        #expect(try await store.currentList().servers.count == 3)
        let isDone = Locked(false)
        let reading = Task {
            var seen: Set<[String]> = []
            while !isDone.withLock({ $0 }) {
                let found = try await store.read { snapshot in
                    (
                        try store.list(in: snapshot).servers.map(\.id),
                        try store.servers(in: snapshot).map(\.id)
                    )
                }
                #expect(found.0 == found.1)
                seen.insert(found.0)
            }
            return seen
        }
        for round in 1...6 {
            _ = try run("server-list", [path, "store", files[round % 2]])
            let ids = try await store.currentList().servers.map(\.id)
            #expect(ids == lists[round % 2].map(\.id))
        }
        isDone.withLock { $0 = true }
        #expect(try await reading.value.isSubset(of: Set(lists.map { $0.map(\.id) })))
    }

    @Test("both write, and nothing of either is lost")
    func both() async throws {
        let loads = (0..<20).map { ServerLists.server("s\($0)", load: 50) }
        let file = try answer(loads, "loads.json")
        let store = try ServerStore(path: path)
        _ = try store.replaceList((0..<20).map { ServerLists.server("s\($0)") })
        for round in 0..<5 {
            let change = try store.update(
                loads: [.init(serverId: "s\(round)", load: 1, score: 1, status: 1)])
            #expect(change.updated == 1)
            #expect(
                try run("server-list", [path, "loads", file]).hasSuffix(" changed, 0 unknown\n"))
            let found = try await store.currentList().servers.map(\.logical.load)
            #expect(found == Array(repeating: 50, count: 20))
        }
    }

    @Test("both write at once, again and again, and each list is whole")
    func atOnce() async throws {
        let lists = [0..<60, 30..<90].map { $0.map { ServerLists.server("s\($0)") } }
        let file = try answer(lists[0], "0.json")
        let store = try ServerStore(path: path)
        _ = try store.replaceList(lists[1])
        for _ in 0..<3 {
            async let outcome = ChildProcess.run(
                [Self.path(of: "server-list"), path, "store", file])
            for round in 0..<20 {
                let ids = try await store.write { transaction in
                    _ = try store.replaceList(lists[round % 2], in: transaction)
                    return try store.list(in: transaction).servers.map(\.id)
                }
                #expect(ids == lists[round % 2].map(\.id).sorted())
                let seen = try await store.currentList().servers.map(\.id)
                #expect(lists.contains { $0.map(\.id).sorted() == seen })
            }
            let (status, output) = try await outcome
            #expect(status == 0, "\(output)")
        }
        #expect(try await store.file.integrityCheck().isIntact)
    }

    @Test("a configuration applies its policy to a file of a later version")
    func newer() throws {
        let store = try ServerStore(path: path)
        _ = try store.replaceList([ServerLists.server("a")])
        try store.write {
            _ = try DocumentCollection(CollectionName("vpn.info")).save("schema", in: $0) {
                try $0.encode(["version": 99])
            }
        }
        store.file.close()
        let type = DatabaseType.physical(filePath: path)
        let refusing = ServerRepository.live(configuration: .init(databaseType: type))
        let error = #expect(throws: ServerStoreError.self) { try refusing.isEmpty }
        #expect(error?.code == .newerVersion)
        let lines = Locked<[String]>([])
        let keeping = ServerRepository.live(
            configuration: .init(databaseType: type, ifNewer: .setAside) { line in
                lines.withLock { $0.append(line) }
            })
        #expect(try keeping.isEmpty)
        #expect(lines.withLock { $0.count } == 1)
        #expect(FileManager.default.fileExists(atPath: path + ".newer-1"))
    }
}
