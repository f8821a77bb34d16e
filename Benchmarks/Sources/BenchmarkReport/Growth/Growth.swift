internal import Foundation

/// The growth of each workload's cost with the number of people, from runs of several sizes.
///
/// The exponent is the slope of the best straight line through the logarithms: 0 for a constant
/// cost, 1 for a linear cost, 2 for a quadratic one.
public struct Growth: Sendable, Equatable {
    /// The measurement at one size.
    public struct Point: Sendable, Equatable {
        /// The number of people.
        public var people: Int
        /// The seconds of a whole pass: the best round, which was disturbed the least.
        public var seconds: Double
    }

    /// The curve of one workload.
    public struct Curve: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its role.
        public var role: WorkloadResult.Role
        /// The workload that it is measured against.
        public var baseline: String?
        /// The points, smallest size first.
        public var points: [Point]
        /// The exponent of its time.
        public var exponent: Double
        /// The exponent of its work: that of the amount handled by a pass, or of its baseline's
        /// time if that grows faster, as it does when caches become too small.
        public var work: Double

        /// Whether it grows faster than its work, by more than the tolerance.
        public var isTooFast: Bool { exponent > work + Growth.tolerance }
    }

    /// The effect of noise on an exponent: 0.1 is a quarter more time for ten times the people.
    public static let tolerance = 0.1

    /// The workloads measured at two sizes or more, in the order of the first run.
    public var curves: [Curve]

    /// The workloads of this project that grow faster than their work, worst first.
    public var tooFast: [Curve] {
        curves.filter { $0.role == .engine && $0.isTooFast }
            .sorted { $0.exponent - $0.work > $1.exponent - $1.work }
    }

    /// The curve of a workload.
    public func curve(_ name: String) -> Curve? { curves.first { $0.name == name } }

    /// Creates curves from runs; runs of the same size count as one with all their rounds.
    public init(_ runs: [BenchmarkRun]) {
        var names: [String] = []
        var samples: [String: [Sample]] = [:]
        for run in runs where run.settings.people > 0 {
            for result in run.workloads where result.hasTimes {
                if samples[result.name] == nil { names.append(result.name) }
                samples[result.name, default: []].append(
                    Sample(people: run.settings.people, result: result))
            }
        }
        var curves: [Curve] = []
        for name in names {
            if let curve = Self.curve(samples[name] ?? []) { curves.append(curve) }
        }
        let exponents = Dictionary(
            curves.map { ($0.name, $0.exponent) }, uniquingKeysWith: { first, _ in first })
        self.curves = curves.map { curve in
            var curve = curve
            let baseline = curve.baseline.flatMap { exponents[$0] }
            curve.work = max(curve.work, baseline ?? curve.work)
            return curve
        }
    }

    private struct Sample {
        let people: Int
        let result: WorkloadResult
    }

    /// The curve, with the exponent of its amount as that of its work.
    private static func curve(_ samples: [Sample]) -> Curve? {
        var best: [Int: Double] = [:]
        for sample in samples {
            best[sample.people] = min(
                best[sample.people] ?? .infinity, sample.result.judged.minimum)
        }
        let points = best.map { Point(people: $0, seconds: $1) }.sorted { $0.people < $1.people }
        let exponent = slope(points.map { (Double($0.people), $0.seconds) })
        let work = slope(samples.map { (Double($0.people), Double($0.result.amount)) })
        guard let exponent, let work, let last = samples.last?.result else { return nil }
        return Curve(
            name: last.name, role: last.role, baseline: last.baseline, points: points,
            exponent: exponent, work: work)
    }

    /// The slope of the least-squares line through the logarithms; nil if all x are equal.
    static func slope(_ points: [(x: Double, y: Double)]) -> Double? {
        let (xs, ys) = (points.map { log($0.x) }, points.map { log($0.y) })
        let count = Double(points.count)
        let (meanX, meanY) = (xs.reduce(0, +) / count, ys.reduce(0, +) / count)
        let spread = xs.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
        guard spread > 1e-9 else { return nil }
        let common = zip(xs, ys).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
        let slope = common / spread
        return slope.isFinite ? slope : nil
    }
}
