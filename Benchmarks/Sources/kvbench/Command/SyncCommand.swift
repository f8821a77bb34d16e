import ArgumentParser
import BenchmarkReport
import DocumentStore
import Foundation
import PostgresReplication
import Replication

/// `kvbench sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Measures replication with a PostgreSQL server.",
        discussion: """
            The tables are created in a schema kvbench_…, which is removed at the end if psql is \
            installed. CPU times of the server need the ID of its first process, on this machine.
            """)

    @Argument(help: "The number of documents: 10k, 1M; a multiple of 10,000.")
    var documents = BenchmarkSize(people: 100_000)
    @Option(help: "The connection string of the server.")
    var server: String
    @Option(name: .customLong("server-pid"), help: "The ID of the server's first process.")
    var serverID: Int?
    @Option(help: "Add a text to each document, so that its body has as many bytes.")
    var bodySize = 0
    @Option(help: "The parent of the new directory.", completion: .directory)
    var directory = "."

    func validate() throws {
        guard 0...10_000_000 ~= bodySize else {
            throw ValidationError("A body has between 0 and 10,000,000 bytes.")
        }
    }

    func run() async throws {
        try requireRelease()
        let place = "\(directory)/kvbench-\(UUID().uuidString)"
        Interruption.remove([place])
        try OutputPath.createDirectory(place)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let name = "kvbench_" + UUID().uuidString.prefix(8).lowercased()
        let endpoint = try PostgresEndpoint(server, schema: name)
        try await endpoint.prepare()
        let benchmark = SyncBenchmark(
            place: place, endpoint: endpoint, server: ["--server", server, "--schema", name],
            count: documents.people, documents: SyncDocuments(bodySize: bodySize),
            serverID: serverID)
        try await benchmark.run()
        _ = try? ChildProcess.run(
            "/usr/bin/psql", ["-q", server, "-c", "DROP SCHEMA \(name) CASCADE"])
    }
}

/// `kvbench sync-pass`
struct SyncPassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-pass", abstract: "One process of kvbench sync.", shouldDisplay: false)

    @Argument(help: "The path of the file.") var path: String
    @Option(help: "The connection string of the server.") var server: String
    @Option(help: "The schema with the tables.") var schema: String
    @Flag(help: "Go on until the process ends.") var follow = false
    @Flag(help: "Ask once a second instead of waiting for notifications.") var polling = false

    func run() async throws {
        let endpoint = try PostgresEndpoint(server, schema: schema, notifications: !polling)
        let pass = try SyncPass(path, endpoint)
        if follow { try await pass.follow() } else { try await pass.run() }
    }
}
