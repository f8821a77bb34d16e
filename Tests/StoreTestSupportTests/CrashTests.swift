import DataFileCore
import FleeceLite
import SQLCore
import StoreTestSupport
import Testing

@Suite("CrashHarness")
struct CrashTests {
    @Test("300 kills of a writer: what was acknowledged is there, and nothing in part")
    func kills() throws {
        let folder = try TemporaryFolder()
        let path = folder("crash.cblite2")
        let (slots, parts): (Int64, Int) = (16, 3)
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        let seed: UInt64 = 20_261
        let harness = CrashHarness(
            program: program, arguments: [path, "\(slots)", "\(parts)"], seed: seed)
        var commits: Int64 = 0
        var rounds = 0
        try harness.run(rounds: 300) { round in
            rounds += 1
            let acknowledged = round.acknowledged.compactMap { Int64($0) }
            #expect(acknowledged.count == round.acknowledged.count, "\(round)")
            let last = acknowledged.last ?? commits
            let found = try Self.check(path, slots: slots, parts: parts, "seed \(seed), \(round)")
            // A commit may be whole whose acknowledgement was never said.
            #expect(found == last || found == last + 1, "seed \(seed), \(round)")
            #expect(acknowledged.first ?? commits + 1 == commits + 1, "\(round)")
            commits = found
        }
        #expect(rounds == 300)
        #expect(commits > 300)
    }

    /// Checks that the file is as `CrashWriter` leaves it; returns the latest commit's number.
    private static func check(
        _ path: String, slots: Int64, parts: Int, _ comment: Comment
    ) throws -> Int64 {
        // A writer that was killed early has not made the file.
        guard FileSize.of(path) != nil else { return 0 }
        let options = DataFileOptions(access: .create)
        let file = try DataFile(path: path, options: options)
        defer { file.close() }
        let documents = Collection(.default)
        return try file.read { snapshot in
            let last = try documents.get("last", in: snapshot)?["n"]?.int ?? 0
            for slot in 0..<slots {
                // The latest transaction up to the last one that wrote here; 0 if none has.
                let latest = last - ((last - slot) % slots + slots) % slots
                for part in 0..<parts {
                    let found = try documents.get("\(slot)-\(part)", in: snapshot)?["n"]?.int
                    #expect(found == (latest > 0 ? latest : nil), comment)
                }
            }
            let context = try SQLContext(path: path + "/db.sqlite3")
            #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"), comment)
            return last
        }
    }

    @Test("a program is killed when it has acknowledged so often, and what it said is heard")
    func acknowledgements() throws {
        let script = "echo ready; i=0; while :; do i=$((i + 1)); echo $i; done"
        let harness = CrashHarness(program: "/bin/sh", arguments: ["-c", script], seed: 3)
        var byCount = 0
        try harness.run(rounds: 12) { round in
            let numbers = round.acknowledged.compactMap { Int($0) }
            #expect(numbers == Array(1..<numbers.count + 1), "\(round)")
            guard case .acknowledgements(let count) = round.moment else { return }
            byCount += 1
            #expect(round.wasReady && numbers.count >= count, "\(round)")
        }
        #expect(byCount > 0)
    }

    @Test("a program that ends by itself, or cannot be started, is an error that says so")
    func failures() throws {
        let quitter = CrashHarness(
            program: "/bin/sh", arguments: ["-c", "echo ready; echo done; exit 3"], seed: 1)
        let error = #expect(throws: CrashHarness.Failure.self) {
            try quitter.run(rounds: 20) { _ in }
        }
        #expect(error?.description.contains("ended by itself") == true)
        let missing = CrashHarness(program: "/no/such/program", arguments: [], seed: 1)
        #expect(throws: CrashHarness.Failure.self) { try missing.run(rounds: 1) { _ in } }
        #expect(CrashHarness.program(named: "no-such-program") == nil)
    }
}
