import ArgumentParser
import BenchmarkReport
import CouchbaseReplication
import DocumentStore
import Foundation
import PostgresReplication
import Replication

/// `kvbench sync`
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Measures replication with a PostgreSQL server, or with Couchbase's protocol.",
        discussion: """
            Without --server, a process of its own listens for Couchbase's protocol.

            The tables are created in a schema kvbench_…, which is removed at the end if psql is \
            installed. CPU times of the server need the ID of its first process, on this machine.
            """)

    @Argument(help: "The number of documents: 10k, 1M; a multiple of 10,000.")
    var documents = BenchmarkSize(people: 100_000)
    @Option(help: "The connection string of a PostgreSQL server.")
    var server: String?
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
        guard let server else { return try await measureListener(place) }
        let name = "kvbench_" + UUID().uuidString.prefix(8).lowercased()
        let endpoint = try PostgresEndpoint(server, schema: name)
        try await endpoint.prepare()
        let benchmark = SyncBenchmark(
            place: place, endpoint: endpoint, floors: endpoint,
            server: ["--server", server, "--schema", name],
            count: documents.people, documents: SyncDocuments(bodySize: bodySize),
            serverID: serverID)
        try await benchmark.run()
        _ = try? ChildProcess.run(
            "/usr/bin/psql", ["-q", server, "-c", "DROP SCHEMA \(name) CASCADE"])
    }
}

// Couchbase's protocol.
extension SyncCommand {
    private func measureListener(_ place: String) async throws {
        let listener = try SyncFollower(starting: ["sync-listener", "\(place)/served.cblite2"])
        defer { listener.stop() }
        let url = try await listener.next()
        let benchmark = SyncBenchmark(
            place: place, endpoint: try CouchbaseEndpoint(url), floors: nil,
            server: ["--server", url], count: documents.people,
            documents: SyncDocuments(bodySize: bodySize), serverID: Int(listener.processID))
        try await benchmark.run()
        print(
            "peak memory of the listener", ProcessMemory.peak(of: listener.processID) >> 20, "MiB")
    }
}

/// `kvbench sync-listener`
struct SyncListenerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-listener", abstract: "The server of kvbench sync.", shouldDisplay: false)

    @Argument(help: "The path of the file.") var path: String

    func run() async throws {
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        let listener = try await CouchbaseListener(["db": file], port: 0)
        FileHandle.standardOutput.write(Data("ws://127.0.0.1:\(listener.port)/db\n".utf8))
        await listener.run()
    }
}

/// `kvbench sync-pass`
struct SyncPassCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync-pass", abstract: "One process of kvbench sync.", shouldDisplay: false)

    @Argument(help: "The path of the file.") var path: String
    @Option(help: "The connection string or the URL of the server.") var server: String
    @Option(help: "The schema with the tables.") var schema = ""
    @Flag(help: "Go on until the process ends.") var follow = false
    @Flag(help: "Ask once a second instead of waiting for notifications.") var polling = false

    func run() async throws {
        let endpoint: any ReplicationEndpoint =
            schema.isEmpty
            ? try CouchbaseEndpoint(server)
            : try PostgresEndpoint(server, schema: schema, notifications: !polling)
        let pass = try SyncPass(path, endpoint)
        if follow { try await pass.follow() } else { try await pass.run() }
    }
}
