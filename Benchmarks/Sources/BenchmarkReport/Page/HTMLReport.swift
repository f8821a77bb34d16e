/// A report as one self-contained page: charts as SVG, each with its table.
public struct HTMLReport: Sendable {
    /// The page.
    public let text: String

    /// Creates the report of one run, or of runs of several sizes. Throws if there is none.
    ///
    /// - Parameter counts: the allocations counted by kvgate.
    public init(
        _ runs: [BenchmarkRun], allocations counts: AllocationCounts? = nil
    ) throws(ReportError) {
        let content = try ReportContent(runs, counts)
        let sections = [
            HTMLSection(id: "targets", title: "Targets", Self.targets(content)),
            HTMLSection(id: "bars", title: "Against baselines and peers", Self.bars(content)),
            HTMLSection(id: "durable", title: "On a disk, by the clock", Self.durable(content)),
            HTMLSection(id: "standard", title: "Standard benchmarks", Self.standard(content)),
            HTMLSection(id: "figures", title: "Other figures", Self.figures(content)),
            HTMLSection(id: "growth", title: "Growth", Self.growth(content)),
            HTMLSection(id: "scale", title: "One large file", Self.scale(content)),
            HTMLSection(id: "all", title: "All workloads", Self.workloads(content)),
        ].filter { !$0.content.isEmpty }
        let body =
            [Self.header(content), HTMLSection.navigation(sections)] + sections.map(\.markup)
        let page = Markup.element(
            "html", ["lang": "en"],
            [
                .element(
                    "head",
                    [
                        .empty("meta", ["charset": "utf-8"]),
                        .empty(
                            "meta",
                            [
                                "name": "viewport",
                                "content": "width=device-width, initial-scale=1",
                            ]),
                        .element("title", "Benchmarks, \(content.run.date)"), .style(Self.style),
                    ]), .element("body", [.element("main", body)]),
            ])
        text = "<!DOCTYPE html>\n" + page.source + "\n"
    }

    private static func header(_ content: ReportContent) -> Markup {
        let verdicts = content.verdicts
        let counts =
            !content.hasTargets
            ? []
            : [
                ("met", verdicts.met, "met"), ("with the stretch", verdicts.stretched, "met"),
                ("missed", verdicts.missed, "missed"),
                ("not measured", verdicts.unmeasured, "open"),
            ]
        return .element(
            "header",
            [
                .element("h1", "Benchmarks"), .element("p", ReportContent.explanation),
                .element(
                    "ul", ["class": "counts"],
                    counts.map { words, count, kind in
                        .element(
                            "li",
                            [
                                .element("b", ["class": kind], "\(count)"),
                                Markup("targets \(words)"),
                            ]
                        )
                    }),
                .element(
                    "dl",
                    content.facts.flatMap { fact in
                        [Markup.element("dt", fact.name), .element("dd", fact.value)]
                    }),
            ])
    }

    private static func targets(_ content: ReportContent) -> [Markup] {
        guard content.hasTargets else { return [] }
        let titles = ReportTable.targets(runs: content.runsOfSize.count)
        return [.element("p", content.summary)]
            + Target.Table.allCases.flatMap { table in
                let verdicts = content.verdicts.of(table)
                let rows = verdicts.map { verdict in
                    HTMLTable.Row(
                        ReportTable.cells(verdict), kind: kind(verdict),
                        long: [4, 6, titles.count - 1])
                }
                return [
                    Markup.element("h3", table.rawValue),
                    HTMLTable(table.rawValue, titles, rows).markup,
                ]
            }
    }

    private static func kind(_ verdict: Verdict) -> String {
        switch verdict.outcome {
        case .met: "met"
        case .missed: "missed"
        case .notMeasured: "open"
        }
    }

    private static func bars(_ content: ReportContent) -> [Markup] {
        let areas = WorkloadArea.all(of: content.workloads)
        guard !areas.isEmpty else { return [] }
        let key = Markup.element(
            "p",
            ["this project": "engine", "baseline": "baseline", "peers": "peer"].flatMap {
                words, role in
                [Markup.element("span", ["class": "swatch \(role)"], []), Markup("\(words)  ")]
            } + [
                Markup("The dashed line is the baseline's time; thin lines are the rounds' range.")
            ])
        return [key]
            + areas.enumerated().flatMap { number, area in
                [
                    Markup.element("h3", area.name),
                    cards(area.groups, content.run, id: "b\(number)"),
                ]
            }
    }

