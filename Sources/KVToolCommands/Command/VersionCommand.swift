internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SQLCore

/// `kvtool version`
struct VersionCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Shows the version, and the file formats that it reads and writes.",
        discussion: """
            Examples:
              kvtool version
              kvtool version --json

            `kvtool --version` prints only the number. A schema is the user version of the SQLite \
            file: up to 302 for Couchbase Lite 2, from 400 on for versions 3 and 4.
            """)

    @OptionGroup var output: OutputArguments

    func run() async throws { try VersionReport().write(output) }
}

/// The report of `version`.
private struct VersionReport: OneReport {
    var schema: String { "version" }

    let columns = [
        Column("versioning", "Versioning", isNumber: true), Column("form", "Revisions"),
        Column("madeBy", "Created by", isKey: true), Column("read", "Read"),
        Column("written", "Written"),
    ]

    /// The forms of revision history.
    var rows: [[Cell]] {
        [
            row(.treesInBody, "trees in bodies", "Couchbase Lite 2", isWritten: false),
            row(.treesInExtra, "trees", "Couchbase Lite 3", isWritten: true),
            row(.versionVectors, "version vectors", "Couchbase Lite 4", isWritten: true),
        ]
    }

    private func row(
        _ versioning: Versioning, _ form: String, _ maker: String, isWritten: Bool
    ) -> [Cell] {
        [
            .integer(Int64(versioning.rawValue)), .text(form), .text(maker),
            .both("yes", program: .bool(true)),
            .both(isWritten ? "yes" : "no", program: .bool(isWritten)),
        ]
    }

    func writeText() throws {
        let schemas = FileFormat.readableSchemas
        try Headings.write([
            ("Version", KVTool.version), ("SQLite", SQLContext.version),
            (
                "Schemas",
                "\(schemas.lowerBound) to \(schemas.upperBound) are read, "
                    + "\(FileFormat.writtenSchema) is written"
            ),
        ])
        try StandardOutput.current.write("\n")
        try Self.writeTable(columns, rows)
    }

    var properties: JSONObject {
        var object = JSONObject()
        object.add("version", KVTool.version)
        object.add("sqliteVersion", SQLContext.version)
        object.add("oldestSchema", FileFormat.readableSchemas.lowerBound)
        object.add("newestSchema", FileFormat.readableSchemas.upperBound)
        object.add("writtenSchema", FileFormat.writtenSchema)
        object.add("versionings", list)
        return object
    }
}
