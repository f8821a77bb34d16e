extension Comparison {
    /// A table, the workloads that are only in one run, and a summary, for a terminal.
    public var text: String {
        let parts = [
            notes.map { "Note: \($0)." }.joined(separator: "\n"),
            table(rows.filter { !$0.waitsForDisk }), durable, figures.isEmpty ? "" : figureTable,
            list("Only before", onlyBefore), list("Only now", onlyAfter), summary,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The workloads that wait for a disk, by wall-clock time.
    private var durable: String {
        let table = table(rows.filter(\.waitsForDisk))
        return table.isEmpty ? "" : "On a disk, by the clock:\n" + table
    }

    private func table(_ rows: [Row]) -> String {
        if rows.isEmpty { return "" }
        var table = TextTable([
            "workload", "ratio before", "now", "change", "time before", "now", "change", "verdict",
        ])
        for row in rows {
            let unit = { FigureText.duration($0) }
            table.add(
                [row.name] + Self.cells(row.ratio, FigureText.ratio) + Self.cells(row.time, unit)
                    + [row.change.rawValue])
        }
        return table.text
    }

    private var figureTable: String {
        var table = TextTable(["figure", "before", "now", "change"])
        for row in figures {
            let text = Figure(name: row.name, unit: row.unit, rounds: []).text
            table.add([row.name] + Self.cells(row.value, text))
        }
        return table.text
    }

    private static func cells(_ pair: Pair?, _ text: (Double) -> String) -> [String] {
        guard let pair else { return ["", "", ""] }
        return [text(pair.before), text(pair.after), FigureText.change(pair.factor)]
    }

    private func list(_ title: String, _ names: [String]) -> String {
        names.isEmpty ? "" : ([title + ":"] + names.map { "  " + $0 }).joined(separator: "\n")
    }

    private var summary: String {
        guard !rows.isEmpty else { return "There is no workload in both." }
        let counts = Change.allCases.map { ($0.rawValue, rows($0).count) }.filter { $1 > 0 }
        var lines = [
            "\(rows.count) workloads: "
                + counts.map { "\($1) \($0)" }.joined(separator: ", ") + "."
        ]
        if let meanFactor {
            lines.append(
                "Ratio to the baseline, this project's workloads: \(FigureText.change(meanFactor)) "
                    + "(geometric mean).")
        }
        if let meanFactorOfBaselines {
            lines.append(
                "Times of the baselines: \(FigureText.change(meanFactorOfBaselines)); that is the "
                    + "machine, not the code.")
        }
        if !rows(.slower).isEmpty || !rows(.faster).isEmpty {
            lines.append(
                "Faster and slower: the ranges of the rounds do not overlap; without a cause this "
                    + "happens for \(FigureText.number(chance * 100, digits: 2)) % of workloads.")
        }
        return lines.joined(separator: "\n")
    }
}
