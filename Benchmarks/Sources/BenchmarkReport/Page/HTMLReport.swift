/// A report as one page that needs nothing else: charts as SVG, with their tables behind them.
public struct HTMLReport: Sendable {
    /// The page.
    public let text: String

    /// Of one run, or of runs of several sizes. Throws if there is none.
    public init(_ runs: [BenchmarkRun]) throws(ReportError) {
        let content = try ReportContent(runs)
        let sections = [
            HTMLSection(id: "targets", title: "Targets", Self.targets(content)),
            HTMLSection(id: "bars", title: "Against floors and peers", Self.bars(content.run)),
            HTMLSection(id: "figures", title: "Figures that are no times", Self.figures(content)),
            HTMLSection(id: "growth", title: "Growth", Self.growth(content)),
            HTMLSection(id: "all", title: "All workloads", Self.workloads(content.run)),
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
        let counts = [
            ("met", verdicts.met, "met"), ("with the stretch", verdicts.stretched, "met"),
            ("missed", verdicts.missed, "missed"), ("not measured", verdicts.unmeasured, "open"),
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
        [.element("p", content.summary)]
            + Target.Table.allCases.flatMap { table in
                let verdicts = content.verdicts.of(table)
                let rows = verdicts.map { verdict in
                    HTMLTable.Row(
                        ReportTable.cells(verdict), kind: kind(verdict), long: [4, 6])
                }
                return [
                    Markup.element("h3", table.rawValue),
                    HTMLTable(table.rawValue, ReportTable.targets, rows).markup,
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

    private static func bars(_ run: BenchmarkRun) -> [Markup] {
        let areas = WorkloadArea.all(of: run)
        guard !areas.isEmpty else { return [] }
        let key = Markup.element(
            "p",
            ["this project": "engine", "floor": "floor", "peers": "peer"].flatMap { words, role in
                [Markup.element("span", ["class": "swatch \(role)"], []), Markup("\(words)  ")]
            } + [Markup("The dashed line is the floor's time; thin lines are the rounds' range.")])
        return [key]
            + areas.enumerated().flatMap { number, area in
                let cards = area.groups.enumerated().compactMap { index, group in
                    card(group, run, id: "b\(number)-\(index)")
                }
                return [
                    Markup.element("h3", area.name), .element("div", ["class": "cards"], cards),
                ]
            }
    }

    private static func card(
        _ group: WorkloadGroup, _ run: BenchmarkRun, id: String
    ) -> Markup? {
        guard let chart = BarChart(group, in: run, id: id) else { return nil }
        let rows = group.members.map { HTMLTable.Row(ReportTable.cells($0, run)) }
        return .element(
            "section", ["class": "card"],
            [
                .element("h4", group.title), .element("figure", [chart.markup]),
                details("Table", HTMLTable(group.title, ReportTable.workloads, rows).markup),
            ])
    }

    private static func details(_ title: String, _ content: Markup) -> Markup {
        .element("details", [.element("summary", title), content])
    }

    private static func figures(_ content: ReportContent) -> [Markup] {
        let rows = content.run.figures.map { HTMLTable.Row(ReportTable.cells($0)) }
        return rows.isEmpty ? [] : [HTMLTable("Figures", ReportTable.figures, rows).markup]
    }

    private static func growth(_ content: ReportContent) -> [Markup] {
        guard let growth = content.growth else { return [] }
        let tooFast = growth.tooFast.map(\.name)
        let verdict =
            tooFast.isEmpty
            ? "Nothing grows faster than its work."
            : "Faster than their work grow: \(tooFast.joined(separator: "; "))."
        let note = content.hasSeveralMachines ? " The sizes were measured on several machines." : ""
        let cards = WorkloadGroup.all(of: content.run).enumerated().compactMap { index, group in
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

    private static func workloads(_ run: BenchmarkRun) -> [Markup] {
        guard !run.workloads.isEmpty else { return [.element("p", "There are none in this run.")] }
        let rows = run.workloads.map { HTMLTable.Row(ReportTable.cells($0, run)) }
        return [details("Table", HTMLTable("All workloads", ReportTable.workloads, rows).markup)]
    }
}
