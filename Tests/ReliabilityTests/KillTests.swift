import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

/// A writing process is killed repeatedly, each time at a random point.
///
/// `STORE_KILLS` is the number of kills for each workload.
@Suite("After a kill the file is intact, and has all acknowledged transactions", .serialized)
struct KillTests {
    private static let rounds = TestEnvironment.number("STORE_KILLS", or: 60)

    /// The outcomes of a workload's rounds.
    private struct Tally {
        var rounds = 0
        var acknowledged = 0
        /// Rounds after which the last transaction was present, but had not been acknowledged.
        var unsaid = 0
        /// Rounds that interrupted a background task between two of its steps.
        var between = 0

        func note(_ name: String) {
            Figures.note(
                "\(name): \(rounds) kills, \(acknowledged) transactions acknowledged, "
                    + "\(unsaid) unacknowledged commits, \(between) between background steps")
        }
    }

    /// Kills the writer, and compares the contents of the file with what it acknowledged.
    private func kill(
        _ arguments: [String], _ killed: KilledFile, seed: UInt64,
        check: (KilledFile.Contents, inout Tally) -> [String]
    ) throws {
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        let harness = CrashHarness(
            program: program, arguments: [killed.path] + arguments, seed: seed)
        var commits: Int64 = 0
        var tally = Tally()
        try harness.run(rounds: Self.rounds) { round in
            let contents =
                commits == 0 && !round.wasReady
                ? try? killed.contents() : try killed.contents()
            guard let contents else { return }
            var problems = contents.problems
            let said = round.acknowledged.compactMap { Int64($0) }
            let least = said.last ?? commits
            if !(least...least + 1).contains(contents.last) {
                problems.append("\(contents.last) transactions, not \(least)")
            }
            problems += check(contents, &tally)
            #expect(problems == [], "seed \(seed), \(round)")
            tally.rounds += 1
            tally.acknowledged += said.count
            if contents.last > least { tally.unsaid += 1 }
            commits = contents.last
        }
        tally.note(arguments.last ?? "")
        #expect(commits > Self.rounds / 2)
    }

    @Test("while documents are replaced")
    func writing() throws {
        let directory = try TemporaryDirectory()
        let (slots, parts) = (Int64(64), 3)
        try kill(
            ["\(slots)", "\(parts)", "honest"], KilledFile(path: directory("store.cblite2")),
            seed: 20_265
        ) { contents, _ in
            let last = contents.last
            var problems: [String] = []
            // Each transaction assigns a sequence to each of its documents, and to no others.
            if contents.lastSequence != last * Int64(parts + 1) {
                problems.append("\(contents.lastSequence) sequences")
            }
            var expected: [String: Int64] = last > 0 ? ["last": last] : [:]
            for number in max(1, last - slots + 1)..<last + 1 {
                for part in 0..<parts { expected["\(number % slots)-\(part)"] = number }
            }
            if contents.numbers != expected { problems.append("\(contents.numbers)") }
            return problems
        }
    }

    @Test("while records expire in the background")
    func expiry() throws {
        let directory = try TemporaryDirectory()
        try kill(["expiry"], KilledFile(path: directory("store.cblite2")), seed: 31) {
            contents, tally in
            var problems: [String] = []
            var gone = 0
            for number in 1..<max(contents.last, 1) {
                let left = KilledFile.ids(number).filter { contents.numbers[$0] == number }
                if left.isEmpty { gone += 1 }
                if ![0, KilledFile.parts].contains(left.count) {
                    problems.append("\(left.count) documents of \(number)")
                }
                if !left.allSatisfy({ contents.expirations[$0] == 1 }) {
                    problems.append("documents of \(number) do not expire")
                }
            }
            let latest = KilledFile.ids(contents.last).filter {
                contents.numbers[$0] == contents.last && contents.expirations[$0] == nil
            }
            if contents.last > 0, latest.count != KilledFile.parts {
                problems.append("\(latest.count) of the latest documents")
            }
            if contents.purges != gone * KilledFile.parts {
                problems.append("\(contents.purges) purges, \(gone) transactions gone")
            }
            if gone < contents.last - 1 { tally.between += 1 }
            return problems
        }
    }

    @Test("while blobs are stored and removed: those of documents are present, and no others")
    func blobs() throws {
        let directory = try TemporaryDirectory()
        let killed = KilledFile(path: directory("store.cblite2"))
        try kill(["blobs"], killed, seed: 33) { contents, tally in
            var problems: [String] = []
            var expected: [String: Int64] = contents.last > 0 ? ["last": contents.last] : [:]
            for number in max(1, contents.last - 1)..<contents.last + 1 {
                expected["\(number)-0"] = number
            }
            if contents.numbers != expected { problems.append("\(contents.numbers)") }
            do {
                let found = try killed.collectBlobs()
                if found.removed > 0 { tally.between += 1 }
                problems += found.problems
            } catch {
                problems.append("\(error)")
            }
            return problems
        }
    }

    @Test("while indexes of all kinds are maintained and recreated: each equals the documents")
    func indexes() throws {
        TestIndexes.registerModel()
        let directory = try TemporaryDirectory()
        let killed = KilledFile(path: directory("store.cblite2"))
        try kill(["indexes"], killed, seed: 34) { contents, _ in
            let last = contents.last
            var expected: [String: Int64] = last > 0 ? ["last": last] : [:]
            for number in max(1, last - 1)..<last + 1 {
                for id in KilledFile.ids(number) { expected[id] = number }
            }
            var problems: [String] = []
            if contents.numbers != expected { problems.append("\(contents.numbers)") }
            do {
                let oracle = try IndexOracle(killed.path)
                problems += oracle.problems
                if last > 0, oracle.compared["elements", default: 0] == 0 {
                    problems.append("there are no indexes")
                }
            } catch {
                problems.append("\(error)")
            }
            return problems
        }
    }

    @Test("while the file is compacted", arguments: [false, true])
    func compaction(usesVacuum: Bool) throws {
        let directory = try TemporaryDirectory()
        let killed = KilledFile(path: directory("store.cblite2"))
        if usesVacuum { try Self.makeFileOfOldKind(killed.path) }
        try kill(["compaction"], killed, seed: 32) { contents, _ in
            let last = contents.last
            var expected: [String: Int64] = last > 0 ? ["last": last] : [:]
            for number in max(1, last - 1)..<last + 1 {
                for id in KilledFile.ids(number) { expected[id] = number }
            }
            var problems: [String] = []
            if contents.numbers != expected { problems.append("\(contents.numbers)") }
            if contents.purges != max(0, last - 2) * Int64(KilledFile.parts) {
                problems.append("\(contents.purges) purges")
            }
            if usesVacuum {
                do { try Self.makeOldKind(killed.path) } catch { problems.append("\(error)") }
            }
            return problems
        }
    }

    private static func makeFileOfOldKind(_ path: String) throws {
        try DataFile(path: path, options: DataFileOptions(access: .create)).close()
        try makeOldKind(path)
    }

    /// Creates a file as 2.x did: only VACUUM reclaims its free pages.
    private static func makeOldKind(_ path: String) throws {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try context.exec(sql: "PRAGMA auto_vacuum = 0; VACUUM")
        try context.close()
    }
}

extension KilledFile {
    /// The documents that a transaction of the workloads `expiry` and `compaction` writes.
    static func ids(_ number: Int64) -> [String] {
        (0..<parts).map { "\(number)-\($0)" }
    }
}
