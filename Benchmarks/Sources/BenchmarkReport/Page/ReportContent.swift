/// What a report is made of.
struct ReportContent {
    /// The run that the tables of times are of.
    let run: BenchmarkRun
    /// All runs of its size, itself the first.
    let runsOfSize: [BenchmarkRun]
    /// Where allocations were counted.
    let counts: AllocationCounts?
    let verdicts: Verdicts
    /// Nil if there is only one size.
    let growth: Growth?
    /// The sizes that growth is measured by, the smallest first.
    let sizes: [Int]
    /// Whether the sizes were measured on machines that differ.
    let hasSeveralMachines: Bool
    /// What was measured on large files, the smallest first.
    let scales: [ScaleRun]
    /// The figures that no other table has, of the run and of files that hold figures only.
    let figures: [Figure]

    /// The tables are of the first run of the targets' size if there is one, otherwise of the
    /// largest size.
    init(
        _ runs: [BenchmarkRun], _ counts: AllocationCounts? = nil
    ) throws(ReportError) {
        for (index, run) in runs.enumerated() where runs[..<index].contains(run) {
            throw ReportError(
                problem: "the results of \(run.date) are there twice: give each file once")
        }
        let measured = runs.filter { !$0.workloads.isEmpty }
        let candidates = measured.isEmpty ? runs : measured
        sizes = Set(measured.map(\.settings.people)).sorted()
        let size =
            sizes.contains(MachineScale.people)
            ? MachineScale.people : candidates.map(\.settings.people).max()
        runsOfSize = candidates.filter { $0.settings.people == size }
        guard let run = runsOfSize.first else {
            throw ReportError(problem: "a report needs a run: give a file of kvbench run --json")
        }
        self.run = run
        self.counts = counts
        verdicts = Verdicts(runsOfSize, counts)
        growth = sizes.count > 1 ? Growth(measured) : nil
        let machines = measured.map { "\($0.machine.processor), \($0.machine.cores)" }
        hasSeveralMachines = Set(machines).count > 1
        let others = measured.isEmpty ? [] : runs.filter(\.workloads.isEmpty)
        figures = ([run] + others).flatMap(\.figures).filter { !ScaleRun.has($0) }
        scales = runs.compactMap(ScaleRun.init).sorted { $0.documents < $1.documents }
    }

    /// Whether there is nothing that targets could be judged by.
    var isOnlyScale: Bool { sizes.isEmpty && !scales.isEmpty }

    /// The workloads that are compared by time of the processor.
    var workloads: [WorkloadResult] { run.workloads.filter { !$0.waitsForDisk } }

    /// Those that are compared by the clock.
    var durable: [WorkloadResult] { run.workloads.filter(\.waitsForDisk) }

    /// What the machine was, and the settings: names and values.
    var facts: [(name: String, value: String)] {
        let (machine, settings) = (run.machine, run.settings)
        return [
            (runsOfSize.count > 1 ? "Dates" : "Date", dates), ("Commit", run.commit ?? "not known"),
            ("Processor", "\(machine.processor), \(machine.cores) cores"),
            ("Memory", FigureText.bytes(Double(machine.memory))), ("System", machine.system),
            ("Swift", machine.swift), ("SQLite", machine.sqlite),
            ("SQLite's options", machine.sqliteOptions.joined(separator: ", ")),
            ("People", FigureText.grouped(settings.people)), ("Rounds", "\(settings.rounds)"),
            ("A round", "at least \(FigureText.duration(settings.secondsOfRound)) a workload"),
            ("Speed", runsOfSize.map(Self.speed).joined(separator: "; ")),
            ("Allocations", counts?.source ?? "not given"),
        ]
    }

    private var dates: String {
        let dates = runsOfSize.map(\.date).joined(separator: ", ")
        guard runsOfSize.count > 1 else { return dates }
        return dates + "; targets are judged in each of these runs, and shown as in the worst; "
            + "all else here, and the tables of times, are of the first"
    }

    private static func speed(_ run: BenchmarkRun) -> String {
        do throws(Unmeasured) {
            let scale = try MachineScale(run)
            return "\(FigureText.ratio(scale.mean)) × the times of the tables' machine, the mean "
                + "of: \(scale.text)"
        } catch {
            return "not known: \(error.reason)"
        }
    }

    /// One line about the targets.
    var summary: String {
        let verdicts = verdicts
        let (met, all) = verdicts.unscaled
        let runs =
            runsOfSize.count > 1 ? " Met is what each of the \(runsOfSize.count) runs meets." : ""
        return "\(verdicts.all.count) targets: \(verdicts.met) met, \(verdicts.stretched) of them "
            + "with the stretch; \(verdicts.missed) missed; \(verdicts.unmeasured) not measured."
            + runs + " Of \(all) limits that are scaled for the machine \(met) hold unscaled, too."
    }

    /// How the figures are to be read.
    static let explanation = """
        Times are those of the processor unless it is said otherwise, for one item. A ratio is the \
        median of the rounds' ratios to the floor of the group: the same work in C, or with the \
        library that is named. Limits in seconds are those of the tables, times the machine's \
        speed; there the best round is compared. p99 is what 99 of 100 passes did not exceed; of \
        fewer passes it is the slowest one.
        """

    /// What is said of workloads on a disk.
    static let explanationOfDurable = """
        These wait for a disk: their times and ratios are those of the clock. None of them is a \
        target.
        """

    /// What is said of large files.
    static let explanationOfScale = """
        Steps on one file, on a disk, each measured once, by the clock. Memory is the most that \
        the process had during the step, above what it had before.
        """

    /// What exponents mean.
    static let explanationOfGrowth = """
        The exponent of the time of a whole pass against the number of people: 0 stays, 1 grows \
        as the people do. The work's is that of the amount which a pass handles, or of the floor's \
        time. More than 0.1 above it is too fast.
        """
}

/// Why there is no report.
public struct ReportError: Error, CustomStringConvertible, Equatable {
    /// What is wrong, and what to do.
    public var problem: String

    /// One line.
    public var description: String { problem }
}
