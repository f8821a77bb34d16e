import DocumentStore
import Foundation
import PostgresReplication
import Replication

/// Replicates files with a server, and prints what it takes.
struct SyncBenchmark {
    let place: String
    let endpoint: any ReplicationEndpoint
    /// The endpoint, if the floors can be measured with it.
    let floors: PostgresEndpoint?
    /// The arguments with which a process of its own reaches the server.
    let server: [String]
    let count: Int
    let documents: SyncDocuments
    let serverID: Int?

    private static let people = DocumentCollection(CollectionName.default)

    func run() async throws {
        if let floors {
            try await measure("floor: propose, no file", count) { try await proposeAlone(floors) }
        }
        let first = try open("first")
        try fill(first)
        try await measure("first push", count) { try await replicate(first, pushed: count) }
        try await measure("nothing to do", 1) { try await replicate(first) }
        let second = try open("second")
        if let floors {
            try await measure("floor: changes, no file", count) { try await readAlone(floors) }
        }
        try await measure("first pull", count) { try await replicate(second, pulled: count) }
        try await measure("nothing to do", 1) { try await replicate(second) }
        try change(first)
        try await measure("push of changes", count / 10) {
            try await replicate(first, pushed: count / 10)
        }
        try await measure("pull of changes", count / 10) {
            try await replicate(second, pulled: count / 10)
        }
        print("a pull in its own process:", try ChildProcess.runThisProgram(pass("third")))
        try await measureLatency(first, polls: false)
        if floors != nil { try await measureLatency(first, polls: true) }
    }

    private func open(_ name: String) throws -> DataFile {
        try DataFile(
            path: "\(place)/\(name).cblite2", options: DataFileOptions(access: .create))
    }

    /// Documents of 10 GB in one transaction would stand twice on the disk.
    private func fill(_ file: DataFile) throws {
        var rest = documents.documents(count).makeIterator()
        var isEmpty = false
        while !isEmpty {
            try file.write { transaction in
                for _ in 0..<10_000 {
                    guard let (id, body) = rest.next() else { return isEmpty = true }
                    try Self.save(body, id, in: transaction)
                }
            }
        }
    }

    private static func save(
        _ body: [UInt8], _ id: String, in transaction: Transaction
    ) throws {
        _ = try people.save(id, in: transaction) { encoder in
            _ = try body.withUnsafeBytes { try encoder.writeJSON($0, lifting: "_id") }
        }
    }

    private func change(_ file: DataFile) throws {
        try file.write { transaction in
            for (number, document) in zip(0..., documents.documents(count / 10, seed: 7)) {
                try Self.save(document.body, SyncDocuments.id(number * 10), in: transaction)
            }
        }
    }

    private func replicate(_ file: DataFile, pushed: Int = 0, pulled: Int = 0) async throws {
        let report = try await Replicator(
            file, to: endpoint, collections: [ReplicatedCollection(Self.people)]
        ).run()
        guard report.pushed == pushed, report.pulled == pulled, report.rejectionCount == 0 else {
            throw BenchmarkError(message: "the replication did something else: \(report)")
        }
    }
}

// The floors: the same statements, without files.
extension SyncBenchmark {
    /// Sends documents that are ready.
    private func proposeAlone(_ endpoint: PostgresEndpoint) async throws {
        let session = try await endpoint.connect()
        let remote = try await session.open(try CollectionName("floor"))
        var batch: [ProposedRevision] = []
        for (number, (id, body)) in zip(0..., documents.documents(count)) {
            let document = RemoteDocument(
                id: id, revision: "18ec6422e624\(number % 9000 + 1000)@\(Self.source)",
                body: body)
            batch.append(ProposedRevision(document, base: nil))
            guard batch.count == 2000 || number == count - 1 else { continue }
            _ = try await remote.propose(batch, at: nil)
            batch = []
        }
        await session.close()
    }

    private static let source = "7Ba0ItM3Tm6tiWdTRIIUQA"

    /// Reads all changes.
    private func readAlone(_ endpoint: PostgresEndpoint) async throws {
        let session = try await endpoint.connect()
        let remote = try await session.open(.default)
        var position: String?
        var number = 0
        while true {
            let changes = try await remote.changes(since: position, limit: 2000)
            number += changes.documents.count
            position = changes.position
            if changes.isLast { break }
        }
        await session.close()
        guard number == count else { throw BenchmarkError(message: "\(number) changes") }
    }
}

// Measuring.
extension SyncBenchmark {
    private func measure(
        _ name: String, _ number: Int, _ body: () async throws -> Void
    ) async throws {
        _ = ProcessMemory.resetPeak()
        let (client, server) = (Self.processorSeconds(), serverSeconds())
        let start = ContinuousClock.now
        try await body()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let micro = { (seconds: Double) in (seconds / Double(number) * 1e7).rounded() / 10 }
        print(
            name, "\((seconds * 1000).rounded()) ms", "\(Int(Double(number) / seconds))/s",
            "client CPU \(micro(Self.processorSeconds() - client)) µs",
            "server CPU \(micro(serverSeconds() - server)) µs",
            "peak memory \(ProcessMemory.peak() >> 20) MiB", separator: ", ")
        fflush(nil)
    }

    private func pass(_ name: String) -> [String] {
        ["sync-pass", "\(place)/\(name).cblite2"] + server
    }

    /// The time from the commit of a change to its notice in another file by another process.
    private func measureLatency(_ first: DataFile, polls: Bool) async throws {
        let replicator = Replicator(
            first, to: endpoint, collections: [ReplicatedCollection(Self.people)])
        let replication = Task { for await _ in replicator.start() {} }
        let follower = try await SyncFollower(
            pass("second") + ["--follow"] + (polls ? ["--polling"] : []))
        var times: [Double] = []
        let rounds = polls ? 20 : 200
        for number in 0..<rounds {
            let id = "latency-\(polls)-\(number)"
            try await first.write { transaction in
                _ = try Self.people.save(id, in: transaction) { try $0.writeJSON("{}") }
            }
            let start = ContinuousClock.now
            try await follower.wait(for: id)
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        follower.stop()
        replication.cancel()
        await replication.value
        times.sort()
        print(
            "a change in another process, \(polls ? "polling" : "notified"): p50",
            "\(times[rounds / 2]) ms, p99 \(times[rounds * 99 / 100]) ms")
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        getrusage(0, &usage)
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
    }

    /// The CPU time of the server's processes, also of those that have ended; Linux only.
    private func serverSeconds() -> Double {
        guard let serverID else { return 0 }
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var ticks = 0
        for process in processes where Int(process) != nil {
            let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
            let fields = text.split(separator: " ").compactMap { Int($0) }
            // The name in parentheses may have spaces; after it: state, parent, …
            guard let end = text.lastIndex(of: ")") else { continue }
            let rest = text[end...].split(separator: " ").map { String($0) }
            guard rest.count > 15 else { continue }
            let numbers = (12...15).compactMap { Int(rest[$0]) }
            if fields.first == serverID {
                ticks += numbers.reduce(0, +)
            } else if Int(rest[2]) == serverID {
                ticks += numbers[0] + numbers[1]
            }
        }
        return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
