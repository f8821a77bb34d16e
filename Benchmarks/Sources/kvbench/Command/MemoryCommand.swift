import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench memory`
struct MemoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "Measures how much memory workloads need.",
        discussion: """
            Each workload, and its baseline, runs one pass in a process of its own. The figure is \
            the peak memory of the process in the pass minus the memory before it; the system \
            counts in steps of some 100 kB.
            """)

    @Option(
        help: ArgumentHelp("Only workloads whose names contain this text (default: a selection)."))
    var only: [String] = []
    @Option(help: ArgumentHelp("The number of processes for each workload.", valueName: "n"))
    var rounds = 1
    @OptionGroup var size: SizeArguments
    @OptionGroup var target: FigureArguments

    private static let usual = [
        "store: insert, one transaction, tmpfs: documents of JSON",
        "store: insert, a transaction per 1,000, tmpfs: documents of JSON",
        "store: get at random and read 1 property: documents",
        "store: enumerate unsorted, body and 1 property: forEachRow",
        "store: read at random, change, save: documents",
        "query: scan state = ?", "query: GROUP BY state without index",
        "query: ORDER BY birthday LIMIT 100 without index", "query: SELECT *, a document read",
        "index: create, value", "index: create, words of texts",
    ]

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds takes 1 or more") }
    }

    func run() throws {
        try requireRelease()
        size.use()
        try target.check(people: size.size.people)
        let figures = try chosen().map { workload in
            var figure = Figure(
                name: "memory: " + workload.name, unit: "bytes", rounds: [],
                baseline: workload.baseline.map { _ in [] })
            for _ in 0..<rounds {
                if let baseline = workload.baseline {
                    figure.baseline?.append(try measure(baseline))
                }
                figure.rounds.append(try measure(workload.name))
            }
            return figure
        }
        try target.give(figures)
    }

    private func chosen() throws -> [Workload] {
        let all = Workload.groups.joined()
        guard only.isEmpty else {
            let chosen = all.filter { workload in
                only.contains { workload.name.localizedCaseInsensitiveContains($0) }
            }
            guard !chosen.isEmpty else {
                throw BenchmarkError(message: "no workload matches; see kvbench run --list")
            }
            return chosen
        }
        return try Self.usual.map { name in
            guard let workload = all.first(where: { $0.name == name }) else {
                throw BenchmarkError(message: "there is no workload \"\(name)\" any more")
            }
            return workload
        }
    }

    private func measure(_ name: String) throws -> Double {
        let text = try ChildProcess.runThisProgram([
            "memory-pass", name, "--size", "\(size.size.people)",
        ])
        guard let bytes = Double(text.filter { !$0.isWhitespace }) else {
            throw BenchmarkError(message: "\(name): \(text) is not a number of bytes")
        }
        return bytes
    }
}

/// One pass of `kvbench memory`, started by it in a new process.
struct MemoryPassCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory-pass", abstract: "One pass of kvbench memory.", shouldDisplay: false)

    @Argument(help: "The name of the workload.") var name: String
    @OptionGroup var size: SizeArguments

    func run() throws {
        try size.withMeasurement(of: name) { print(try $0.memoryOfPass()) }
    }
}
