import BenchmarkReport
import Foundation

extension BenchmarkRun {
    /// A run that starts now, on this machine.
    static func begin(people: Int, rounds: Int, secondsOfRound: Double) -> BenchmarkRun {
        BenchmarkRun(
            date: Date.now.ISO8601Format(), machine: .this,
            settings: Settings(people: people, rounds: rounds, secondsOfRound: secondsOfRound),
            workloads: [], commit: commit)
    }

    /// The git description of the directory of this program.
    private static var commit: String? {
        guard let program = ChildProcess.thisProgram else { return nil }
        let directory = URL(fileURLWithPath: program).deletingLastPathComponent().path
        let arguments = ["git", "-C", directory, "describe", "--always", "--dirty"]
        let text = try? ChildProcess.run("/usr/bin/env", arguments, isQuiet: true)
        let commit = text?.trimmingCharacters(in: .whitespacesAndNewlines)
        return commit?.isEmpty == false ? commit : nil
    }
}
