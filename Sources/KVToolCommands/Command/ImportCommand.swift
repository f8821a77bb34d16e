internal import ArgumentParser
internal import DocumentStore
package import KVToolCore

/// `kvtool import DATABASE FILE…`
struct ImportCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports documents from JSON lines, arrays, single documents or CSV.",
        discussion: """
            Examples:
              kvtool import people.cblite2 people.ndjson
              kvtool import people.cblite2 *.json
              kvtool import people.cblite2 documents/
              kvtool import people.cblite2 people.csv --id email --mode insert
              kvtool import people.cblite2 excel.csv --delimiter ';' --encoding windows-1252
              zcat people.ndjson.gz | kvtool import people.cblite2 -

            A file has one JSON object per line, or is one array of objects. NAME.json with a \
            single object is the document NAME, and a directory contains such files. NAME.csv and \
            NAME.tsv have values with column names in the first line; unquoted numbers, true, \
            false and null are not strings. A file with another extension requires --format. The \
            ID is the property `_id`; a document without it gets a new one. An existing document \
            is overwritten, and the report states how many were. The database is created if it \
            does not exist; if its name does not end with .cblite2, only with --create or after \
            confirmation.

            Files are UTF-8. Invalid bytes end the import and are reported with line and column, \
            unless --encoding names the encoding: any that ICU supports.

            An error in a file ends the import. The documents before it are in the database, and \
            --from-line continues once the error is fixed; the same holds after Ctrl-C. A new \
            database is removed if nothing was imported.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(help: "Files to import; - is standard input.", completion: .file())
    var files: [String]
    @OptionGroup var reading: ReadingArguments
    @OptionGroup var creation: CreationArguments
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Start at this line of the first file.", valueName: "n"))
    var fromLine = 1
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Skip this many documents first.", valueName: "n"))
    var offset = 0
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit: Int?
    @Option(
        help: ArgumentHelp(
            "Handling of errors: stop, or skip and count them (exit status 7).",
            valueName: "what"))
    var onError = ImportOptions.OnError.stop
    @Option(
        help: ArgumentHelp(
            "Write invalid records to this file, and skip them.", valueName: "file"),
        completion: .file())
    var errorLog: String?
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be imported, and import nothing.")
    var isDry = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        guard fromLine >= 1 else { throw ValidationError("--from-line takes 1 or more") }
        try requireNotNegative("--offset", offset)
        try requireNotNegative("--limit", limit)
        if files.isEmpty { throw ValidationError("a file is required") }
    }

    func run() async throws {
        var options = try reading.options(for: location.named())
        options.fromLine = fromLine
        options.offset = offset
        options.limit = limit ?? .max
        options.onError = errorLog == nil ? onError : .skip
        options.errorLog = errorLog
        if isDry {
            options.isDry = true
            // What occurs twice is seen within a transaction.
            options.batch = .max
        }
        try ImportRun(
            files: files, opening: reading.opening, options: options, output: output,
            creates: creation.create
        ).run(location.database, upgrades: upgrade.upgrade)
    }
}

extension ImportOptions.Mode: ExpressibleByArgument {}
extension ImportOptions.OnError: ExpressibleByArgument {}
extension SourceFormat: ExpressibleByArgument {}

extension Delimiter: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// How documents are read and stored, for `import` and `cp`.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Format of the files: auto, lines, array, document, csv or tsv.",
            valueName: "format"))
    var format = SourceFormat.auto
    @Flag(help: "Read JSON5.") var json5 = false
    @Flag(help: "Read all CSV values as strings.") var text = false
    @Option(
        help: ArgumentHelp(
            "Separator of CSV values: one character, or tab.",
            valueName: "character"))
    var delimiter: Delimiter?
    @Option(
        help: ArgumentHelp(
            "Encoding of the files, such as latin1, windows-1252, utf-16 or shift_jis.",
            valueName: "name"))
    var encoding: String?
    @Option(
        name: [.customLong("id"), .customLong("jsonid")],
        help: ArgumentHelp(
            "Use this property as ID, such as customer.number; uuid for new IDs.",
            valueName: "path"))
    var id: String?
    @Option(
        name: [.customLong("id-prefix"), .customLong("idprefix")],
        help: ArgumentHelp("Prefix for each ID.", valueName: "text"))
    var prefix = ""
    @Option(
        help: ArgumentHelp(
            "What to do if a document exists: replace, insert (report an error), merge or "
                + "skip.", valueName: "what"))
    var mode = ImportOptions.Mode.replace
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Documents per transaction.", valueName: "n")
    )
    var batch = 10_000

    func validate() throws {
        guard (1...1_000_000).contains(batch) else {
            throw ValidationError("--batch takes 1 to 1000000")
        }
        if delimiter != nil, ![.auto, .csv, .tsv].contains(format) {
            throw ValidationError("--delimiter is for CSV files, not --format \(format.rawValue)")
        }
        do {
            _ = try TextDecoder.needed(encoding).map { try TextDecoder($0) }
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
    }

    var opening: SourceOpening {
        SourceOpening(
            format: format, keepsStrings: text, delimiter: delimiter?.byte,
            encoding: TextDecoder.needed(encoding))
    }

    func options(for collection: DocumentCollection) -> ImportOptions {
        var options = ImportOptions(collection: collection)
        options.mode = mode
        options.prefix = prefix
        options.batch = batch
        options.isJSON5 = json5
        switch id {
        case nil, "_id": break
        case "uuid", "": options.identity = .new
        case let path?:
            options.identity = .property(path.split(separator: ".").map(String.init))
        }
        return options
    }
}

/// An import of several files, and its report.
struct ImportRun {
    let files: [String]
    let opening: SourceOpening
    let options: ImportOptions
    let output: OutputArguments
    /// Whether to create a database of any name without confirmation.
    var creates = true
    /// Whether to create the collection in a new database.
    var makesCollection = false

    /// The duration from which the report states how long the import took.
    private static let longSeconds = 5.0

    func run(_ arguments: DatabaseArguments, upgrades: Bool) throws {
        let began = System.nanoseconds
        // Open the first file before creating a database.
        let first = try opening.open(files[0])
        let newDatabase = NewDatabase(arguments.path)
        guard !(options.isDry && newDatabase.isNew) else {
            throw ToolError(
                "\(Text.line(arguments.path)) does not exist, and --dry-run creates nothing",
                status: .notFound)
        }
        if !creates { try newDatabase.requireName() }
        if !(newDatabase.isNew && makesCollection) { try requireLocation(arguments.path) }
        let log = try options.errorLog.map { try ErrorLog(path: $0) }
        let database = try newDatabase.opening { try arguments.open(.create, upgrades: upgrades) }
        let counts = try newDatabase.filling(database) {
            if newDatabase.isNew, makesCollection {
                try database.write { try options.collection.create(in: $0) }
            }
            return try fill(database, first, log)
        }
        database.close()
        try report(counts, database.path, Double(System.nanoseconds - began) / 1e9)
        if counts.failed > 0 { throw ReportedFailure(status: .partial) }
    }

    private func fill(
        _ database: DataFile, _ first: any DocumentSource, _ log: ErrorLog?
    ) throws -> ImportCounts {
        var first: (any DocumentSource)? = first
        var counts = ImportCounts()
        for (index, file) in files.enumerated() where counts.total < options.limit {
            var importer = Importer(
                try first ?? opening.open(file), options: options, after: counts,
                isFirstFile: index == 0, log: log)
            first = nil
            try importer.run(database)
            counts = importer.counts
        }
        return counts
    }

    /// A new database has only the default collection: import does not create others.
    private func requireLocation(_ path: String) throws {
        guard options.collection.name != .default else { return }
        guard !System.entry(path + "/db.sqlite3").isNothing else {
            throw ToolError(
                "\(path) does not exist, and a new database has no collection "
                    + "\(options.collection.name)", status: .notFound)
        }
    }

    private func report(_ counts: ImportCounts, _ path: String, _ seconds: Double) throws {
        guard output.isForPeople else { return try reportToPrograms(counts, path, seconds) }
        let verb = options.isDry ? "Would have imported" : "Imported"
        var text = "\(verb) \(Text.count(counts.imported, "document")) into \(Text.line(path))"
        if counts.imported > 0 { text += ": \(counts.words(isMerged: options.mode == .merge))" }
        if seconds >= Self.longSeconds {
            let rate = Int(Double(counts.imported) / seconds)
            text += " in \(Text.duration(seconds: seconds)), \(rate)/s"
        }
        if counts.skipped > 0 { text += "; \(counts.skipped) existed already" }
        if counts.failed > 0 { text += "; \(counts.failed) could not be imported" }
        try StandardOutput.current.write(text + "\n")
    }

    private func reportToPrograms(
        _ counts: ImportCounts, _ path: String, _ seconds: Double
    ) throws {
        var rows = RowOutput(
            "import", list: "imports",
            [
                Column("database", "Database"), Column("collection", "Collection"),
                Column("imported", "Imported"), Column("new", "New"),
                Column("overwritten", "Overwritten"), Column("skipped", "Skipped"),
                Column("failed", "Failed"), Column("seconds", "Seconds"),
            ], output)
        try rows.add([
            .text(path), .text(options.collection.name.description), .number(counts.imported),
            .number(counts.new), .number(counts.overwritten), .number(counts.skipped),
            .number(counts.failed),
            .decimal((seconds * 1000).rounded() / 1000),
        ])
        try rows.finish()
    }
}
