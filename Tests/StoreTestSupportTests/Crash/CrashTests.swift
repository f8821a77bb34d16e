import StoreTestSupport
import Testing

@Suite("CrashHarness")
struct CrashTests {
    /// The problems that a writer has left after each kill.
    private func problems(_ conduct: String, seed: UInt64, rounds: Int) throws -> [String] {
        let directory = try TemporaryDirectory()
        let file = CrashedFile(path: directory("crash.cblite2"), slots: 16, parts: 3)
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        var harness = CrashHarness(
            program: program, arguments: [file.path, "16", "3", conduct], seed: seed)
        harness.mostAcknowledgements = 8
        var problems: [String] = []
        var commits: Int64 = 0
        var played = 0
        try harness.run(rounds: rounds) { round in
            played += 1
            let (last, found) = try file.check()
            let said = round.acknowledged.compactMap { Int64($0) }
            var wrong = found
            // The last transaction may be committed although it was not acknowledged.
            let least = said.last ?? commits
            if last < least || last > least + 1 { wrong.append("\(last) commits") }
            if said != Array((commits + 1)..<(commits + 1 + Int64(round.acknowledged.count))) {
                wrong.append("it said \(said) after \(commits)")
            }
            problems += wrong.map { "\($0), seed \(seed), \(round)" }
            commits = last
        }
        #expect(played == rounds)
        #expect(commits > rounds)
        return problems
    }

    @Test("300 kills of a writer: acknowledged transactions are present, and none in part")
    func kills() throws {
        #expect(try problems("honest", seed: 20_261, rounds: 300) == [])
    }

    @Test("a writer that acknowledges too early is detected")
    func early() throws {
        let problems = try problems("early", seed: 4, rounds: 60)
        #expect(problems.contains { $0.contains("commits, seed 4") })
    }

    @Test("a writer that commits in parts is detected")
    func split() throws {
        let problems = try problems("split", seed: 5, rounds: 60)
        #expect(problems.contains { $0.contains("has") })
    }

    @Test("a program is killed after a number of acknowledgements, and its output is read")
    func acknowledgements() throws {
        let script = "echo ready; i=0; while :; do i=$((i + 1)); echo $i; done"
        let harness = CrashHarness(program: "/bin/sh", arguments: ["-c", script], seed: 3)
        var byCount = 0
        try harness.run(rounds: 12) { round in
            let numbers = round.acknowledged.compactMap { Int($0) }
            #expect(numbers == Array(1..<numbers.count + 1), "\(round)")
            guard case .acknowledgements(let count) = round.crashPoint else { return }
            byCount += 1
            #expect(round.wasReady && numbers.count >= count, "\(round)")
        }
        #expect(byCount > 0)
    }

    @Test("a program that exits without being killed, or cannot be started, is an error")
    func failures() throws {
        let quitter = CrashHarness(
            program: "/bin/sh", arguments: ["-c", "echo ready; echo done; exit 3"], seed: 1)
        let error = #expect(throws: CrashHarness.Failure.self) {
            try quitter.run(rounds: 20) { _ in }
        }
        #expect(error?.description.contains("exited in round") == true)
        let missing = CrashHarness(program: "/no/such/program", arguments: [], seed: 1)
        #expect(throws: CrashHarness.Failure.self) { try missing.run(rounds: 1) { _ in } }
        #expect(CrashHarness.program(named: "no-such-program") == nil)
    }
}
