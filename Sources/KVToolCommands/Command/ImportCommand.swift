internal import ArgumentParser
internal import DocumentStore
package import KVToolCore

/// `kvtool import DATABASE FILE…`
struct ImportCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Reads documents from files: JSON lines, arrays, single documents, CSV.",
        discussion: """
            Examples:
              kvtool import people.cblite2 people.ndjson
              kvtool import people.cblite2 *.json
              kvtool import people.cblite2 documents/
              kvtool import people.cblite2 people.csv --id email --mode insert
              kvtool import people.cblite2 excel.csv --delimiter ';' --encoding windows-1252
              zcat people.ndjson.gz | kvtool import people.cblite2 -

            A file has one JSON object a line, or is one array of objects; NAME.json with a \
            single object is the document NAME, and a directory has such files; NAME.csv and \
            NAME.tsv have values, headings first, of which numbers, true, false and null are not \
            texts unless they are quoted. A file of another ending needs --format. The id is the \
            property `_id`; a document without it gets a new one. A document that is there already \
            is written over, and it is said how many were. The database is made if there is none; \
            one whose name does not end with .cblite2 only with --create, or after a question.

            Files are UTF-8. Bytes that are not end the import and are named with line and column, \
            unless --encoding says the encoding: any that ICU knows.

            An error in a file ends the import; the documents before it are in the database, \
            and --from-line goes on after it has been fixed. So it is after Ctrl-C. A database \
            that was made for it goes again if there are none.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(help: "The files; - is standard input.", completion: .file()) var files: [String]
    @OptionGroup var reading: ReadingArguments
    @OptionGroup var creation: CreationArguments
    @Option(parsing: .unconditional, help: "The number of the line of the first file to begin at.")
    var fromLine = 1
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Leave out the first documents.", valueName: "n"))
    var offset = 0
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?
    @Option(
        help: ArgumentHelp(
            "What is done with errors: stop, or skip, which counts them (exit status 7).",
            valueName: "what"))
    var onError = ImportOptions.OnError.stop
    @Option(
        help: ArgumentHelp(
            "A file that gets what cannot be taken, which is passed over.", valueName: "file"),
        completion: .file())
    var errorLog: String?
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        guard fromLine >= 1 else { throw ValidationError("--from-line takes 1 or more") }
        try requireNotNegative("--offset", offset)
        try requireNotNegative("--limit", limit)
        if files.isEmpty { throw ValidationError("no file is named") }
    }

    func run() async throws {
        var options = try reading.options(for: place.named())
        options.fromLine = fromLine
        options.offset = offset
        options.limit = limit ?? .max
        options.onError = errorLog == nil ? onError : .skip
        options.errorLog = errorLog
        try ImportRun(
            files: files, opening: reading.opening, options: options, output: output,
            creates: creation.create
        ).run(place.database, upgrades: upgrade.upgrade)
    }
}

extension ImportOptions.Mode: ExpressibleByArgument {}
extension ImportOptions.OnError: ExpressibleByArgument {}
extension SourceFormat: ExpressibleByArgument {}

extension Delimiter: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// How documents are read and what becomes of them, for `import` and `cp`.
struct ReadingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How files are written: auto, lines, array, document, csv or tsv.",
            valueName: "format"))
    var format = SourceFormat.auto
    @Flag(help: "The objects are JSON5.") var json5 = false
    @Flag(help: "Values of CSV files stay texts.") var text = false
    @Option(
        help: ArgumentHelp(
            "What stands between the values of CSV files: one character, or tab.",
            valueName: "character"))
    var delimiter: Delimiter?
    @Option(
        help: ArgumentHelp(
            "The encoding of the files, as latin1, windows-1252, utf-16 or shift_jis.",
            valueName: "name"))
    var encoding: String?
    @Option(
        name: [.customLong("id"), .customLong("jsonid")],
        help: ArgumentHelp(
            "The property that is the id, as customer.number; uuid for new ids.",
            valueName: "path"))
    var id: String?
    @Option(
        name: [.customLong("id-prefix"), .customLong("idprefix")],
        help: ArgumentHelp("What is put before each id.", valueName: "text"))
    var prefix = ""
    @Option(
        help: ArgumentHelp(
            "What is done with a document that is there: replace, insert (an error), merge or "
                + "skip.", valueName: "what"))
    var mode = ImportOptions.Mode.replace
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Documents in one transaction.", valueName: "n")
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
            format: format, keepsTexts: text, delimiter: delimiter?.byte,
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

/// An import of several files, and the words about it.
struct ImportRun {
    let files: [String]
    let opening: SourceOpening
    let options: ImportOptions
    let output: OutputArguments
    /// Whether a new database may have any name.
    var creates = true
    /// Whether a new database gets the collection.
    var makesCollection = false

    /// From so many seconds on it is said how long it took.
    private static let longSeconds = 5.0

    func run(_ arguments: DatabaseArguments, upgrades: Bool) throws {
        let began = System.nanoseconds
        // The first one, before a database is made for nothing.
        let first = try opening.open(files[0])
        let place = NewDatabase(arguments.path)
        if !creates { try place.requireName() }
        if !(place.isNew && makesCollection) { try requireLocation(arguments.path) }
        let log = try options.errorLog.map { try ErrorLog(path: $0) }
        let database = try place.opening { try arguments.open(.create, upgrades: upgrades) }
        let counts = try place.filling(database) {
            if place.isNew, makesCollection {
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

    /// A new database has the default collection only: none is made for another one.
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
        var text = "Imported \(Text.count(counts.imported, "document")) into \(Text.line(path))"
        if counts.imported > 0 { text += ": \(counts.words(isMerged: options.mode == .merge))" }
        if seconds >= Self.longSeconds {
            let rate = Int(Double(counts.imported) / seconds)
            text += " in \(Text.duration(seconds: seconds)), \(rate)/s"
        }
        if counts.skipped > 0 { text += "; \(counts.skipped) were there already" }
        if counts.failed > 0 { text += "; \(counts.failed) could not be taken" }
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
