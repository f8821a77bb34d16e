/// The tables of both kinds of reports: column names, and the cells of a row.
enum ReportTable {
    static func targets(runs: Int) -> [String] {
        ["Row", "Baseline or peer", "Measured", "Figure", "Target", "Stretch", "Unscaled"]
            + (runs > 1 ? ["Met in runs"] : []) + ["Verdict"]
    }

    static func cells(_ verdict: Verdict) -> [String] {
        [
            verdict.target.title, verdict.baselineText, verdict.timeText, verdict.figureText,
            verdict.limitText, verdict.stretchText, verdict.unscaledText,
        ] + (verdict.runs == nil ? [] : [verdict.runsText]) + [verdict.text]
    }

    static let workloads = [
        "Workload", "Role", "Best", "Median", "p99", "Clock", "First pass", "File", "WAL",
        "Ratio to the baseline",
    ]

    /// The columns for workloads that wait for a disk.
    static let durable = workloads.map { $0 == "Clock" ? "Processor" : $0 }

    /// The compared times, followed by the median of the others.
    static func cells(_ result: WorkloadResult, _ run: BenchmarkRun) -> [String] {
        let bytes = { (count: Int?) in
            count.map { FigureText.bytes(Double($0)) } ?? FigureText.none
        }
        let times = result.judged
        let others = result.waitsForDisk ? result.processor : result.wall
        return [
            result.name, result.role.rawValue, result.text(times.minimum),
            result.text(times.median), p99(result, times), result.text(others.median),
            FigureText.duration(result.first), bytes(result.fileSize), bytes(result.walSize),
            ratio(result, run),
        ]
    }

    /// The columns for workloads whose operations are timed.
    static let standard = [
        "Workload", "Role", "Per second", "Operation", "Number", "p50", "p95", "p99", "Longest",
        "Ratio to the baseline",
    ]

    /// A row for each kind of operation; one without times if there is none.
    static func standardRows(_ result: WorkloadResult, _ run: BenchmarkRun) -> [[String]] {
        let rate = result.perSecond.map { FigureText.number($0) } ?? FigureText.none
        let start = [result.name, result.role.rawValue, rate]
        let end = [ratio(result, run)]
        guard let operations = result.operations, !operations.isEmpty else {
            return [start + Array(repeating: FigureText.none, count: 6) + end]
        }
        return operations.map { operation in
            let times = [operation.p50, operation.p95, operation.p99, operation.maximum]
            return start + [operation.kind, FigureText.grouped(operation.count)]
                + times.map(FigureText.duration) + end
        }
    }

    /// With fewer than 100 passes it is the slowest one, so their number is shown.
    private static func p99(_ result: WorkloadResult, _ times: Times) -> String {
        let text = result.text(times.p99)
        guard let passes = result.passes, passes < 100 else { return text }
        return "\(text), slowest of \(passes)"
    }

    /// The median, and the range of the rounds.
    static func ratio(_ result: WorkloadResult, _ run: BenchmarkRun) -> String {
        guard let ratios = run.ratios(of: result), let middle = ratios.middle,
            let range = ratios.range
        else { return FigureText.none }
        let text = FigureText.ratio
        return "\(text(middle)) (\(text(range.low)) to \(text(range.high)))"
    }

    static let figures = ["Figure", "Median", "Range", "The baseline's median"]

    static func cells(_ figure: Figure) -> [String] {
        let range = figure.rounds.range.map { "\(figure.text($0.low)) to \(figure.text($0.high))" }
        return [
            figure.name, figure.rounds.isEmpty ? FigureText.none : figure.text(figure.median),
            range ?? FigureText.none, figure.baseline?.middle.map(figure.text) ?? FigureText.none,
        ]
    }

    static func growth(_ sizes: [Int]) -> [String] {
        ["Workload"] + sizes.map(FigureText.people) + ["Exponent", "Of its work", "Verdict"]
    }

    static func cells(_ curve: Growth.Curve, _ sizes: [Int]) -> [String] {
        let times = sizes.map { size in
            let point = curve.points.first { $0.people == size }
            return point.map { FigureText.duration($0.seconds) } ?? FigureText.none
        }
        let verdict =
            curve.role != .engine
            ? curve.role.rawValue : curve.isTooFast ? "too fast" : "as its work"
        return [curve.name] + times + [
            FigureText.fixed(curve.exponent, decimals: 2),
            FigureText.fixed(curve.work, decimals: 2), verdict,
        ]
    }
}
