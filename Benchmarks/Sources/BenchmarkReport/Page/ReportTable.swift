/// The tables that both kinds of reports have: titles, and the cells of a row.
enum ReportTable {
    static let targets = [
        "Row", "Floor or peer", "Measured", "Figure", "Target", "Stretch", "Verdict",
    ]

    static func cells(_ verdict: Verdict) -> [String] {
        [
            verdict.target.title, verdict.floorText, verdict.timeText, verdict.figureText,
            verdict.limitText, verdict.stretchText, verdict.text,
        ]
    }

    static let workloads = [
        "Workload", "Role", "Best", "Median", "p99", "Clock", "First pass", "Memory", "File",
        "Ratio to the floor",
    ]

    static func cells(_ result: WorkloadResult, _ run: BenchmarkRun) -> [String] {
        let bytes = { (count: Int?) in
            count.map { FigureText.bytes(Double($0)) } ?? FigureText.none
        }
        return [
            result.name, result.role.rawValue, result.text(result.processor.minimum),
            result.text(result.processor.median), result.text(result.processor.p99),
            result.text(result.wall.median), FigureText.duration(result.first),
            bytes(result.memory), bytes(result.fileSize), ratio(result, run),
        ]
    }

    /// The median, and the range of the rounds.
    static func ratio(_ result: WorkloadResult, _ run: BenchmarkRun) -> String {
        guard let ratios = run.ratios(of: result), let middle = ratios.middle,
            let range = ratios.range
        else { return FigureText.none }
        let text = FigureText.ratio
        return "\(text(middle)) (\(text(range.low)) to \(text(range.high)))"
    }

    static let figures = ["Figure", "Median", "Range", "The floor's median"]

    static func cells(_ figure: Figure) -> [String] {
        let range = figure.rounds.range.map { "\(figure.text($0.low)) to \(figure.text($0.high))" }
        return [
            figure.name, figure.rounds.isEmpty ? FigureText.none : figure.text(figure.median),
            range ?? FigureText.none, figure.floor?.middle.map(figure.text) ?? FigureText.none,
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
