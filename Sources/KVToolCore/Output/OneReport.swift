package import DocumentStore

/// What a command tells of one thing, as opposed to rows: text for people, a JSON object, and for
/// files of values the list that matters most in it.
package protocol OneReport {
    /// The name of the command, as in `kvtool.info/1`.
    var schema: String { get }
    /// The properties behind `schema`.
    var properties: JSONObject { get }
    /// The columns of its main list.
    var columns: [Column] { get }
    /// The rows of its main list.
    var rows: [[Cell]] { get }

    /// Writes it for people.
    func writeText() throws
}

extension OneReport {
    /// Writes it in the form that was asked for.
    package func write(_ output: OutputArguments) throws {
        switch output.format {
        case nil: try writeText()
        case .json, .ndjson:
            var object = JSONObject()
            object.add("schema", "kvtool.\(schema)/1")
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

    /// Writes rows as a table for people.
    package static func writeTable(_ columns: [Column], _ rows: [[Cell]]) throws {
        var table = Table(columns, asLines: OutputStyle.current.showsLines)
        for row in rows { try table.add(row.map(\.forPeople)) }
        try table.finish()
    }
}

/// The headings and values at the beginning of a report.
package enum Headings {
    /// A terminal that has fewer cells for the values has them right behind the headings.
    private static let narrowest = 20

    /// Writes a line for each pair, the values one below the other; on a terminal several lines
    /// for what does not fit.
    package static func write(_ pairs: [(String, String)]) throws {
        let columns = System.terminalSize(StandardOutput.current.descriptor)?.columns
        for line in lines(pairs, columns) { try StandardOutput.current.write(line + "\n") }
    }

    /// - Parameter columns: those of the terminal, nil for none.
    static func lines(_ pairs: [(String, String)], _ columns: Int?) -> [String] {
        let width = pairs.map { DisplayWidth.cells($0.0) + 1 }.max() ?? 0
        let room = columns.map { $0 - width - 1 } ?? .max
        return pairs.flatMap { heading, value in
            let label = heading.isEmpty ? "" : heading + ":"
            guard room >= narrowest else {
                let text = label.isEmpty ? value : "\(label) \(value)"
                return LineWrapping.lines(text, columns ?? .max)
            }
            return LineWrapping.lines(value, room).enumerated().map { index, part in
                "\(DisplayWidth.padded(index == 0 ? label : "", width)) \(part)"
            }
        }
    }
}

/// Breaks text into lines that fit a terminal.
package enum LineWrapping {
    /// The text in lines of at most so many cells, broken at spaces.
    ///
    /// A word that is longer stands alone, whole: terminals go on in the next line, and what is
    /// copied there stays a path.
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
