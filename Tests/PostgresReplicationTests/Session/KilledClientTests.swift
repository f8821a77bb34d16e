import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

/// `STORE_SYNC_KILLS` is the number of kills, `STORE_SYNC_DOCUMENTS` that of documents in the first
/// pull and push.
@Suite("A client that is killed", .enabled(if: PostgresServer.isInstalled))
struct KilledClientTests {
    private static let kills = TestEnvironment.number("STORE_SYNC_KILLS", or: 30)
    private static let documents = TestEnvironment.number("STORE_SYNC_DOCUMENTS", or: 20_000)

    /// A file that a process replicates until it is killed.
    private struct Killed: Sendable {
        let server: PostgresServer
        let directory: TemporaryDirectory
        let program: String
        let name: String
        let endpoint: PostgresEndpoint

        init() throws {
            server = try #require(PostgresServer.shared)
            directory = try TemporaryDirectory()
            program = try #require(CrashHarness.program(named: "SyncWriter"))
            (endpoint, name) = try server.namedEndpoint()
        }

        /// Starts the process, and kills it after a random time.
        func kill(
            _ mode: String, seed: UInt64, longestTime: Int
        ) throws -> CrashHarness.Round {
            var harness = CrashHarness(
                program: program, arguments: [directory("store.cblite2"), server.url, name, mode],
                seed: seed)
            harness.longestTime = longestTime
            harness.mostAcknowledgements = 5
            var killed: CrashHarness.Round?
            try harness.run(rounds: 1) { killed = $0 }
            return try #require(killed)
        }

        /// Opens the file, checks it, and passes it to a closure.
        func withFile<T>(_ body: (DataFile) async throws -> T) async throws -> T {
            let options = DataFileOptions(access: .create)
            let file = try DataFile(path: directory("store.cblite2"), options: options)
            defer { file.close() }
            #expect(try await file.integrityCheck().findings.isEmpty)
            return try await body(file)
        }

        func countAtServer() throws -> Int {
            let rows = try server.sql("SELECT count(*) FROM \(name).docs")
            return rows.first.flatMap { Int($0) } ?? 0
        }

        /// Replicates the file here, which its lock allows at once.
        func replicate(_ file: DataFile) async throws -> ReplicationReport {
            let settings = ReplicatedCollection(Device.people)
            return try await Replicator(file, to: endpoint, collections: [settings]).run()
        }
    }

    @Test("continues where it was, and loses and repeats nothing")
    func writing() async throws {
        let killed = try Killed()
        try await killed.endpoint.prepare()
        let other = try Device(killed.endpoint)
        var (saved, replicated) = (Int64(0), Int64(0))
        for round in 0..<Self.kills {
            let end = try killed.kill("write", seed: UInt64(round), longestTime: 100)
            for line in end.acknowledged {
                let words = line.split(separator: " ")
                guard let number = words.last.flatMap({ Int64($0) }) else { continue }
                saved = max(saved, number)
                if words.count == 2 { replicated = max(replicated, number) }
            }
            try await killed.withFile { file in
                let number = try await Self.number(in: file)
                #expect((saved...saved + 1).contains(number), "\(end)")
                saved = number
                // Now and then by this process.
                if round % 8 == 0 { #expect(try await killed.replicate(file).conflictCount == 0) }
            }
            try await other.save("other-\(round)", #"{"round": \#(round)}"#)
            try await other.save("other", #"{"round": \#(round)}"#)
            #expect(try await other.replicate().conflictCount == 0)
            #expect(try await Self.number(in: other.store.file) >= replicated, "\(end)")
        }
        let contents = try await killed.withFile { file in
            let report = try await killed.replicate(file)
            #expect(report.conflictCount == 0 && report.rejectionCount == 0)
            let again = try await killed.replicate(file)
            #expect(again.pushed == 0 && again.pulled == 0)
            return try await file.contents(of: Device.people)
        }
        try await other.replicate()
        #expect(try await other.contents() == contents)
        // No revision is that of a resolved conflict, which has two sources.
        #expect(contents.allSatisfy { !$0.contains(",") && !$0.contains(";") })
        let ids = contents.compactMap { $0.split(separator: " ").first.map { String($0) } }
        let expected =
            (1..<saved + 1).map { "child-\($0)" } + (0..<Self.kills).map { "other-\($0)" }
            + ["child", "other"]
        #expect(ids.sorted() == expected.sorted())
        #expect(saved > 5 && replicated > 5)
    }

    @Test("in its first pull or push completes it later", arguments: [false, true])
    func first(isPush: Bool) async throws {
        let killed = try Killed()
        try await killed.endpoint.prepare()
        let other = try Device(killed.endpoint)
        if isPush {
            try await killed.withFile { try await Self.fill($0) }
        } else {
            try await Self.fill(other.store.file)
            try await other.replicate()
        }
        var (interrupted, last) = (0, 0)
        for round in 0..<Self.kills where last < Self.documents {
            let end = try killed.kill("follow", seed: UInt64(round), longestTime: 300)
            let count = try await killed.withFile { file in
                isPush
                    ? try killed.countAtServer()
                    : try await file.read { snapshot in
                        guard try Device.people.exists(in: snapshot) else { return 0 }
                        return try Device.people.count(in: snapshot).live
                    }
            }
            #expect(count >= last, "\(end)")
            if (1..<Self.documents).contains(count) { interrupted += 1 }
            last = count
        }
        #expect(interrupted > 2, "kills in the middle")
        let contents = try await killed.withFile { file in
            let report = try await killed.replicate(file)
            #expect(report.conflictCount == 0 && report.rejectionCount == 0)
            if !isPush { #expect(report.pushed == 0) }
            return try await file.contents(of: Device.people)
        }
        if isPush { #expect(try await other.replicate().pulled == Self.documents) }
        #expect(contents.count == Self.documents)
        #expect(try await other.contents() == contents)
    }

    private static func fill(_ file: DataFile) async throws {
        try await file.write { transaction in
            for number in 0..<documents {
                _ = try Device.people.save("doc-\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number), "text": "the text of a document"}"#)
                }
            }
        }
    }

    private static func number(in file: DataFile) async throws -> Int64 {
        try await file.read { snapshot in
            guard try Device.people.exists(in: snapshot) else { return 0 }
            return try Device.people.get("child", in: snapshot)?["n"]?.int ?? 0
        }
    }
}
