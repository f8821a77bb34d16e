import BenchmarkReport
import Foundation

/// Results as they are printed while others are still measured.
struct ResultTable {
    private let width: Int

    init(names: [String]) {
        width = min(names.map(\.count).max() ?? 0, 90)
        line("workload", ["best", "median", "p99", "by the clock", "ratio"])
    }

    func print(_ results: [WorkloadResult]) {
        for result in results {
            let floor = results.first { $0.name == result.floor }
            let ratio = floor.flatMap { floor in
                result.processor.ratio(to: floor.processor).map {
                    $0 * Double(floor.amount) / Double(result.amount)
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
        // What is measured next may take a while.
        fflush(nil)
    }

    func print(_ figures: [Figure]) {
        for figure in figures {
            line(figure.name, [String(format: "%.2f %@", figure.median, figure.unit)])
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
