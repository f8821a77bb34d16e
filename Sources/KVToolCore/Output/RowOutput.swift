internal import DocumentStore

/// Writes the rows of a command in the requested format, as they arrive.
///
/// Console output is a table, or a line per row. The formats for programs are
///
///     --json    {"schema":"kvtool.ls/1", HEADER…, "documents":[{…},{…}], TRAILER…}
///     --ndjson  {…}
///     --csv     id,revision,…
package struct RowOutput {
    /// The console output of rows.
    package enum Presentation {
        case table
        /// A line, which must be safe for a terminal: built from `Cell.forPeople` or `Text.line`.
        case lines((_ row: [Cell]) -> String)
    }

    private let schema: String
    private let list: String
    private let columns: [Column]
    private let header: JSONObject
    private let presentation: Presentation
    private let empty: String?
    private let format: OutputFormat?
    private var table: Table
    private let hint: String?
    private var hasStarted = false
    /// The number of rows.
    package private(set) var count = 0

    /// - Parameters:
    ///   - schema: the name of the command, as in `kvtool.ls/1`.
    ///   - list: the property of the JSON object that contains the rows.
    ///   - header: properties of the JSON object before the rows.
    ///   - empty: the message on standard error in console output if there are no rows.
    ///   - hint: how to show truncated cells, at a terminal.
    package init(
        _ schema: String, list: String, _ columns: [Column], _ arguments: OutputArguments,
        header: JSONObject = JSONObject(), presentation: Presentation = .table,
        empty: String? = nil, hint: String? = nil
    ) {
        self.schema = OutputSchema.name(schema)
        self.list = list
        self.columns = columns
        self.header = header
        self.presentation = presentation
        self.empty = empty
        self.hint = hint
        format = arguments.format
        table = Table(columns, asLines: OutputStyle.current.showsLines)
    }

    /// Writes a row, which has a cell for each column.
    package mutating func add(_ row: [Cell]) throws {
        precondition(row.count == columns.count, "a row has a cell for each column")
        try begin()
        switch format {
        case nil: try addForPeople(row)
        case .json:
            try StandardOutput.current.write(count > 0 ? ",\n" : "\n")
            try StandardOutput.current.write(JSONColours.coloured(object(row).utf8))
        case .ndjson:
            try StandardOutput.current.write(JSONColours.coloured(object(row).utf8) + [0x0A])
        case .csv: try writeValues(row.map(\.plain), CSV.comma)
        case .tsv: try writeValues(row.map(\.plain), CSV.tab)
        }
        count += 1
    }

    /// Writes the end of the output: of the JSON object, or in console output, the message for no
    /// rows.
    package mutating func finish(trailer: JSONObject = JSONObject()) throws {
        try begin()
        switch format {
        case nil:
            try table.finish()
            if table.wasCut, let hint = hint ?? OutputDefaults.current.cutHint {
                StandardOutput.current.note("(… marks truncated text; \(hint))")
            }
            if count == 0, let empty { StandardError.current.writeUnprefixed(empty) }
        case .json:
            let properties = trailer.properties
            let rest = properties.isEmpty ? "" : "," + String(decoding: properties, as: UTF8.self)
            try StandardOutput.current.write("\n]\(rest)}\n")
        case .ndjson, .csv, .tsv: break
        }
    }

    /// Writes the rows so far, for commands that wait for more.
    mutating func showNow() throws {
        if format == nil { try table.flush() }
        try StandardOutput.current.flush()
    }

    private mutating func begin() throws {
        guard !hasStarted else { return }
        hasStarted = true
        switch format {
        case .json:
            var object = JSONObject()
            object.add("schema", schema)
            object.add(propertiesOf: header)
            try StandardOutput.current.write(object.open + Array(",\"\(list)\":[".utf8))
        case .csv: try writeValues(columns.map(\.field), CSV.comma)
        case .tsv: try writeValues(columns.map(\.field), CSV.tab)
        case nil, .ndjson: break
        }
    }

    private mutating func addForPeople(_ row: [Cell]) throws {
        switch presentation {
        case .table: try table.add(row.map(\.forPeople))
        case .lines(let line): try StandardOutput.current.write(line(row) + "\n")
        }
    }

    private func object(_ row: [Cell]) -> JSONText {
        var object = JSONObject()
        for (column, cell) in zip(columns, row) { cell.add(to: &object, as: column.field) }
        return object.finished()
    }

    private func writeValues(_ values: [String], _ separator: UInt8) throws {
        try StandardOutput.current.writeData(CSV.line(values, separator))
    }
}

/// Comma-separated (RFC 4180) or tab-separated values.
package enum CSV {
    package static let comma = UInt8(ascii: ",")
    package static let tab = UInt8(ascii: "\t")

    /// A line with its line ending. Values with a separator, a quote or a line ending are quoted.
    package static func line(_ values: [String], _ separator: UInt8) -> [UInt8] {
        var line: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { line.append(separator) }
            append(value, separator, to: &line)
        }
        line.append(0x0A)
        return line
    }

    private static func append(_ value: String, _ separator: UInt8, to line: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let isPlain = value.utf8.allSatisfy {
            $0 != separator && $0 != quote && $0 != 0x0A && $0 != 0x0D
        }
        guard !isPlain else { return line.append(contentsOf: value.utf8) }
        line.append(quote)
        for byte in value.utf8 {
            if byte == quote { line.append(quote) }
            line.append(byte)
        }
        line.append(quote)
    }
}
