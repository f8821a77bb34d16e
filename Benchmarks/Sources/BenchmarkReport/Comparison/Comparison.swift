internal import Foundation

/// A comparison of two runs: what is faster or slower in the second.
///
/// It compares the ratio to the baseline, which does not depend on the machine and its load. A
/// difference counts if the ranges of the rounds do not overlap: each round of one run is beyond
/// each of the other. `chance` is the probability that this happens at random.
public struct Comparison: Sendable, Equatable {
    /// The change of a workload.
    public enum Change: String, Sendable, Equatable, CaseIterable {
        /// Each round is slower than all rounds before.
        case slower
        /// Each round is faster than all rounds before.
        case faster
        /// The rounds overlap.
        case noise
        /// Fewer than three rounds do not prove a change.
        case tooFewRounds = "too few rounds"
        /// Without a baseline, times of different machines are not comparable.
        case otherMachine = "another machine"
    }

    /// The values before and after.
    public struct Pair: Sendable, Equatable {
        /// The median of the rounds before.
        public var before: Double
        /// The median of the rounds after.
        public var after: Double

        /// The factor from before to after.
        public var factor: Double { after / before }
    }

    /// One workload that is in both runs.
    public struct Row: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its role.
        public var role: WorkloadResult.Role
        /// Whether wall-clock times are compared, since it waits for a disk.
        public var waitsForDisk: Bool
        /// The ratio to the baseline, if both runs have the same baseline.
        public var ratio: Pair?
        /// The seconds for an item, or a byte.
        public var time: Pair
        /// The change, by the ratio if there is one, otherwise by the time.
        public var change: Change

