import Foundation
import Testing

@testable import BenchmarkReport

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Runs of three sizes with names that would break a page, or a table.
private let runs = [10_000, 100_000, 1_000_000].map { people in
    BenchmarkRun.sample(
        people: people, processor: #"P <script>alert("x")</script> | & 'y'"#,
        BenchmarkRun.baselines() + [
            .sample(
                "store: get: <C> & | \"co\"", role: .baseline,
                [1, 2, 1.5].map { $0 * Double(people) }),
            .sample(
                "store: get: records", baseline: "store: get: <C> & | \"co\"",
                [2, 3, 2.5].map { $0 * Double(people) }),
            .sample(
                "store: get: GRDB", role: .peer, baseline: "store: get: <C> & | \"co\"",
                [4, 5, 6].map { $0 * Double(people) }),
        ], figures: [Figure(name: "threads: <2>", unit: "times", rounds: [1.8])])
}

@Suite("A report as Markdown")
struct MarkdownReportTests {
    @Test("has the machine, the targets, all workloads and growth")
    func parts() throws {
        let text = try MarkdownReport(runs).text
        for line in [
            "- People: 100,000", "## Targets", "## Workloads", "## Growth",
            "| threads: \\<2\\> | 1.80 times | 1.80 times to 1.80 times | – |",
            "| Workload | 10k | 100k | 1M | Exponent | Of its work | Verdict |",
            "Nothing grows faster than its work.",
            #"- Processor: P \<script\>alert("x")\</script\> \| \& 'y', 2 cores"#,
        ] {
            #expect(text.split(separator: "\n").contains { $0 == line }, "\(line)")
        }
        // The ratios are 2, 1.5 and 1.67.
        let row = try #require(text.split(separator: "\n").first { $0.contains("get: records") })
        #expect(row.hasSuffix("| 1.67 (1.50 to 2.00) |"))
    }

    @Test("has the same number of columns in each row of a table")
    func columns() throws {
        let lines = try MarkdownReport(runs).text.split(
            separator: "\n", omittingEmptySubsequences: false)
        for table in lines.split(whereSeparator: { !$0.hasPrefix("|") }) {
            let counts = table.map { $0.replacing(#"\|"#, with: "").count { $0 == "|" } }
            #expect(Set(counts).count == 1)
        }
    }

    @Test("of an empty run has a note; without a run there is none")
    func empty() throws {
        let text = try MarkdownReport([.sample([])]).text
        #expect(text.contains("There are none in this run."))
        #expect(text.contains("0 met"))
        #expect(!text.contains("## Growth"))
        #expect(throws: ReportError.self) { try MarkdownReport([]) }
        #expect(throws: ReportError.self) { try HTMLReport([]) }
    }

    @Test("of several runs of a size has the number of them that meet each target")
    func severalRuns() throws {
        let again = BenchmarkRun.sample(
            date: "2026-11-23T10:00:00Z", BenchmarkRun.baselines([1, 1, 1, 1]))
        let text = try MarkdownReport(runs + [again]).text
        let dates = "2026-11-22T10:00:00Z, 2026-11-23T10:00:00Z; targets are judged in each"
        #expect(text.contains("- Dates: \(dates)"))
        #expect(text.contains("| Unscaled | Met in runs | Verdict |"))
        #expect(text.contains("| 0 of 2 |"))
        #expect(try !MarkdownReport(runs).text.contains("Met in runs"))
        #expect(try ReportContent(runs + [again]).run == runs[1])
    }

    @Test("of a file that is given twice is refused")
    func twice() {
        let error = #expect(throws: ReportError.self) { try MarkdownReport(runs + [runs[0]]) }
        #expect(
            error?.description
                == "the results of 2026-11-22T10:00:00Z were given twice: give each file once")
    }

    @Test("names the factors of the machine's speed")
    func speed() throws {
        let run = BenchmarkRun.sample(BenchmarkRun.baselines([1, 2, 3, 4]))
        let line = "2.50 × the times of the tables' machine, the mean of: insert 1.00, get 2.00, "
        #expect(
            try MarkdownReport([run]).text.contains(
                "- Speed: \(line)enumerate 3.00, scan 4.00"))
    }

