import ArgumentParser
import BenchmarkGate
import BenchmarkReport
import Foundation

/// `kvbench report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a report on results, as Markdown or HTML.",
        discussion: """
            Results of several sizes also show how the cost of each workload grows. With several \
            runs of one size, all of them must meet a target; the report has the number of runs \
            that do. Files of kvbench scale have tables of their own. Without --html and \
            --markdown the report is printed.
            """)

    @Argument(help: "Files written by kvbench run --json.", completion: .file())
    var files: [String]
    @Option(help: "Write HTML to this file.", completion: .file()) var html: String?
    @Option(help: "Write Markdown to this file.", completion: .file()) var markdown: String?
    @Option(
        help: ArgumentHelp(
            "The counts of kvgate, for the targets of allocations (default: the file of the "
                + "newest compiler in Benchmarks/thresholds)."),
        completion: .file(extensions: ["json"]))
    var thresholds: String?

    func run() throws {
        let runs = try files.map { try BenchmarkRun(contentsOf: $0) }
        let allocations = try allocations()
        if let html {
            try HTMLReport(runs, allocations: allocations).text.write(toFile: html)
        }
        guard markdown != nil || html == nil else { return }
        let text = try MarkdownReport(runs, allocations: allocations).text
        if let markdown { try text.write(toFile: markdown) } else { print(text) }
    }

    private func allocations() throws -> AllocationCounts? {
        guard let path = thresholds ?? Thresholds.newest(in: "Benchmarks/thresholds") else {
            return nil
        }
        guard let file = try Thresholds(contentsOf: path) else {
            throw BenchmarkError(message: "\(path): the file does not exist; kvgate writes one")
        }
        return AllocationCounts(
            source: "\(URL(fileURLWithPath: path).lastPathComponent), SQLite \(file.sqlite)",
            kernels: file.kernels.mapValues(\.allocations))
    }
}

/// `kvbench compare`
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Shows what is faster or slower in the second results.")

    @Argument(help: "The results before the change.", completion: .file()) var before: String
    @Argument(help: "The results after the change.", completion: .file()) var after: String

    func run() throws {
        let comparison = Comparison(
            before: try BenchmarkRun(contentsOf: before), after: try BenchmarkRun(contentsOf: after)
        )
        print(comparison.text)
    }
}

extension String {
    fileprivate func write(toFile path: String) throws { try OutputPath.write(self, to: path) }
}
