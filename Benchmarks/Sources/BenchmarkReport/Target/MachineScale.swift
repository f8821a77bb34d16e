/// How slow the machine of a run is, compared with the one for which the tables have figures.
///
/// It is the mean of the ratios of four baselines, which do not use this project's code.
public struct MachineScale: Sendable, Equatable {
    /// The baselines, with a short name each, and the seconds for one item on the tables' machine,
    /// in the best of the rounds.
    public static let references: [(name: String, workload: String, seconds: Double)] = [
        ("insert", "store: insert, one transaction, tmpfs: C", 2.1e-6),
        ("get", "store: get at random and read 1 property: C", 4.1e-6),
        ("enumerate", "store: enumerate by key, body and 1 property: C", 200e-9),
        ("scan", "scan: step and touch the body, C", 100e-9),
    ]
    /// The number of people for which the tables have figures; baselines cost less with fewer.
    public static let people = 100_000

    /// The ratio of each baseline to the seconds of the tables, in the order of `references`.
    public var factors: [Double]

    /// The mean of the factors, by which limits in seconds are multiplied.
    public var mean: Double { factors.reduce(0, +) / Double(factors.count) }

    /// Throws what is missing if the run cannot be compared with the tables.
    public init(_ run: BenchmarkRun) throws(Unmeasured) {
        guard run.settings.people == Self.people else {
            throw Unmeasured(
                reason: "the table's figure is for \(FigureText.grouped(Self.people)) people, not "
                    + FigureText.grouped(run.settings.people))
        }
        var factors: [Double] = []
        for (_, name, seconds) in Self.references {
            guard let baseline = run.workload(name), baseline.hasTimes else {
                throw Unmeasured(reason: "the machine's speed needs \"\(name)\"")
            }
            factors.append(baseline.each(baseline.judged.minimum) / seconds)
        }
        self.factors = factors
    }

    /// The factors with their names: "insert 1.40, get 1.23".
    var text: String {
        zip(Self.references, factors).map { "\($0.name) \(FigureText.ratio($1))" }
            .joined(separator: ", ")
    }
}

/// Why a target cannot be judged.
public struct Unmeasured: Error, Sendable, Equatable {
    /// The reason as text.
    public var reason: String
}
