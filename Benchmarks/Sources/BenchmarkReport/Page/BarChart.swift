/// The members of a group as bars: the ratio of each to the baseline's time, with the range of the
/// rounds as a thin line.
///
/// Widths are percentages, so that text keeps its size on a phone.
struct BarChart {
    private struct Bar {
        let label: String
        let value: String
        let role: WorkloadResult.Role
        let ratio: Double
        let range: (low: Double, high: Double)
    }

    private let title: String
    private let id: String
    private let bars: [Bar]

    /// Nil if no member has a ratio to the baseline.
    init?(_ group: WorkloadGroup, in run: BenchmarkRun, id: String) {
        title = group.title
        self.id = id
        bars = group.members.enumerated().compactMap { index, member in
            let ratios = index == 0 ? [1] : run.ratios(of: member)
            guard let ratios, let middle = ratios.middle, let range = ratios.range else {
                return nil
            }
            let time = member.text(member.judged.median)
            let ratio = index == 0 ? "" : FigureText.ratio(middle) + " ×, "
            return Bar(
                label: group.label(member) + (index == 0 ? ": the baseline" : ""),
                value: ratio + time, role: member.role, ratio: middle, range: range)
        }
        if bars.count < 2 { return nil }
    }

    /// The height of one bar and its parts, in pixels.
    private enum Height {
        static let bar = 12.0
        static let label = 15.0
        static let row = 38.0
    }
    /// The longest bar's share of the width, in percent: its value is written to the right of it.
    private static let span = 60.0

    var markup: Markup {
        let most = bars.map { max($0.ratio, $0.range.high) }.max() ?? 1
        let height = Height.row * Double(bars.count)
        let baseline = Self.percent(1 / most)
        let line = Markup.empty(
            "line", ["x1": baseline, "x2": baseline, "y1": "0", "y2": "\(height)", "class": "one"])
        let (name, text) = ("\(id)-t", "\(id)-d")
        return .element(
            "svg",
            [
                "class": "bars", "role": "img", "width": "100%", "height": "\(height)",
                "aria-labelledby": "\(name) \(text)",
            ],
            [
                .element("title", ["id": name], "\(title): ratios to the baseline"),
                .element(
                    "desc", ["id": text],
                    bars.map { "\($0.label): \($0.value)" }.joined(separator: "; ")),
                line,
            ] + bars.enumerated().flatMap { self.markup($1, row: $0, most: most) })
    }

    private func markup(_ bar: Bar, row: Int, most: Double) -> [Markup] {
        let top = Double(row) * Height.row
        let (barTop, middle) = (top + Height.label + 4, top + Height.label + 4 + Height.bar / 2)
        let end = Self.percent(max(bar.ratio, bar.range.high) / most)
        let label = Markup.element(
            "text", ["x": "0", "y": "\(top + Height.label)", "class": "name"], bar.label)
        let value = Markup.element(
            "text", ["x": end, "dx": "6", "y": "\(barTop + Height.bar - 2)", "class": "value"],
            bar.value)
        let title = Markup.element("title", "\(bar.label): \(bar.value)")
        let shape = Markup.element(
            "rect",
            [
                "x": "0", "y": "\(barTop)", "width": Self.percent(bar.ratio / most),
                "height": "\(Height.bar)", "class": bar.role.rawValue,
            ], [title])
        let (low, high) = (bar.range.low / most, bar.range.high / most)
        let range = Markup.empty(
            "line",
            [
                "x1": Self.percent(low), "x2": Self.percent(high), "y1": "\(middle)",
                "y2": "\(middle)", "class": "range",
            ])
        return [label, shape, range, value]
    }

    private static func percent(_ share: Double) -> String {
        FigureText.fixed(share * span, decimals: 2) + "%"
    }
}
