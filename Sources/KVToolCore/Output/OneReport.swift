package import DocumentStore

/// A report about one thing, as opposed to rows: text for the console, a JSON object, and for CSV
/// its main list.
package protocol OneReport {
    /// The name of the command, as in `kvtool.info/2`.
    var schema: String { get }
    /// The properties after `schema`.
    var properties: JSONObject { get }
    /// The columns of its main list.
    var columns: [Column] { get }
    /// The rows of its main list.
    var rows: [[Cell]] { get }

    /// Writes the console output.
    func writeText() throws
}

extension OneReport {
    /// Writes the report in the requested format.
    package func write(_ output: OutputArguments) throws {
        switch output.format {
        case nil: try writeText()
        case .json, .ndjson:
            var object = JSONObject()
            object.add("schema", OutputSchema.name(schema))
            object.add(propertiesOf: properties)
            try StandardOutput.current.write(JSONColours.coloured(object.finished().utf8) + [0x0A])
        case .csv, .tsv:
            var list = RowOutput(schema, list: "rows", columns, output)
            for row in rows { try list.add(row) }
            try list.finish()
        }
    }

    /// The main list as a JSON array of objects.
    package var list: [JSONText] { Self.list(columns, rows) }

    /// Rows as a JSON array of objects.
    static func list(_ columns: [Column], _ rows: [[Cell]]) -> [JSONText] {
        rows.map { row in
            var object = JSONObject()
            for (column, cell) in zip(columns, row) { cell.add(to: &object, as: column.field) }
            return object.finished()
        }
    }

    /// Writes rows as a table for the console.
    package static func writeTable(_ columns: [Column], _ rows: [[Cell]]) throws {
        var table = Table(columns, asLines: OutputStyle.current.showsLines)
        for row in rows { try table.add(row.map(\.forPeople)) }
        try table.finish()
    }
}

/// The headings and values at the beginning of a report.
package enum Headings {
    /// The minimum width for aligned values; on narrower terminals, values directly follow their
    /// headings.
    private static let narrowest = 20

    /// Writes a line for each pair, with aligned values. On a terminal, long values are wrapped.
    package static func write(_ pairs: [(String, String)]) throws {
        let columns = System.terminalSize(StandardOutput.current.descriptor)?.columns
        for line in lines(pairs, columns) { try StandardOutput.current.write(line + "\n") }
    }

    /// - Parameter columns: the width of the terminal; nil for none.
    static func lines(_ pairs: [(String, String)], _ columns: Int?) -> [String] {
        let width = pairs.map { DisplayWidth.cells($0.0) + 1 }.max() ?? 0
        let space = columns.map { $0 - width - 1 } ?? .max
        return pairs.flatMap { heading, value in
            let label = heading.isEmpty ? "" : heading + ":"
            guard space >= narrowest else {
                let text = label.isEmpty ? value : "\(label) \(value)"
                return LineWrapping.lines(text, columns ?? .max)
            }
            return LineWrapping.lines(value, space).enumerated().map { index, part in
                "\(DisplayWidth.padded(index == 0 ? label : "", width)) \(part)"
            }
        }
    }
}

/// Wraps text to the width of a terminal.
package enum LineWrapping {
    /// Breaks text at spaces into lines of at most a number of cells.
    ///
    /// A longer word gets its own line and is not broken: the terminal wraps it, and a copied path
    /// remains intact.
    package static func lines(_ text: String, _ cells: Int) -> [String] {
        guard DisplayWidth.cells(text) > cells else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            let width = DisplayWidth.cells(word)
            if !line.isEmpty, used + 1 + width <= cells {
                line += " \(word)"
                used += 1 + width
            } else {
                if !line.isEmpty { lines.append(line) }
                (line, used) = (String(word), width)
            }
        }
        return lines + [line]
    }
}
