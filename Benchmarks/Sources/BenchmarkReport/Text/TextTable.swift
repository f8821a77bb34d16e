/// A plain-text table; all columns except the first are right-aligned.
struct TextTable {
    private var rows: [[String]]

    init(_ titles: [String]) {
        rows = [titles]
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = (rows.first ?? []).indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + space : space + cell.0
            }
            return cells.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