    @Test("has what waits for a disk in a table of its own, by the clock")
    func durable() throws {
        let run = BenchmarkRun.sample([
            .sample("a, disk: C", role: .baseline, [1], wall: [2]),
            .sample("a, disk: w", baseline: "a, disk: C", [1], wall: [6], passes: 7),
            .sample("b", [1]),
        ])
        let parts = try MarkdownReport([run]).text.components(
            separatedBy: "## On a disk, by the clock")
        #expect(parts.count == 2)
        #expect(!parts[0].contains("a, disk") && parts[0].contains("| b |"))
        #expect(
            parts[1].contains(
                "| a, disk: w | engine | 6.00 s | 6.00 s | 6.00 s, slowest of 7 | 1.00 s | "))
        #expect(parts[1].contains("| 3.00 (3.00 to 3.00) |"))
        #expect(try HTMLReport([run]).text.contains("6.00 s, slowest of 7"))
    }

    @Test("is of the size that the targets are for")
    func size() throws {
        #expect(try ReportContent(runs).run.settings.people == 100_000)
        #expect(try ReportContent([runs[0], runs[2]]).run.settings.people == 1_000_000)
        #expect(try ReportContent(runs).sizes == [10_000, 100_000, 1_000_000])
    }
}

@Suite("A report as a page")
struct HTMLReportTests {
    private final class Elements: NSObject, XMLParserDelegate {
        var names: [String] = []
        var ids: [String] = []
        var references: [String] = []
        var texts = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            names.append(name)
            if let id = attributes["id"] { ids.append(id) }
            references += ["href", "src", "aria-labelledby"].compactMap { attributes[$0] }
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) { texts += text }
    }

    private func elements(_ report: HTMLReport) throws -> Elements {
        let parser = XMLParser(data: Data(report.text.utf8))
        let elements = Elements()
        parser.delegate = elements
        let isWellFormed = parser.parse()
        #expect(isWellFormed, "\(String(describing: parser.parserError))")
        return elements
    }

    @Test("is well-formed, and shows names as they are")
    func escaping() throws {
        let elements = try elements(HTMLReport(runs))
        #expect(!elements.names.contains("script"))
        #expect(elements.texts.contains(#"P <script>alert("x")</script> | & 'y', 2 cores"#))
        #expect(elements.texts.contains(#"<C> & | "co": the baseline"#))
    }

    @Test("needs nothing else, and its references lead somewhere")
    func references() throws {
        let report = try HTMLReport(runs)
        for word in ["http:", "https:", "url(", "@import", "<link", "<img"] {
            #expect(!report.text.contains(word), "\(word)")
        }
        let elements = try elements(report)
        #expect(Set(elements.ids).count == elements.ids.count)
        let words = elements.references.flatMap { $0.split(separator: " ") }
        let targets = words.map { word in String(word.drop { $0 == "#" }) }
        #expect(!targets.isEmpty)
        #expect(Set(targets).isSubset(of: elements.ids))
    }

    @Test("has titles in its charts, each with a table")
    func accessibility() throws {
        let report = try HTMLReport(runs)
        let charts = report.text.split(separator: #"role="img""#).dropFirst()
        // Bars and growth of one group.
        #expect(charts.count == 2)
        #expect(charts.allSatisfy { $0.contains("<title id=") && $0.contains("<table>") })
        #expect(report.text.contains("prefers-color-scheme: dark"))
        #expect(report.text.contains("width=device-width"))
    }

    @Test("draws bars as long as the ratios, the baseline's as 1")
    func bars() throws {
        let text = try HTMLReport(runs).text
        // The longest are GRDB's best and worst rounds: 4 of the baseline, so that 1 is 15 %.
        #expect(text.contains(##"<line x1="15.00%" x2="15.00%" y1="0" y2="114.0" class="one"/>"##))
        #expect(text.contains(#"width="25.00%" height="12.0" class="engine""#))
        #expect(text.contains(#"width="60.00%" height="12.0" class="peer""#))
    }

    @Test("of an empty run, and of one with times of 0, is well-formed")
    func unusable() throws {
        _ = try elements(HTMLReport([.sample([])]))
        let zero = BenchmarkRun.sample([
            .sample("s: f", role: .baseline, [0]), .sample("s: w", baseline: "s: f", [1]),
        ])
        _ = try elements(HTMLReport([zero]))
        let control = BenchmarkRun.sample([.sample("a\u{0}b\u{1B}", [1])])
        #expect(try elements(HTMLReport([control])).texts.contains("a\u{FFFD}b\u{FFFD}"))
    }
}
