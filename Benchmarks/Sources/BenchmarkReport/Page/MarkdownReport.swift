/// A report as Markdown: the machine, the targets, all workloads, growth.
public struct MarkdownReport: Sendable {
    /// The report.
    public let text: String

    /// Creates the report of one run, or of runs of several sizes. Throws if there is none.
    ///
    /// - Parameter counts: the allocations counted by kvgate.
    public init(
        _ runs: [BenchmarkRun], allocations counts: AllocationCounts? = nil
    ) throws(ReportError) {
        let content = try ReportContent(runs, counts)
        let parts = [
            "# Benchmarks", Self.escaped(ReportContent.explanation), Self.facts(content),
            Self.targets(content), Self.workloads(content), Self.durable(content),
            Self.standard(content), Self.figures(content), Self.growth(content),
            Self.scale(content),
        ]
        text = parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private static func facts(_ content: ReportContent) -> String {
        content.facts.map { "- \($0.name): \(escaped($0.value))" }.joined(separator: "\n")
    }

    private static func targets(_ content: ReportContent) -> String {
        guard content.hasTargets else { return "" }
        let titles = ReportTable.targets(runs: content.runsOfSize.count)
        let tables = Target.Table.allCases.map { table in
            "### \(table.rawValue)\n\n"
                + self.table(
                    titles, content.verdicts.of(table).map { ReportTable.cells($0) })
        }
        return (["## Targets", content.summary] + tables).joined(separator: "\n\n")
    }

    private static func workloads(_ content: ReportContent) -> String {
        guard content.hasTargets else { return "" }
        guard !content.workloads.isEmpty else {
            return "## Workloads\n\nThere are none in this run."
        }
        return "## Workloads\n\n"
            + table(
                ReportTable.workloads,
                content.workloads.map { ReportTable.cells($0, content.run) }, left: 2)
    }

    private static func durable(_ content: ReportContent) -> String {
        guard !content.durable.isEmpty else { return "" }
        return [
            "## On a disk, by the clock", ReportContent.explanationOfDurable,
            table(
                ReportTable.durable, content.durable.map { ReportTable.cells($0, content.run) },
                left: 2),
        ].joined(separator: "\n\n")
    }

    private static func standard(_ content: ReportContent) -> String {
        guard !content.standard.isEmpty else { return "" }
        let rows = content.standard.flatMap { ReportTable.standardRows($0, content.run) }
        return [
            "## Standard benchmarks", escaped(ReportContent.explanationOfStandard),
            table(ReportTable.standard, rows, left: 2),
        ].joined(separator: "\n\n")
    }

    private static func figures(_ content: ReportContent) -> String {
        guard !content.figures.isEmpty else { return "" }
        return "## Other figures\n\n"
            + table(ReportTable.figures, content.figures.map { ReportTable.cells($0) })
    }

    private static func scale(_ content: ReportContent) -> String {
        guard !content.scales.isEmpty else { return "" }
        let tables = content.scales.map { scale in
            "### \(escaped(scale.title))\n\n" + table(scale.titles, scale.rows)
        }
        let growth = ScaleGrowth(content.scales).map { table($0.titles, $0.rows) }
        return
            (["## One large file", ReportContent.explanationOfScale] + tables
            + [growth].compactMap { $0 }).joined(separator: "\n\n")
    }

    private static func growth(_ content: ReportContent) -> String {
        guard let growth = content.growth else { return "" }
        let tooFast = growth.tooFast.map(\.name)
        let verdict =
            tooFast.isEmpty
            ? "Nothing grows faster than its work."
            : "These grow faster than their work: "
                + tooFast.map(escaped).joined(separator: "; ") + "."
        let note = content.hasSeveralMachines ? " The sizes were measured on several machines." : ""
        return [
            "## Growth", ReportContent.explanationOfGrowth, verdict + note,
            table(
                ReportTable.growth(content.sizes),
                growth.curves.map { ReportTable.cells($0, content.sizes) }),
        ].joined(separator: "\n\n")
    }

    /// A table whose first columns are left-aligned.
    private static func table(_ titles: [String], _ rows: [[String]], left: Int = 1) -> String {
        let rule = titles.indices.map { $0 < left ? "---" : "--:" }
        let lines = [titles.map(escaped), rule] + rows.map { $0.map(escaped) }
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }

    /// The text on one line, with Markdown escaped.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character.isNewline {
                escaped += " "
            } else {
                if #"\`*_|<>[]&#~"#.contains(character) { escaped += "\\" }
                escaped.append(character)
            }
        }
        return escaped
    }
}
