internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool cp SOURCE DESTINATION`
struct CopyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copies a database, exports it to JSON or CSV files, or imports files into it.",
        discussion: """
            Examples:
              kvtool cp people.cblite2 copy.cblite2
              kvtool cp people.cblite2 people.json
              kvtool cp people.cblite2 documents/
              kvtool cp one.json two.json people.cblite2 --idprefix new-
              kvtool cp people.cblite2 archive.cblite2 --existing
              kvtool cp people.cblite2//hr.staff staff.cblite2

            A name that ends with .cblite2, .cblite, .db, .sqlite or .sqlite3 is a database, which \
            is a directory; .json, .ndjson, .jsonl, .csv or .tsv is a file of documents in the \
            format of import and export; / is a directory of files ID.json. A destination with any \
            other name must exist already. A copy of a whole database to a new one contains \
            everything, and gets new UUIDs. With --existing, --limit, --idprefix, --collection or \
            a source DATABASE//COLLECTION, kvtool copies documents without their history, and \
            their blobs. They go to the collection of the same name, unless the destination names \
            another one. With --existing, database and collection must exist; otherwise kvtool \
            creates both. If the copy fails, no new database is left behind. Damaged documents are \
            skipped, with exit status 5; missing or damaged blobs are skipped, with exit status 7. \
            --json prints a report of the copy; the format of a file depends on its name. \
            To replicate, use sync.
            """)

    @Argument(help: "Sources, then the destination.", completion: .file()) var paths: [String]
    @Option(help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"))
    var collection: String?
    @OptionGroup var reading: ReadingArguments
    @Flag(name: [.customShort("x"), .long], help: "Require that the destination exists.")
    var existing = false
    @Flag(help: "Keep the UUIDs of the database, as in a backup.") var keepUuid = false
    @Flag(help: "Stop at the first error (default, unless --skip-errors).")
    var careful = false
    @Flag(help: "Count and skip invalid records.") var skipErrors = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit: Int?
    @Flag(help: "Overwrite an existing file.") var force = false
    @Flag(name: .shortAndLong, help: "Print progress every 1000 documents.")
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
        if careful, skipErrors {
            throw ValidationError("--careful and --skip-errors exclude each other")
        }
        guard DatabaseAddress(paths[paths.count - 1]).id == nil else {
            throw ValidationError("the destination must be a database or collection, not an ID")
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
                "neither side is a database: names of databases end with .cblite2", status: .usage)
        }
    }

    private func requireDestination(_ path: String) throws {
        guard existing, System.entry(DatabaseAddress(path).path).isNothing else { return }
        throw ToolError("\(path) does not exist, which --existing requires", status: .notFound)
    }

    /// Several sources must all be files.
    private func requireFiles(_ sources: [String]) throws {
        guard sources.count > 1,
            let source = sources.first(where: { CopyEndpoint($0) == .database })
        else { return }
        throw ToolError(
            "\(Text.line(source)) is a database, or in one, and must be the only source: copy one "
                + "database, or files", status: .usage)
    }

    /// Whether an argument restricts the copy to documents.
    private var isOfDocuments: Bool {
        if existing || limit != nil || !reading.prefix.isEmpty || collection != nil { return true }
        return paths.map(DatabaseAddress.init).contains { $0.collection != nil || $0.id != nil }
    }

    private func database(_ path: String) throws -> DatabaseArguments {
        try DatabaseArguments.naming(path, timeoutSeconds: timeoutSeconds, key)
    }

    /// The collection that the address or `--collection` names; throws if they name different ones.
    private func collection(_ address: DatabaseAddress) throws -> DocumentCollection {
        let addressed = try address.collection.map { try CollectionName(argument: $0) }
        let given = try collection.map { try CollectionName(argument: $0) }
        if let addressed, let given, addressed != given {
            throw ToolError(
                "\(Text.line(address.path))//\(addressed) and --collection \(given) are different "
                    + "collections; name one", status: .usage)
        }
        return DocumentCollection(addressed ?? given ?? .default)
    }

    /// Returns the exporter for a copy that is restricted to documents.
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
                "\(to.path) already exists; use --existing to copy documents into it",
                status: .conflict)
        }
        // Unless the destination names a collection, it is that of the source.
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

/// The kind of a source or destination of `cp`, by its name or by what exists at that path.
enum CopyEndpoint: Equatable {
    case database
    /// A file of documents, or a stream.
    case file
    /// A directory with a file ID.json for each document.
    case directory

    /// Extensions of database names. The first one is the convention.
    static let databases = DatabaseNames.endings
    /// Extensions of files of documents that can be written.
    static let files = [".json", ".ndjson", ".jsonl", ".csv", ".tsv"]

    /// Nil if neither the name nor an existing file determines the kind.
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
            // A pipe or a device.
            self = .file
        } else {
            return nil
        }
    }

    private static func holdsDatabase(_ path: String) -> Bool {
        if case .file = System.entry("\(path)/db.sqlite3") { return true }
        return false
    }

    /// The error for a destination of unknown kind.
    static func unknown(_ path: String) -> ToolError {
        ToolError(
            "the name \(Text.line(path)) does not determine what to write: a database ends with "
                + "\(databases[0]) (\(databases.dropFirst().joined(separator: ", "))), a file of "
                + "documents with \(files.joined(separator: ", ")), a directory of documents "
                + "with /",
            status: .usage)
    }
}
