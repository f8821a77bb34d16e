import ArgumentParser
import BenchmarkGate
import BenchmarkReport
import Foundation

/// `kvbench report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a report about results: Markdown, or a page.",
        discussion: """
            Results of several sizes also give how the cost of each workload grows. Of several \
            runs of one size each must meet a target, and it is told how many do. Files of \
            kvbench scale have tables of their own. Without --html and --markdown the report is \
            printed.
            """)

    @Argument(help: "Files that kvbench run --json has written.", completion: .file())
    var files: [String]
    @Option(help: "A file for the page.", completion: .file()) var html: String?
    @Option(help: "A file for the text.", completion: .file()) var markdown: String?
    @Option(
        help: ArgumentHelp(
            "What kvgate has counted, for the targets of allocations; otherwise the file of the "
                + "newest compiler in Benchmarks/thresholds, if there is one."),
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
            throw BenchmarkError(message: "\(path): there is no such file; kvgate writes one")
        }
        return AllocationCounts(
            source: "\(URL(fileURLWithPath: path).lastPathComponent), SQLite \(file.sqlite)",
            kernels: file.kernels.mapValues(\.allocations))
    }
}

/// `kvbench compare`
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Tells what is faster or slower in the second results.")

    @Argument(help: "The results before.", completion: .file()) var before: String
    @Argument(help: "The results after.", completion: .file()) var after: String

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
