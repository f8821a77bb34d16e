/// The contents of a report.
struct ReportContent {
    /// The run shown in the tables of times.
    let run: BenchmarkRun
    /// All runs of its size, itself first.
    let runsOfSize: [BenchmarkRun]
    /// The source of the counted allocations.
    let counts: AllocationCounts?
    let verdicts: Verdicts
    /// Nil if there is only one size.
    let growth: Growth?
    /// The sizes by which growth is measured, smallest first.
    let sizes: [Int]
    /// Whether the sizes were measured on different machines.
    let hasSeveralMachines: Bool
    /// The measurements of large files, smallest first.
    let scales: [ScaleRun]
    /// The figures that are not in another table, of the run and of files with figures only.
    let figures: [Figure]

    /// The tables show the first run of the targets' size if there is one, otherwise of the largest
    /// size.
    init(
        _ runs: [BenchmarkRun], _ counts: AllocationCounts? = nil
    ) throws(ReportError) {
        for (index, run) in runs.enumerated() where runs[..<index].contains(run) {
            throw ReportError(
                problem: "the results of \(run.date) were given twice: give each file once")
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

    /// Whether there is nothing by which targets could be judged.
    var isOnlyScale: Bool { sizes.isEmpty && !scales.isEmpty }

    /// Whether there are workloads by which targets are judged.
    var hasTargets: Bool {
        !isOnlyScale && (run.workloads.isEmpty || !run.workloads.allSatisfy(\.isStandard))
    }

    /// The workloads compared by CPU time.
    var workloads: [WorkloadResult] {
        run.workloads.filter { !$0.waitsForDisk && !$0.isStandard }
    }

    /// The workloads compared by wall-clock time.
    var durable: [WorkloadResult] { run.workloads.filter { $0.waitsForDisk && !$0.isStandard } }

    /// The workloads of benchmarks that other databases have, too.
    var standard: [WorkloadResult] { run.workloads.filter(\.isStandard) }

    /// The machine and the settings, as names and values.
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

    /// A summary of the targets in one line.
    var summary: String {
        let verdicts = verdicts
        let (met, all) = verdicts.unscaled
        let runs =
            runsOfSize.count > 1 ? " Met is what each of the \(runsOfSize.count) runs meets." : ""
        return "\(verdicts.all.count) targets: \(verdicts.met) met, \(verdicts.stretched) of them "
            + "with the stretch; \(verdicts.missed) missed; \(verdicts.unmeasured) not measured."
            + runs + " Of \(all) limits that are scaled for the machine \(met) hold unscaled, too."
    }

    /// How to read the figures.
    static let explanation = """
        Times are CPU times of one item unless stated otherwise. A ratio is the \
        median of the rounds' ratios to the baseline of the group: the same work in C, or with the \
        named library. Limits in seconds are those of the tables, times the machine's \
        speed; there the best round is compared. p99 is what 99 of 100 passes did not exceed; of \
        fewer passes it is the slowest one.
        """

    /// The explanation of workloads on a disk.
    static let explanationOfDurable = """
        These wait for a disk: their times and ratios are wall-clock times. None of them is a \
        target.
        """

    /// The explanation of standard benchmarks.
    static let explanationOfStandard = """
        YCSB's core workloads, LevelDB's db_bench and YCSB-JSON, by the clock, on a disk. Each \
        operation is a transaction or a snapshot of its own. In the table "full" each commit is on \
        the disk: synchronous=FULL with a write-ahead log, LMDB's default. In the table "normal" a \
        loss of power can lose the last commits: synchronous=NORMAL with a write-ahead log, \
        LMDB's MDB_NOMETASYNC, which still flushes the data of each commit. The number per second \
        is that of the median round; percentiles are of the operations of all rounds.
        """

    /// The explanation of large files.
    static let explanationOfScale = """
        Steps on one file, on a disk, each measured once, in wall-clock time. Memory is the peak \
        during the step above the memory before it.
        """

    /// The explanation of exponents.
    static let explanationOfGrowth = """
        The exponent of the time of a whole pass against the number of people: 0 is constant, 1 \
        is linear. The exponent of the work is that of the amount which a pass handles, or of the \
        baseline's time. More than 0.1 above it is too fast.
        """
}

/// Why a report cannot be created.
public struct ReportError: Error, CustomStringConvertible, Equatable {
    /// The problem, and what to do.
    public var problem: String

    /// One line.
    public var description: String { problem }
}
