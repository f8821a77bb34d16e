import BenchmarkReport
import Foundation

/// Prints results while others are still being measured.
struct ResultTable {
    private let width: Int

    init(names: [String]) {
        width = min(names.map(\.count).max() ?? 0, 90)
        line("workload", ["best", "median", "p99", "by the clock", "ratio"])
    }

    /// Creates a table of figures only.
    init(figures: [Figure]) {
        width = min(figures.map(\.name.count).max() ?? 0, 90)
        line("figure", ["median", "the baseline's"])
    }

    func print(_ results: [WorkloadResult]) {
        for result in results {
            let baseline = results.first { $0.name == result.baseline }
            let ratio = baseline.flatMap { baseline in
                result.judged.ratio(to: baseline.judged).map {
                    $0 * Double(baseline.amount) / Double(result.amount)
                }
            }
            line(
                result.name,
                [
                    result.text(result.processor.minimum), result.text(result.processor.median),
                    result.text(result.processor.p99), result.text(result.wall.median),
                    ratio.map { String(format: "%.2f", $0) } ?? "",
                ])
        }
        // The next measurement may take a while.
        fflush(nil)
    }

    func print(_ figures: [Figure]) {
        for figure in figures {
            let baseline = figure.baseline.map { Figure(name: "", unit: figure.unit, rounds: $0) }
            line(figure.name, [figure, baseline].compactMap { $0 }.map(Self.text))
        }
        fflush(nil)
    }

    private static func text(_ figure: Figure) -> String {
        switch figure.unit {
        case "seconds": String(format: "%.2f ms", figure.median * 1e3)
        case "bytes": String(format: "%.2f MB", figure.median / 1e6)
        default: String(format: "%.2f ", figure.median) + figure.unit
        }
    }

    private func line(_ name: String, _ fields: [String]) {
        let row = fields.map { $0.padding(to: 14) }.joined()
        Swift.print(name.padding(to: width) + "  " + row.trimmingCharacters(in: .whitespaces))
    }
}

extension String {
    func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