    /// The table is not collapsed: it is short.
    private static func durable(_ content: ReportContent) -> [Markup] {
        guard !content.durable.isEmpty else { return [] }
        let rows = content.durable.map { HTMLTable.Row(ReportTable.cells($0, content.run)) }
        return [
            .element("p", ReportContent.explanationOfDurable),
            cards(WorkloadGroup.all(of: content.durable), content.run, id: "d"),
            HTMLTable("On a disk, by the clock", ReportTable.durable, rows).markup,
        ]
    }

    /// A chart for each group, and all of them in one table.
    private static func standard(_ content: ReportContent) -> [Markup] {
        guard !content.standard.isEmpty else { return [] }
        let rows = content.standard.flatMap { result in
            ReportTable.standardRows(result, content.run).map { HTMLTable.Row($0) }
        }
        return [
            .element("p", ReportContent.explanationOfStandard),
            cards(WorkloadGroup.all(of: content.standard), content.run, id: "s"),
            HTMLTable("Standard benchmarks", ReportTable.standard, rows).markup,
        ]
    }

    private static func scale(_ content: ReportContent) -> [Markup] {
        guard !content.scales.isEmpty else { return [] }
        let tables = content.scales.flatMap { scale in
            [
                Markup.element("h3", scale.title),
                HTMLTable(scale.title, scale.titles, scale.rows.map { HTMLTable.Row($0) }).markup,
            ]
        }
        let growth = ScaleGrowth(content.scales).map { growth in
            [
                Markup.element("h3", "The time of an item against the size"),
                HTMLTable("Growth", growth.titles, growth.rows.map { HTMLTable.Row($0) }).markup,
            ]
        }
        return [.element("p", ReportContent.explanationOfScale)] + tables + (growth ?? [])
    }

    private static func cards(
        _ groups: [WorkloadGroup], _ run: BenchmarkRun, id: String
    ) -> Markup {
        let cards = groups.enumerated().compactMap { index, group in
            card(group, run, id: "\(id)-\(index)")
        }
        return .element("div", ["class": "cards"], cards)
    }

    private static func card(
        _ group: WorkloadGroup, _ run: BenchmarkRun, id: String
    ) -> Markup? {
        guard let chart = BarChart(group, in: run, id: id) else { return nil }
        let rows = group.members.map { HTMLTable.Row(ReportTable.cells($0, run)) }
        let titles =
            group.members.contains(where: \.waitsForDisk)
            ? ReportTable.durable : ReportTable.workloads
        return .element(
            "section", ["class": "card"],
            [
                .element("h4", group.title), .element("figure", [chart.markup]),
                details("Table", HTMLTable(group.title, titles, rows).markup),
            ])
    }

    private static func details(_ title: String, _ content: Markup) -> Markup {
        .element("details", [.element("summary", title), content])
    }

    private static func figures(_ content: ReportContent) -> [Markup] {
        let rows = content.figures.map { HTMLTable.Row(ReportTable.cells($0)) }
        return rows.isEmpty ? [] : [HTMLTable("Figures", ReportTable.figures, rows).markup]
    }

    private static func growth(_ content: ReportContent) -> [Markup] {
        guard let growth = content.growth else { return [] }
        let tooFast = growth.tooFast.map(\.name)
        let verdict =
            tooFast.isEmpty
            ? "Nothing grows faster than its work."
            : "These grow faster than their work: \(tooFast.joined(separator: "; "))."
        let note = content.hasSeveralMachines ? " The sizes were measured on several machines." : ""
        let groups = WorkloadGroup.all(of: content.run.workloads)
        let cards = groups.enumerated().compactMap { index, group in
            GrowthChart(group, growth, id: "g\(index)").map { chart in
                Markup.element(
                    "section", ["class": "card"], [.element("h4", group.title), chart.markup])
            }
        }
        let rows = growth.curves.map { HTMLTable.Row(ReportTable.cells($0, content.sizes)) }
        let table = HTMLTable("Growth", ReportTable.growth(content.sizes), rows).markup
        return [
            .element("p", ReportContent.explanationOfGrowth), .element("p", verdict + note),
            .element("div", ["class": "cards"], cards), details("Table", table),
        ]
    }

    private static func workloads(_ content: ReportContent) -> [Markup] {
        guard content.hasTargets else { return [] }
        guard !content.workloads.isEmpty else {
            return [.element("p", "There are none in this run.")]
        }
        let rows = content.workloads.map { HTMLTable.Row(ReportTable.cells($0, content.run)) }
        return [details("Table", HTMLTable("All workloads", ReportTable.workloads, rows).markup)]
    }
}
