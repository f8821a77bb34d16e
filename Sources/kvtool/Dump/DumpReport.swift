internal import DocumentStore

/// What `dump` and `load` have done.
struct DumpReport: OneReport {
    /// The name of the command.
    let schema: String
    let database: String
    /// The file with the dump.
    let file: String
    let rowCount: Int
    let blobCount: Int
    let seconds: Double
    /// Of a load: whether nothing was written.
    var isDry: Bool?
    /// Of a load: the line that an earlier one had come to, 0 for none.
    var resumedAfterLine: Int?
    /// Of a load: the indexes that could not be made.
    var leftOut: [String]?
    /// For people.
    let text: String

    let columns = [
        Column("database", "Database"), Column("file", "File"),
        Column("rows", "Rows", isNumber: true), Column("blobs", "Blobs", isNumber: true),
        Column("seconds", "Seconds", isNumber: true),
    ]

    var rows: [[Cell]] {
        [
            [
                .text(database), .text(file), .number(rowCount), .number(blobCount),
                .decimal((seconds * 1000).rounded() / 1000),
            ]
        ]
    }

    var properties: JSONObject {
        var object = JSONObject()
        for (column, cell) in zip(columns, rows[0]) { cell.add(to: &object, as: column.field) }
        object.add("dryRun", isDry)
        object.add("resumedAfterLine", resumedAfterLine)
        if let leftOut { object.add("leftOut", leftOut) }
        return object
    }

    func writeText() throws { try StandardOutput.write(text + "\n") }
}
