internal import Foundation

/// Two runs beside each other: what is faster or slower in the second.
///
/// Judged is the ratio to the floor, which is fair between machines and loads. A difference counts
/// if the ranges of the rounds do not overlap: each round of the one is beyond each of the other.
/// `chance` tells how often that comes about without a cause.
public struct Comparison: Sendable, Equatable {
    /// What became of a workload.
    public enum Change: String, Sendable, Equatable, CaseIterable {
        /// Each round is slower than all before.
        case slower
        /// Each round is faster than all before.
        case faster
        /// The rounds overlap.
        case noise
        /// Fewer than three rounds prove nothing.
        case tooFewRounds = "too few rounds"
        /// Without a floor, times of different machines say nothing.
        case otherMachine = "another machine"
    }

    /// Before and after.
    public struct Pair: Sendable, Equatable {
        /// The median of the rounds before.
        public var before: Double
        /// The median of the rounds after.
        public var after: Double

        /// How many times as large it is now.
        public var factor: Double { after / before }
    }

    /// One workload that is in both.
    public struct Row: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// What it is for.
        public var role: WorkloadResult.Role
        /// Whether it is compared by the clock, since it waits for a disk.
        public var waitsForDisk: Bool
        /// The ratio to the floor, if both runs have the same floor.
        public var ratio: Pair?
        /// Seconds for an item, or a byte.
        public var time: Pair
        /// The verdict, by the ratio if there is one, otherwise by the time.
        public var change: Change

        /// What is judged, as a factor: above 1 is slower.
        public var factor: Double { (ratio ?? time).factor }
    }

    /// As many rounds as it takes to tell a difference from chance.
    public static let fewestRounds = 3

    /// A figure that is in both, which is no time; it is not judged.
    public struct FigureRow: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// What it counts.
        public var unit: String
        /// The medians.
        public var value: Pair
    }

    /// What is in both: the slower first, then the faster, the largest changes first.
    public var rows: [Row]
    /// Figures that are in both, in the order of the first run.
    public var figures: [FigureRow]
    /// What is only in the first run.
    public var onlyBefore: [String]
    /// What is only in the second run.
    public var onlyAfter: [String]
    /// What stands in the way of a fair comparison.
    public var notes: [String]
    /// How often rounds that differ at random only do not overlap: 2 of all ways to deal them out.
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
            + unusable.map { "\"\($0)\" has times that are no positive numbers, or other units" }
        chance = Self.chance(before.settings.rounds, after.settings.rounds)
    }

    /// Those that changed in a way.
    public func rows(_ change: Change) -> [Row] { rows.filter { $0.change == change } }

    /// The geometric mean of the ratios' factors of this project's workloads, without those that
    /// wait for a disk; nil without any.
    public var meanFactor: Double? {
        Self.geometricMean(
            rows.filter { $0.role == .engine && !$0.waitsForDisk }.compactMap { $0.ratio?.factor })
    }

    /// The same of the times of the floors: what the machine did.
    public var meanFactorOfBaselines: Double? {
        Self.geometricMean(rows.filter { $0.role == .baseline && !$0.waitsForDisk }.map(\.time.factor))
    }

    private static func geometricMean(_ factors: [Double]) -> Double? {
        guard !factors.isEmpty else { return nil }
        return exp(factors.reduce(0) { $0 + log($1) } / Double(factors.count))
    }

    /// Nil if they are level.
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
    /// The least and the greatest.
    var range: (low: Double, high: Double)? {
        guard let low = self.min(), let high = self.max() else { return nil }
        return (low, high)
    }
}
