/// A table whose columns are as wide as the first rows need; later rows stream through.
struct Table {
    /// A column's heading and the side that its cells lean to.
    struct Column {
        let heading: String
        var isNumber = false
    }

    private let columns: [Column]
    private var waiting: [[String]] = []
    private var widths: [Int]?

    /// Rows that are looked at before the widths are settled.
    private static let sample = 1000

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Adds a row, with a cell for each column.
    mutating func add(_ row: [String]) throws {
        guard widths == nil else { return try write(row) }
        waiting.append(row)
        if waiting.count == Self.sample { try settle() }
    }

    /// Writes what is left; nothing at all, not even headings, if there was no row.
    mutating func finish() throws {
        if widths == nil, !waiting.isEmpty { try settle() }
    }

    private mutating func settle() throws {
        let headings = columns.map(\.heading)
        widths = columns.indices.map { index in
            ([headings] + waiting).map { $0[index].count }.max() ?? 0
        }
        try write(headings)
        for row in waiting { try write(row) }
        waiting = []
    }

    private func write(_ row: [String]) throws {
        let cells = row.indices.map { index -> String in
            let gap = String(
                repeating: " ", count: max(0, (widths?[index] ?? 0) - row[index].count))
            return columns[index].isNumber ? gap + row[index] : row[index] + gap
        }
        var line = cells.joined(separator: "  ")
        while line.hasSuffix(" ") { line.removeLast() }
        try StandardOutput.write(line + "\n")
    }
}
