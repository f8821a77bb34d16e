internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool export DATABASE [FILE]`
struct ExportCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports the documents of a collection as JSON lines, array, files or CSV.",
        discussion: """
            Examples:
              kvtool export people.cblite2 > people.ndjson
              kvtool export people.cblite2 people.csv --where 'age > 30'
              kvtool export people.cblite2 documents/
              kvtool export people.cblite2 --id 'person-00*' --with-meta
              kvtool export people.cblite2 --since 1200
              kvtool export people.cblite2//hr.staff staff.json

            The ID comes first, as `_id`. FILE.json contains one array, FILE.ndjson and FILE.jsonl \
            a document per line, FILE.csv and FILE.tsv values; other file names require --array, \
            --ndjson, --csv or --tsv. A name that ends with / is a directory, which gets a file \
            ID.json for each document. A document is exported if it matches all of --id, \
            --ids-from, --where and --since. `kvtool import` reads all of these formats but not \
            --json, which writes one object with the array as its property documents, like other \
            commands. The command exports one collection; `kvtool dump` writes all collections to \
            one stream, with revisions, blobs and indexes.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The file, or a directory ending with / (default: standard output).",
        completion: .file())
    var file: String?
    @Option(
        name: .customLong("id"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Include only this ID; * and ? are wildcards; repeatable.", valueName: "id"))
    var ids: [String] = []
    @Option(
        name: .customLong("ids-from"),
        help: ArgumentHelp(
            "Include only the IDs in this file, one per line; - is standard input.",
            valueName: "file"),
        completion: .file())
    var idsFrom: String?
    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var condition: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Include only changes after this sequence.", valueName: "sequence"))
    var since: Int64?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit: Int?
    @Flag(
        name: [.customLong("with-meta"), .customLong("meta")],
        help: "Include revision, sequence, flags and expiration.")
    var withMetadata = false
    @Flag(help: "Include deleted documents; implies --with-meta.") var deleted = false
    @Flag(help: "Write one array instead of lines.") var array = false
    @Option(
        help: ArgumentHelp(
            "Separator of CSV values: one character, or tab.",
            valueName: "character"))
    var delimiter: Delimiter?
    @Flag(name: .customLong("force"), help: "Overwrite an existing file.") var force = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
        try requireNotNegative("--since", since)
        guard !ids.contains("") else { throw ValidationError(SelectionArguments.emptyID) }
    }

    func run() async throws {
        var exporter = Exporter(collection: try location.named())
        exporter.selection = try selection()
        exporter.since = since
        exporter.limit = limit ?? .max
        exporter.includesDeleted = deleted
        exporter.withMetadata = withMetadata || deleted
        let form: ExportFormat.Form? =
            array ? .array : ExportFormat.Form(output.given, output.format, file)
        let format = try ExportFormat(path: file, form, delimiter: delimiter?.byte)
        try await ExportJob(exporter: exporter, format: format, replaces: force)
            .run(location.database)
    }

    private var namesDocuments: Bool {
        !ids.isEmpty || idsFrom != nil || location.database.address.id != nil
    }

    /// Nil for all documents.
    private func selection() throws -> DocumentSelection? {
        guard namesDocuments || condition != nil else { return nil }
        return try DocumentSelection(
            names: [location.database.address.id].compactMap(\.self) + ids, file: idsFrom,
            condition: condition)
    }
}

/// The format and destination of an export.
enum ExportFormat: Sendable {
    case lines(String?)
    case array(String?)
    /// An object with the array in it.
    case object(String?)
    case directory(String)
    case values(String?, separator: UInt8)

    /// The formats that an option can select.
    enum Form {
        case lines, array, object, csv, tsv

        /// Nil if neither an option nor the session's format applies; the latter does not apply to
        /// a file whose name determines the format.
        init?(_ given: OutputFormat?, _ session: OutputFormat?, _ path: String?) {
            let isKnown = path.flatMap { FileEnding($0) } != nil
            switch given ?? (isKnown ? nil : session) {
            case .json: self = .object
            case .ndjson: self = .lines
            case .csv: self = .csv
            case .tsv: self = .tsv
            case nil: return nil
            }
        }
    }

    /// Chooses the format by the option, or else by the file's name.
    ///
    /// Throws if neither determines the format.
    init(path: String?, _ form: Form? = nil, delimiter: UInt8? = nil) throws {
        if let path, path.hasSuffix("/") || System.entry(path) == .directory {
            self = .directory(path)
            return
        }
        switch try form ?? Self.form(ofName: path, hasDelimiter: delimiter != nil) {
        case .lines: self = .lines(path)
        case .array: self = .array(path)
        case .object: self = .object(path)
        case .csv: self = .values(path, separator: delimiter ?? CSV.comma)
        case .tsv: self = .values(path, separator: delimiter ?? CSV.tab)
        }
        if delimiter == nil { return }
        guard case .values = self else {
            throw ToolError("--delimiter is for CSV; add --csv", status: .usage)
        }
    }

    private static func form(ofName path: String?, hasDelimiter: Bool) throws -> Form {
        guard let path, let ending = FileEnding(path) else { return hasDelimiter ? .csv : .lines }
        switch ending {
        case .json: return .array
        case .lines: return .lines
        case .csv: return .csv
        case .tsv: return .tsv
        case .unknown(let text):
            if hasDelimiter { return .csv }
            // The name of a pipe or device does not indicate a format.
            guard System.entry(path) != .other else { return .lines }
            try OutputDestination.requireOutsideOfDatabases(path)
            throw FileEnding.unknown(
                text, path, "choose one with --array, --ndjson, --csv or --tsv")
        }
    }

    /// The file that documents go to, nil for standard output.
    var path: String? {
        switch self {
        case .lines(let path), .array(let path), .object(let path), .values(let path, _):
            path == "-" ? nil : path
        case .directory(let path): path
        }
    }
}

/// An export and its report.
struct ExportJob: Sendable {
    let exporter: Exporter
    let format: ExportFormat
    let replaces: Bool
    /// Whether to print the number of documents after an export to a file.
    var tells = true

    @discardableResult
    func run(_ arguments: DatabaseArguments) async throws -> Int {
        let result = try await arguments.read { file, snapshot in
            // A collection that does not exist must not leave an empty file behind.
            guard try exporter.collection.exists(in: snapshot) else {
                throw StoreError(
                    .notFound, "\(file.path) has no collection \(exporter.collection.name)")
            }
            var sink = try sink(snapshot)
            let result = try exporter.run(snapshot, into: &sink)
            try sink.finish()
            return result
        }
        if tells, let path = format.path {
            try StandardOutput.current.write(
                "Exported \(Text.count(result.count, "document")) to \(Text.line(path))\n")
        }
        if result.damaged > 0 {
            StandardError.current.writeAboutSubject(
                "\(Text.count(result.damaged, "damaged document")) skipped; list them with "
                    + "kvtool verify")
        }
        if result.hasMetDamage { try UnreadableBodies.report() }
        guard result.damaged == 0 else { throw ReportedFailure(status: .damaged) }
        guard result.missing == 0 else {
            throw ReportedFailure(status: MissingDocument.status(found: result.count))
        }
        return result.count
    }

    private func sink(_ snapshot: Snapshot) throws -> any DocumentSink {
        switch format {
        case .lines(let path):
            return LineSink(output: try ByteOutput(path: path, replaces: replaces))
        case .array(let path):
            return ArraySink(output: try ByteOutput(path: path, replaces: replaces))
        case .object(let path):
            var header = JSONObject()
            header.add("schema", OutputSchema.name("export"))
            header.add("collection", exporter.collection.name.description)
            return ArraySink(
                output: try ByteOutput(path: path, replaces: replaces), header: header)
        case .directory(let path): return try DirectorySink(path, replaces: replaces)
        case .values(let path, let separator):
            let output = try ByteOutput(path: path, replaces: replaces)
            return try CSVSink(output: output, columns: columns(snapshot), separator: separator)
        }
    }

    /// Returns the names of all properties, collected in a first pass over the documents.
    private func columns(_ snapshot: Snapshot) throws -> [String] {
        var first = exporter
        first.isQuiet = true
        first.reportsEvery = nil
        var names: any DocumentSink = PropertyNames()
        _ = try first.run(snapshot, into: &names)
        let found = (names as? PropertyNames)?.names ?? []
        return ["_id"] + found.filter { $0 != "_id" }
    }
}
