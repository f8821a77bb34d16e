import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures workloads, and their floors, in turns.",
        discussion: """
            In each round every workload of a group runs in turn, so that what disturbs the \
            machine disturbs all. Given are, of the rounds, the best one and the median, and the \
            time that 99 of 100 passes did not exceed; times are those of the processor. The \
            ratio to the floor is the median of the rounds' ratios. What waits for a disk is \
            compared by the clock.

            While it runs, the results so far are in the file of --json with ".partial" at its \
            end, which stays if the run is interrupted.
            """)

    @Option(help: ArgumentHelp("Those whose name has this text; may be given again."))
    var only: [String] = []
    @Option(help: ArgumentHelp("Not those whose name has this text; may be given again."))
    var without: [String] = []
    @Option(help: ArgumentHelp("Rounds that count, after one that does not.", valueName: "n"))
    var rounds = 5
    @Option(help: ArgumentHelp("How long a round of a workload lasts at least."))
    var seconds = 0.1
    @OptionGroup var size: SizeArguments
    @Option(help: "A file for the results.", completion: .file(extensions: ["json"]))
    var json: String?
    @Flag(help: "Name the workloads only.") var list = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds takes 1 or more") }
        guard seconds > 0 else { throw ValidationError("--seconds takes more than 0") }
    }

    func run() throws {
        try requireRelease()
        size.use()
        defer { StoreData.removeDirectories() }
        let groups = try chosenGroups()
        let figures = StoreThreads.names.filter(isWanted)
        if list {
            return (groups.joined().map(\.workload.name) + figures).forEach { print($0) }
        }
        let file = try json.map(ResultFile.init)
        var run = BenchmarkRun.begin(
            people: StoreData.count, rounds: rounds, secondsOfRound: seconds)
        let table = ResultTable(names: groups.joined().map(\.workload.name))
        for group in groups {
            let results = try measure(group)
            table.print(results)
            run.workloads += results
            try file?.note(run)
        }
        if !figures.isEmpty {
            run.figures = try StoreThreads.figures(rounds: rounds)
            table.print(run.figures)
        }
        try file?.finish(run)
    }

    private typealias Chosen = (workload: Workload, role: WorkloadResult.Role)

    /// The groups that have workloads which are wanted; their floors go along with them.
    private func chosenGroups() throws -> [[Chosen]] {
        let groups = Workload.groups.compactMap { group -> [Chosen]? in
            let wanted = group.filter { isWanted($0.name) }
            let baselines = Set(wanted.compactMap(\.baseline))
            let all = Set(group.compactMap(\.baseline))
            let chosen = group.filter { workload in
                baselines.contains(workload.name) || wanted.contains { $0.name == workload.name }
            }
            return chosen.isEmpty ? nil : chosen.map { ($0, $0.role(baselines: all)) }
        }
        guard !groups.isEmpty || StoreThreads.names.contains(where: isWanted) else {
            throw BenchmarkError(
                message: "no workload has such a name; see kvbench run --list")
        }
        return groups
    }

    private func isWanted(_ name: String) -> Bool {
        func has(_ text: String) -> Bool { name.localizedCaseInsensitiveContains(text) }
        return (only.isEmpty || only.contains(where: has)) && !without.contains(where: has)
    }

    private func measure(_ group: [Chosen]) throws -> [WorkloadResult] {
        var measurements = try group.map { try Measurement($0.workload, role: $0.role) }
        for index in measurements.indices { try measurements[index].warmUp(for: seconds) }
        for _ in 0..<rounds {
            for index in measurements.indices { try measurements[index].runRound(for: seconds) }
        }
        return measurements.map(\.result)
    }
}

/// How much there is to work on.
struct SizeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many people the files of the store hold: 10k, 100k, 1M; tens of thousands.",
            valueName: "people"))
    var size = BenchmarkSize(people: 100_000)

    /// Has the data made in this size, and removed if a signal ends the program.
    func use() {
        BenchmarkSize.use(size)
        Interruption.remove([StoreData.directory, StoreData.diskDirectory])
    }

    /// Prepares a workload in this size, and removes its data after `body`.
    func withMeasurement(
        of name: String, _ body: (inout Measurement) throws -> Void
    ) throws {
        try requireRelease()
        use()
        defer { StoreData.removeDirectories() }
        var measurement = try Measurement(.named(name), role: .engine)
        try body(&measurement)
    }
}

/// A command for tools that count instructions, or look where the time goes.
struct RepeatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat", abstract: "Runs one workload so many times, and measures nothing.",
        discussion: """
            For perf, callgrind and the like:
              perf record -g kvbench repeat "lookup in a view by string" --passes 1000
            """)

    @Argument(help: "The name of the workload, see kvbench run --list.") var name: String
    @Option(help: ArgumentHelp("How often.", valueName: "n")) var passes = 1
    @OptionGroup var size: SizeArguments

    func run() throws {
        try size.withMeasurement(of: name) {
            try $0.run(passes: passes)
            print($0.check)
        }
    }
}
