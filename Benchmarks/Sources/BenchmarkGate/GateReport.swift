/// The gate's verdicts as text for a terminal.
public struct GateReport: Sendable {
    private let verdicts: [KernelVerdict]

    /// Creates a report on verdicts.
    public init(_ verdicts: [KernelVerdict]) {
        self.verdicts = verdicts
    }

    /// Creates a report on costs without thresholds.
    public init(measured: [MeasuredKernel]) {
        verdicts = measured.map { KernelVerdict(kernel: $0, threshold: nil, outcome: .new) }
    }

    /// A line with column names, and one for each kernel.
    public var table: String {
        let titles = [
            "kernel", "instructions", "before", "change", "allocations", "before", "",
        ]
        let rows = [titles] + verdicts.map { Self.cells($0) }
        let widths = titles.indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { cells in
            let padded = cells.indices.map { column in
                let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
                let isText = column == 0 || column == cells.count - 1
                return isText ? cells[column] + blanks : blanks + cells[column]
            }
            let line = padded.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    /// The number of kernels for each outcome, in one line.
    public var summary: String {
        let outcomes: [(KernelVerdict.Outcome, String)] = [
            (.asBefore, "as before"), (.worse, "worse"), (.better, "better"), (.new, "new"),
            (.notComparable, "not comparable"),
        ]
        let parts = outcomes.compactMap { outcome, words in
            let count = verdicts.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(words)"
        }
        return "\(verdicts.count) kernels: " + parts.joined(separator: ", ")
    }

    private static func cells(_ verdict: KernelVerdict) -> [String] {
        let (cost, threshold) = (verdict.kernel.cost, verdict.threshold)
        return [
            verdict.kernel.name, text(cost.instructions),
            threshold.map { text($0.instructions) } ?? "–",
            threshold.map { change(from: $0.instructions, to: cost.instructions) } ?? "–",
            text(cost.allocations), threshold.map { text($0.allocations) } ?? "–",
            words(verdict.outcome),
        ]
    }

    private static func words(_ outcome: KernelVerdict.Outcome) -> String {
        switch outcome {
        case .asBefore: ""
        case .better: "better: run --update"
        case .worse: "WORSE"
        case .new: "no threshold"
        case .notComparable: "not comparable: another SQLite"
        }
    }

    /// Whole numbers are written without a decimal point.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map { String($0) } ?? String(number)
    }

    private static func change(from old: Double, to new: Double) -> String {
        let tenths = ((new / old - 1) * 1000).rounded()
        let sign = tenths > 0 ? "+" : tenths < 0 ? "−" : ""
        return "\(sign)\(abs(tenths) / 10) %"
    }
}
