/// A table whose column widths are determined by the first rows; later rows are streamed.
///
/// On a terminal it is fitted to the width: cells are truncated, and if that is not enough, each
/// row is written as lines `heading: cell`. Elsewhere nothing is truncated, and a very wide cell
/// overflows its column.
struct Table {
    private let columns: [Column]
    private let terminalColumns: Int?
    private let asLines: Bool
    private var waiting: [[String]] = []
    private var waitingBytes = 0
    /// Whether a cell was truncated.
    private(set) var wasCut = false
    private var layout: Layout?

    private enum Layout {
        case widths([Int], isCut: Bool)
        case lines
    }

    /// The number of rows that determine the widths.
    private static let sample = 1000
    /// The maximum size of these rows in bytes.
    private static let sampleBytes = 1 << 20
    /// The maximum width of a column if nothing is truncated.
    private static let widest = 120
    private static let gap = 2
    /// The minimum width of a truncated column.
    private static let narrowest = 6

    /// - Parameter terminalColumns: the width to fit; by default that of the terminal, if standard
    ///   output is one.
    /// - Parameter asLines: whether to write each row as lines `heading: cell`, regardless of its
    ///   width.
    init(_ columns: [Column], terminalColumns: Int?? = nil, asLines: Bool = false) {
        self.columns = columns
        self.asLines = asLines
        self.terminalColumns =
            terminalColumns ?? System.terminalSize(StandardOutput.current.descriptor)?.columns
    }

    /// Adds a row with a cell for each column. Cells have no control characters.
    mutating func add(_ row: [String]) throws {
        guard layout == nil else { return try write(row) }
        waiting.append(row)
        for cell in row { waitingBytes += cell.utf8.count }
        if waiting.count == Self.sample || waitingBytes > Self.sampleBytes { try settle() }
    }

    /// Writes the remaining rows; writes no headings if there are no rows.
    mutating func finish() throws { try flush() }

    /// Writes the rows so far, which fixes the widths.
    mutating func flush() throws {
        if layout == nil, !waiting.isEmpty { try settle() }
    }

    private mutating func settle() throws {
        let headings = columns.map(\.heading)
        let needed = columns.indices.map { index in
            ([headings] + waiting).map { DisplayWidth.cells($0[index]) }.max() ?? 0
        }
        let settled = layout(needed)
        layout = settled
        if case .widths = settled { try write(headings, isHeading: true) }
        for row in waiting { try write(row) }
        waiting = []
    }

    private func layout(_ needed: [Int]) -> Layout {
        if asLines { return .lines }
        guard let available = terminalColumns else {
            return .widths(needed.map { min($0, Self.widest) }, isCut: false)
        }
        let gaps = Self.gap * (needed.count(where: { $0 > 0 }) - 1)
        var widths = needed
        func excess() -> Int { widths.reduce(gaps, +) - available }
        // First the columns that do not identify the row, the widest first.
        for isKey in [false, true] {
            while excess() > 0, let widest = widest(widths, isKey: isKey) {
                widths[widest] = max(Self.narrowest, widths[widest] - excess())
            }
        }
        return excess() > 0 ? .lines : .widths(widths, isCut: true)
    }

    private func widest(_ widths: [Int], isKey: Bool) -> Int? {
        widths.indices.filter {
            columns[$0].isKey == isKey && !columns[$0].isNumber && widths[$0] > Self.narrowest
        }.max { widths[$0] < widths[$1] }
    }

    private mutating func write(_ row: [String], isHeading: Bool = false) throws {
        switch layout {
        case .widths(let widths, let isCut):
            let text = line(row, widths, isCut)
            try StandardOutput.current.write((isHeading ? Colour.bold(text) : text) + "\n")
        case .lines: try writeLines(row)
        case nil: break
        }
    }

    private mutating func line(_ row: [String], _ widths: [Int], _ isCut: Bool) -> String {
        var line = ""
        // A column with neither heading nor cell takes no space.
        for index in row.indices where widths[index] > 0 || !row[index].isEmpty {
            if !line.isEmpty { line += String(repeating: " ", count: Self.gap) }
            let cell = isCut ? DisplayWidth.fitted(row[index], widths[index]) : row[index]
            if isCut, cell != row[index] { wasCut = true }
            line += DisplayWidth.padded(cell, widths[index], toRight: columns[index].isNumber)
        }
        while line.utf8.last == 0x20 { line.removeLast() }
        return line
    }

    private func writeLines(_ row: [String]) throws {
        for (column, cell) in zip(columns, row) where !cell.isEmpty {
            let heading = column.heading.isEmpty ? "" : Colour.bold(column.heading) + ": "
            try StandardOutput.current.write("\(heading)\(cell)\n")
        }
        try StandardOutput.current.write("\n")
    }
}
