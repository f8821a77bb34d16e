internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool cp SOURCE DESTINATION`
struct CopyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copies a database to a new one, to JSON or CSV files, or files into it.",
        discussion: """
            Examples:
              kvtool cp people.cblite2 copy.cblite2
              kvtool cp people.cblite2 people.json
              kvtool cp people.cblite2 documents/
              kvtool cp one.json two.json people.cblite2 --idprefix new-
              kvtool cp people.cblite2 archive.cblite2 --existing
              kvtool cp people.cblite2//hr.staff staff.cblite2

            What ends with .cblite2, .cblite, .db, .sqlite or .sqlite3 is a database, which is a \
            directory; with .json, .ndjson, .jsonl, .csv or .tsv a file of documents as import and \
            export have it; with / a directory of files ID.json. A destination with another name \
            must be there already. A copy of a database to a new one has everything in it, and \
            UUIDs of its own. With --existing, --limit, --idprefix, --collection or a source \
            DATABASE//COLLECTION it is documents without their history, and their blobs. They go \
            to the collection of the same name, unless the destination names another one; with \
            --existing the database is there and must have it, else both are made. If that fails, \
            no new database is left. Documents that are damaged are left out, with status 5; \
            blobs that are missing or damaged, with 7. --json tells what was copied; the form of \
            a file comes of its name. There is no replication.
            """)

    @Argument(help: "What is copied, then where to.", completion: .file()) var paths: [String]
    @Option(help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"))
    var collection: String?
    @OptionGroup var reading: ReadingArguments
    @Flag(name: [.customShort("x"), .long], help: "The destination must be there already.")
    var existing = false
    @Flag(help: "A copy of a database keeps its UUIDs, as a backup does.") var keepUuid = false
    @Flag(help: "The first mistake ends it; so it is anyway unless --skip-errors.")
    var careful = false
    @Flag(help: "Errors are counted and passed over.") var skipErrors = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("At most this many documents.", valueName: "n"))
    var limit: Int?
    @Flag(help: "Write over a file that is there.") var force = false
    @Flag(name: .shortAndLong, help: "Say how many documents there are, every 1000.")
    var verbose = false
    @Option(name: .customLong("timeout"), parsing: .unconditional, help: TimeoutOption.help)
    var timeoutSeconds = TimeoutOption.standardSeconds
    @OptionGroup var key: KeyArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try TimeoutOption.validate(timeoutSeconds)
        guard paths.count >= 2 else {
            throw ValidationError("a source and a destination are needed")
        }
        try requireNotNegative("--limit", limit)
        if careful, skipErrors { throw ValidationError("--careful or --skip-errors, not both") }
        guard DatabaseAddress(paths[paths.count - 1]).id == nil else {
            throw ValidationError("the destination is a database or a collection, not a document")
        }
        if paths.contains(where: { $0.hasPrefix("ws://") || $0.hasPrefix("wss://") }) {
            throw ValidationError(ReplicationAdvice.text)
        }
    }

    func run() async throws {
        let (sources, destination) = (Array(paths.dropLast()), paths[paths.count - 1])
        try requireDestination(destination)
        try requireFiles(sources)
        let isFromDatabase = sources.count == 1 && CopyEndpoint(sources[0]) == .database
        let target = CopyEndpoint(destination)
        switch (isFromDatabase, target == .database) {
        case (true, true):
            if isOfDocuments {
                try await copyDocuments(sources[0], destination)
            } else {
                try copyFile(sources[0], destination)
            }
        case (true, false):
            guard target != nil else { throw CopyEndpoint.unknown(destination) }
            try await exportFile(sources[0], destination)
        case (false, true): try importFiles(sources, destination)
        case (false, false):
            guard target != nil else { throw CopyEndpoint.unknown(destination) }
            throw ToolError(
                "neither side is a database: its name ends with .cblite2", status: .usage)
        }
    }

    private func requireDestination(_ path: String) throws {
        guard existing, System.entry(DatabaseAddress(path).path).isNothing else { return }
        throw ToolError("\(path) does not exist, but --existing says it does", status: .notFound)
    }

    /// Of several sources each is a file.
    private func requireFiles(_ sources: [String]) throws {
        guard sources.count > 1, let source = sources.first(where: { CopyEndpoint($0) == .database })
        else { return }
        throw ToolError(
            "\(Text.line(source)) is a database, or in one, and is copied alone: what is before "
                + "the destination is that, or files", status: .usage)
    }

    /// Whether something says that a database is not copied as a whole.
    private var isOfDocuments: Bool {
        if existing || limit != nil || !reading.prefix.isEmpty || collection != nil { return true }
        return paths.map(DatabaseAddress.init).contains { $0.collection != nil || $0.id != nil }
    }

    private func database(_ path: String) throws -> DatabaseArguments {
        try DatabaseArguments.naming(path, timeoutSeconds: timeoutSeconds, key)
    }

    /// The collection that an address and --collection mean, who may both name it.
    private func collection(_ address: DatabaseAddress) throws -> DocumentCollection {
        let addressed = try address.collection.map { try CollectionName(argument: $0) }
        let given = try collection.map { try CollectionName(argument: $0) }
        if let addressed, let given, addressed != given {
            throw ToolError(
                "\(Text.line(address.path))//\(addressed) and --collection \(given) are two "
                    + "collections; name one", status: .usage)
        }
        return DocumentCollection(addressed ?? given ?? .default)
    }

    /// What is copied of a database that is not copied as a whole.
    private func exporter(of arguments: DatabaseArguments) throws -> Exporter {
        var exporter = Exporter(collection: try collection(arguments.address))
        exporter.selection = try arguments.address.id.map { try DocumentSelection(names: [$0]) }
        exporter.limit = limit ?? .max
        exporter.reportsEvery = verbose ? 1000 : nil
        return exporter
    }

    private func copyFile(_ source: String, _ destination: String) throws {
        let file = try database(source).openForCopy()
        let bytes = try DatabaseCopy.run(file, to: destination, newUUIDs: !keepUuid)
        try CopyReport(source: file.path, target: destination, bytes: bytes).write("cp", output)
    }

    private func exportFile(_ source: String, _ destination: String) async throws {
        let arguments = try database(source)
        let job = ExportJob(
            exporter: try exporter(of: arguments), format: try ExportFormat(path: destination),
            replaces: force || existing,
            tells: output.isForPeople)
        let count = try await job.run(arguments)
        guard !output.isForPeople else { return }
        try CopyReport(source: source, target: destination, documents: count).write("cp", output)
    }

    private func importFiles(_ sources: [String], _ destination: String) throws {
        let arguments = try database(destination)
        var options = try reading.options(for: collection(arguments.address))
        options.limit = limit ?? .max
        options.onError = skipErrors ? .skip : .stop
        options.reportsEvery = verbose ? 1000 : nil
        try ImportRun(
            files: sources, opening: reading.opening, options: options, output: output,
            makesCollection: true
        ).run(arguments, upgrades: upgrade.upgrade)
    }

    private func copyDocuments(_ source: String, _ destination: String) async throws {
        let (from, to) = (try database(source), try database(destination))
        let exporter = try exporter(of: from)
        guard existing || System.entry(to.path).isNothing else {
            throw ToolError(
                "\(to.path) exists already; --existing copies documents into it",
                status: .conflict)
        }
        // What is not told otherwise keeps the name of its collection.
        let target = try to.address.collection.map {
            DocumentCollection(try CollectionName(argument: $0))
        }
        let copy = DocumentCopy(
            from: from, to: to, exporter: exporter,
            options: reading.options(for: target ?? exporter.collection),
            upgrades: upgrade.upgrade)
        let result = try await copy.run()
        try CopyReport(
            source: source, target: destination, documents: result.documents,
            overwritten: result.overwritten
        ).write("cp", output)
        if result.blobsLeftOut > 0 {
            let count = Text.count(result.blobsLeftOut, "blob")
            StandardError.current.write(
                "note: \(count) missing or damaged; see blob check \(from.path)")
        }
        if result.damaged > 0 { throw ReportedFailure(status: .damaged) }
        if result.blobsLeftOut > 0 { throw ReportedFailure(status: .partial) }
    }
}

/// `kvtool push`, `kvtool pull`: names that users of other tools type.
struct PushCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Says what to use in place of replication.",
        shouldDisplay: false, aliases: ["pull", "openremote"])

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
    @OptionGroup var output: OutputArguments

    func run() async throws { throw ToolError(ReplicationAdvice.text, status: .usage) }
}

/// What one side of `cp` is, as its name says, or what is there.
enum CopyEndpoint: Equatable {
    case database
    /// A file of documents, or a stream.
    case file
    /// A directory with a file ID.json for each document.
    case directory

    /// The endings of databases' names. The first one is the convention.
    static let databases = DatabaseNames.endings
    /// The endings of files of documents that can be written.
    static let files = [".json", ".ndjson", ".jsonl", ".csv", ".tsv"]

    /// Nil if neither the name nor what is there tells.
    init?(_ path: String) {
        var name = path.lowercased()
        while name.hasSuffix("/") { name.removeLast() }
        let isDirectory = path.hasSuffix("/")
        if DatabaseAddress(path).path != path || Self.holdsDatabase(path) {
            self = .database
        } else if Self.databases.contains(where: name.hasSuffix) {
            self = .database
        } else if isDirectory || System.entry(path) == .directory {
            self = .directory
        } else if path == "-" || Self.files.contains(where: name.hasSuffix) {
            self = .file
        } else if System.entry(path) == .other {
            // A pipe, a device.
            self = .file
        } else {
            return nil
        }
    }

    private static func holdsDatabase(_ path: String) -> Bool {
        if case .file = System.entry("\(path)/db.sqlite3") { return true }
        return false
    }

    /// What is said of a destination that is none of them.
    static func unknown(_ path: String) -> ToolError {
        ToolError(
            "\(Text.line(path)) does not say what it is to be: a database ends with "
                + "\(databases[0]) (\(databases.dropFirst().joined(separator: ", "))), a file of "
                + "documents with \(files.joined(separator: ", ")), a directory of documents with /",
            status: .usage)
    }
}
