internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool load DATABASE FILE`
struct LoadCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Restores a database from the output of dump.",
        discussion: """
            Examples:
              kvtool load people.cblite2 people.dump
              kvtool load people.cblite2 people.tar
              zcat people.dump.gz | kvtool load people.cblite2 -
              kvtool load people.cblite2 people.dump --dry-run

            The database must not exist yet, unless an interrupted load of the same dump left it \
            behind: the load then continues. The result is the database that was dumped, with the \
            same UUIDs, unless --new-uuid gives it new ones. --dry-run reads the whole file and \
            reports what a load would report. It uses a temporary database (see TMPDIR), and \
            removes it at the end.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The dump; - is standard input.", completion: .file()) var file: String
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Check the file without loading it.")
    var isDry = false
    @Flag(
        name: [.customLong("new-uuid"), .customLong("new-uuids")],
        help: "Give the database new UUIDs.")
    var newUUIDs = false
    @OptionGroup var creation: CreationArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let began = System.nanoseconds
        if !isDry, !creation.create { try NewDatabase(database.path).requireName() }
        let beginning = try LoadBeginning(path: file, isDry: isDry)
        let destination = LoadDestination(
            path: database.path, versioning: beginning.versioning,
            busyTimeoutMilliseconds: Int(database.timeoutSeconds * 1000),
            key: database.keySource)
        let first = LoadMark(
            line: beginning.lines.line, checksum: beginning.lines.sum, newUUIDs: newUUIDs)
        let target: LoadTarget
        var mark: LoadMark?
        if isDry {
            target = try LoadTarget(dryAt: database.path) {
                try LoadDestination(
                    path: $0, versioning: beginning.versioning, busyTimeoutMilliseconds: 0,
                    key: nil
                ).createForDryRun(first)
            }
            StandardError.current.addSubject(database.path)
        } else {
            try OpenShell.current.requireWritable()
            try OpenShell.current.requireNoTransaction(on: database.path)
            let (file, found) = try destination.open(first)
            (target, mark) = (LoadTarget(file, isNew: found == nil), found)
        }
        var loader = DumpLoader(target, beginning.lines, after: mark ?? first)
        try loader.run()
        target.database.close()
        try report(
            loader, resumedAfterLine: mark?.line ?? 0,
            seconds: Double(System.nanoseconds - began) / 1e9)
        if !loader.leftOut.isEmpty { throw ReportedFailure(status: .partial) }
    }

    private func report(
        _ loader: borrowing DumpLoader, resumedAfterLine line: Int, seconds: Double
    ) throws {
        let counts =
            "\(Text.count(loader.rows, "row")) and \(Text.count(loader.blobs, "blob"))"
        let text =
            isDry
            ? "Checked \(counts)" : "Loaded \(counts) into \(Text.line(database.path))"
        try DumpReport(
            schema: "load", database: database.path, file: file, rowCount: loader.rows,
            blobCount: loader.blobs, seconds: seconds, isDry: isDry, resumedAfterLine: line,
            leftOut: loader.leftOut, text: text
        ).write(output)
    }
}
