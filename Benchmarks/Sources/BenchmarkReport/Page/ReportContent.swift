/// What a report is made of.
struct ReportContent {
    /// The run that the tables are of.
    let run: BenchmarkRun
    let verdicts: Verdicts
    /// Nil if there is only one size.
    let growth: Growth?
    /// The sizes that growth is measured by, the smallest first.
    let sizes: [Int]
    /// Whether the sizes were measured on machines that differ.
    let hasSeveralMachines: Bool

    /// The tables are of the run of the targets' size if there is one, otherwise of the largest.
    init(_ runs: [BenchmarkRun]) throws(ReportError) {
        let largest = runs.max { $0.settings.people < $1.settings.people }
        let wanted = runs.first {
            $0.settings.people == MachineScale.people && !$0.workloads.isEmpty
        }
        guard let run = wanted ?? largest else {
            throw ReportError(problem: "a report needs a run: give a file of kvbench run --json")
        }
        self.run = run
        verdicts = Verdicts(run)
        let measured = runs.filter { !$0.workloads.isEmpty }
        sizes = Set(measured.map(\.settings.people)).sorted()
        growth = sizes.count > 1 ? Growth(measured) : nil
        let machines = measured.map { "\($0.machine.processor), \($0.machine.cores)" }
        hasSeveralMachines = Set(machines).count > 1
    }

    /// What the machine was, and the settings: names and values.
    var facts: [(name: String, value: String)] {
        let (machine, settings) = (run.machine, run.settings)
        return [
            ("Date", run.date), ("Processor", "\(machine.processor), \(machine.cores) cores"),
            ("Memory", FigureText.bytes(Double(machine.memory))), ("System", machine.system),
            ("Swift", machine.swift), ("SQLite", machine.sqlite),
            ("SQLite's options", machine.sqliteOptions.joined(separator: ", ")),
            ("People", FigureText.grouped(settings.people)), ("Rounds", "\(settings.rounds)"),
            ("A round", "at least \(FigureText.duration(settings.secondsOfRound)) a workload"),
            ("Speed", speed),
        ]
    }

    private var speed: String {
        do throws(Unmeasured) {
            let scale = try MachineScale(run)
            let factors = scale.factors.map(FigureText.ratio).joined(separator: ", ")
            return "\(FigureText.ratio(scale.mean)) × the times of the tables' machine "
                + "(insert, get, enumerate, scan: \(factors))"
        } catch {
            return "not known: \(error.reason)"
        }
    }

    /// One line about the targets.
    var summary: String {
        "\(verdicts.all.count) targets: \(verdicts.met) met, \(verdicts.stretched) of them with "
            + "the stretch; \(verdicts.missed) missed; \(verdicts.unmeasured) not measured."
    }

    /// How the figures are to be read.
    static let explanation = """
        Times are those of the processor unless it is said otherwise, for one item. A ratio is the \
        median of the rounds' ratios to the floor of the group: the same work in C, or with the \
        library that is named. Limits in seconds are those of the tables, times the machine's \
        speed; there the best round is compared.
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
