import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench run`
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Measures workloads, and their baselines, in turns.",
        discussion: """
            In each round every workload of a group runs in turn, so that other load on the \
            machine affects all of them. The columns are the best round, the median of the \
            rounds, and the time that 99 of 100 passes did not exceed; times are CPU times. The \
            ratio to the baseline is the median of the rounds' ratios. Workloads that wait for a \
            disk are compared by wall-clock time.

            During the run, the results so far are in the file of --json with the suffix \
            ".partial", which stays if the run is interrupted.
            """)

    @Option(help: ArgumentHelp("Only workloads whose names contain this text; repeatable."))
    var only: [String] = []
    @Option(help: ArgumentHelp("Exclude workloads whose names contain this text; repeatable."))
    var without: [String] = []
    @Option(help: ArgumentHelp("The number of counted rounds, after a warm-up.", valueName: "n"))
    var rounds = 5
    @Option(help: ArgumentHelp("The minimum duration of a round of a workload."))
    var seconds = 0.1
    @OptionGroup var size: SizeArguments
    @Option(help: "Write the results to this file.", completion: .file(extensions: ["json"]))
    var json: String?
    @Flag(help: "List the workloads without running them.") var list = false

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

    /// The groups that contain selected workloads, with their baselines.
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
                message: "no workload matches; see kvbench run --list")
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

/// The size of the data.
struct SizeArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The number of people in the files: 10k, 100k, 1M; a multiple of 10,000.",
            valueName: "people"))
    var size = BenchmarkSize(people: 100_000)

    /// Selects this size for the data, and has it removed if a signal ends the program.
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

/// A command for tools that count instructions, or profile.
struct RepeatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repeat", abstract: "Runs one workload repeatedly, without measuring.",
        discussion: """
            For perf, callgrind and the like:
              perf record -g kvbench repeat "lookup in a view by string" --passes 1000
            """)

    @Argument(help: "The name of the workload, see kvbench run --list.") var name: String
    @Option(help: ArgumentHelp("The number of passes.", valueName: "n")) var passes = 1
    @OptionGroup var size: SizeArguments

    func run() throws {
        try size.withMeasurement(of: name) {
            try $0.run(passes: passes)
            print($0.check)
        }
    }
}
