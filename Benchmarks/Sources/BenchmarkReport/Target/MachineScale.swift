/// How slow the machine of a run is, against the one whose figures stand in the tables.
///
/// It is the mean of four floors' ratios: floors have nothing of this project in them.
public struct MachineScale: Sendable, Equatable {
    /// The floors, a word for each, and the seconds that one item of it took there, as the best of
    /// the rounds.
    public static let references: [(name: String, workload: String, seconds: Double)] = [
        ("insert", "store: insert, one transaction, tmpfs: C", 2.1e-6),
        ("get", "store: get at random and read 1 property: C", 4.1e-6),
        ("enumerate", "store: enumerate by key, body and 1 property: C", 200e-9),
        ("scan", "scan: step and touch the body, C", 100e-9),
    ]
    /// The tables' figures are for so many people; floors cost less among fewer.
    public static let people = 100_000

    /// How many times the seconds of the tables each floor took, in the order of `references`.
    public var factors: [Double]

    /// Their mean: what limits in seconds are multiplied by.
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
    /// In words.
    public var reason: String
}
