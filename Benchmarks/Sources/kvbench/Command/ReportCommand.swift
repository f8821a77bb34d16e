import ArgumentParser
import BenchmarkReport
import Foundation

/// `kvbench report`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a report about results: Markdown, or a page.",
        discussion: """
            Results of several sizes also give how the cost of each workload grows. Without \
            --html and --markdown the report is printed.
            """)

    @Argument(help: "Files that kvbench run --json has written.", completion: .file())
    var files: [String]
    @Option(help: "A file for the page.", completion: .file()) var html: String?
    @Option(help: "A file for the text.", completion: .file()) var markdown: String?

    func run() throws {
        let runs = try files.map { try BenchmarkRun(contentsOf: $0) }
        if let html { try HTMLReport(runs).text.write(toFile: html) }
        if let markdown { try MarkdownReport(runs).text.write(toFile: markdown) }
        if html == nil, markdown == nil { print(try MarkdownReport(runs).text) }
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
    fileprivate func write(toFile path: String) throws {
        try write(toFile: path, atomically: true, encoding: .utf8)
    }
}
