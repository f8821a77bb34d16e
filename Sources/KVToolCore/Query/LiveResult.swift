package import DocumentStore

/// Shows the successive results of a live query.
///
/// In console output each result is a table, with `--json` an object; with `--ndjson` there is a
/// line for each row that changed:
///
///     {"change":"inserted","position":0,"id":"ada","row":{…}}
///
/// The rows of the first result are inserted rows. Positions of removed rows are those before the
/// change, all others those after it.
package struct LiveResult {
    private let arguments: OutputArguments
    private let raw: ResultOutput.RawForm?

    package init(_ arguments: OutputArguments, raw: ResultOutput.RawForm?) {
        self.arguments = arguments
        self.raw = raw
    }

    /// Shows a result immediately.
    package func show(_ results: QueryResults) throws {
        if arguments.format == .ndjson, raw == nil {
            try showDifference(results)
        } else {
            try showAll(results)
        }
        try StandardOutput.current.flush()
    }

    private func showAll(_ results: QueryResults) throws {
        if arguments.isForPeople, raw == nil {
            let now = Text.date(milliseconds: System.milliseconds)
            try StandardOutput.current.write(
                Colour.dim("-- \(Text.count(results.count, "row")), \(now)"))
            try StandardOutput.current.write("\n")
            if results.isEmpty { return }
        }
        var output = ResultOutput("query", results.columnNames, arguments, raw: raw)
        for row in results { try output.add(row.cells()) }
        try output.finish()
    }

    private func showDifference(_ results: QueryResults) throws {
        let fields = ResultOutput.distinct(results.columnNames)
        guard let difference = results.difference else {
            for (position, row) in results.enumerated() {
                try write("inserted", position, results.id(at: position), row, fields)
            }
            return
        }
        let entries = [
            ("removed", difference.removed), ("inserted", difference.inserted),
            ("updated", difference.updated), ("moved", difference.moved),
        ]
        for (change, entries) in entries {
            for entry in entries {
                try write(change, entry.position, entry.id, entry.row, fields)
            }
        }
    }

    private func write(
        _ change: String, _ position: Int, _ id: String?, _ row: ResultRow, _ fields: [String]
    ) throws {
        var values = JSONObject()
        for (field, cell) in zip(fields, try row.cells()) { cell.add(to: &values, as: field) }
        var object = JSONObject()
        object.add("change", change)
        object.add("position", position)
        object.add("id", id)
        object.add("row", values.finished())
        try StandardOutput.current.write(object.finished().utf8 + [0x0A])
    }
}