        /// The compared factor: above 1 is slower.
        public var factor: Double { (ratio ?? time).factor }
    }

    /// The number of rounds needed to distinguish a change from noise.
    public static let fewestRounds = 3

    /// A figure that is in both runs and is not a time; it is not judged.
    public struct FigureRow: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its unit.
        public var unit: String
        /// The medians.
        public var value: Pair
    }

    /// The workloads in both runs: slower ones first, then faster ones, the largest changes first.
    public var rows: [Row]
    /// The figures in both runs, in the order of the first run.
    public var figures: [FigureRow]
    /// The workloads that are only in the first run.
    public var onlyBefore: [String]
    /// The workloads that are only in the second run.
    public var onlyAfter: [String]
    /// The obstacles to a fair comparison.
    public var notes: [String]
    /// The probability that rounds which differ only at random do not overlap: 2 of all ways to
    /// distribute them.
    public var chance: Double

    /// Compares two runs.
    public init(before: BenchmarkRun, after: BenchmarkRun) {
        let names = Set(after.workloads.map(\.name))
        let others = Set(before.workloads.map(\.name))
        onlyBefore = before.workloads.map(\.name).filter { !names.contains($0) }
        onlyAfter = after.workloads.map(\.name).filter { !others.contains($0) }
        let isSameMachine = Self.isSame(before.machine, after.machine)
        let rows = before.workloads.compactMap { own in
            after.workload(own.name).flatMap {
                Row(own, before, $0, after, isSameMachine: isSameMachine)
            }
        }
        self.rows = rows.enumerated().sorted { one, other in
            Self.stands(one.element, before: other.element) ?? (one.offset < other.offset)
        }.map(\.element)
        figures = before.figures.compactMap { own in
            guard let other = after.figure(own.name), other.unit == own.unit else { return nil }
            return FigureRow(
                name: own.name, unit: own.unit,
                value: Pair(before: own.median, after: other.median))
        }
        let compared = Set(rows.map(\.name))
        let unusable = others.intersection(names).subtracting(compared).sorted()
        notes =
            Self.notes(before, after)
            + unusable.map { "\"\($0)\" has times that are not positive numbers, or other units" }
        chance = Self.chance(before.settings.rounds, after.settings.rounds)
    }

    /// The workloads with a change.
    public func rows(_ change: Change) -> [Row] { rows.filter { $0.change == change } }

    /// The geometric mean of the ratios' factors of this project's workloads, except for those that
    /// wait for a disk; nil if there is none.
    public var meanFactor: Double? {
        Self.geometricMean(
            rows.filter { $0.role == .engine && !$0.waitsForDisk }.compactMap { $0.ratio?.factor })
    }

    /// The geometric mean of the factors of the baselines' times: the change of the machine.
    public var meanFactorOfBaselines: Double? {
        Self.geometricMean(
            rows.filter { $0.role == .baseline && !$0.waitsForDisk }.map(\.time.factor))
    }

    private static func geometricMean(_ factors: [Double]) -> Double? {
        guard !factors.isEmpty else { return nil }
        return exp(factors.reduce(0) { $0 + log($1) } / Double(factors.count))
    }

    /// Nil if they are equal.
    private static func stands(_ row: Row, before other: Row) -> Bool? {
        let order = Change.allCases
        let places = (
            order.firstIndex(of: row.change) ?? 0, order.firstIndex(of: other.change) ?? 0
        )
        if places.0 != places.1 { return places.0 < places.1 }
        let sizes = (abs(log(row.factor)), abs(log(other.factor)))
        return sizes.0 == sizes.1 ? nil : sizes.0 > sizes.1
    }

    private static func isSame(_ one: Machine, _ other: Machine) -> Bool {
        one.processor == other.processor && one.cores == other.cores
    }

    private static func notes(_ before: BenchmarkRun, _ after: BenchmarkRun) -> [String] {
        let (old, new) = (before.machine, after.machine)
        let pairs = [
            (
                "people", FigureText.grouped(before.settings.people),
                FigureText.grouped(after.settings.people)
            ),
            ("rounds", "\(before.settings.rounds)", "\(after.settings.rounds)"),
            (
                "machine", "\(old.processor), \(old.cores) cores",
                "\(new.processor), \(new.cores) cores"
            ),
            ("system", old.system, new.system), ("Swift", old.swift, new.swift),
            ("SQLite", old.sqlite, new.sqlite),
        ]
        return pairs.filter { $1 != $2 }.map { "not the same \($0): before \($1), now \($2)" }
    }

    static func chance(_ before: Int, _ after: Int) -> Double {
        guard before > 0, after > 0 else { return 1 }
        // One in (before + after over before).
        let ways = (1...before).reduce(1.0) { $0 * Double(after + $1) / Double($1) }
        return min(2 / ways, 1)
    }
}

extension Comparison.Row {
    init?(
        _ own: WorkloadResult, _ before: BenchmarkRun, _ other: WorkloadResult,
        _ after: BenchmarkRun, isSameMachine: Bool
    ) {
        guard own.hasTimes, other.hasTimes, own.unit == other.unit,
            own.waitsForDisk == other.waitsForDisk
        else { return nil }
        (name, role, waitsForDisk) = (other.name, other.role, other.waitsForDisk)
        let times = (own.judged.rounds.map(own.each), other.judged.rounds.map(other.each))
        time = .init(before: times.0.middle ?? .nan, after: times.1.middle ?? .nan)
        let isSameBaseline = own.baseline == other.baseline
        if isSameBaseline, let old = before.ratios(of: own), let new = after.ratios(of: other) {
            ratio = .init(before: old.middle ?? .nan, after: new.middle ?? .nan)
            change = Self.change(old, new)
        } else {
            change = isSameMachine ? Self.change(times.0, times.1) : .otherMachine
        }
    }

    private static func change(_ before: [Double], _ after: [Double]) -> Comparison.Change {
        guard min(before.count, after.count) >= Comparison.fewestRounds,
            let (lowBefore, highBefore) = before.range, let (low, high) = after.range
        else { return .tooFewRounds }
        return low > highBefore ? .slower : high < lowBefore ? .faster : .noise
    }
}

extension [Double] {
    /// The minimum and the maximum.
    var range: (low: Double, high: Double)? {
        guard let low = self.min(), let high = self.max() else { return nil }
        return (low, high)
    }
}
