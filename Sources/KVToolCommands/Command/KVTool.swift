internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SQLCore

/// The root command, which consists of subcommands.
struct KVTool: AsyncParsableCommand {
    /// The tool's version.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "kvtool",
        abstract: "Inspects and changes databases in the format of Couchbase Lite.",
        usage: """
            kvtool COMMAND DATABASE …
            kvtool [-w] DATABASE
            """,
        discussion: """
            A database is a directory NAME.cblite2. Commands that only read do not change it, \
            whatever version created it, and can run while an application uses it. A database \
            without a command opens a shell.

            Examples:
              kvtool info people.cblite2
              kvtool query people.cblite2 'SELECT name FROM _ WHERE age > 80'
              kvtool people.cblite2
              kvtool help query

            Exit status: 0 success, 1 failure, 2 invalid usage, 3 not found, 4 file cannot be \
            opened, 5 damaged data, 6 conflict, 7 partial success, 8 differences, 130 interrupted.

            The key of an encrypted database comes from --key-file FILE, --key KEY or the variable \
            KVTOOL_KEY; otherwise kvtool prompts for it on a terminal. A command on two databases \
            uses one key for those of them that are encrypted, and for a database that it creates.

            Environment: NO_COLOR, CLICOLOR and CLICOLOR_FORCE (colours), KVTOOL_PAGER or PAGER \
            (pager for long output; cat for none), KVTOOL_HISTORY (history file of the shell, \
            default ~/.kvtool_history), KVTOOL_KEY and KVTOOL_NEW_KEY, KVTOOL_MEMORY (maximum \
            memory for SQLite, such as 256M), VISUAL or EDITOR, TMPDIR.
            """,
        version: Self.version,
        groupedSubcommands: [documents, queries, indexes, transfer, file, tool],
        defaultSubcommand: ShellCommand.self)

    private static let documents = CommandGroup(
        name: "Documents and collections",
        subcommands: [
            ListCommand.self,
            CatCommand.self,
            PutCommand.self,
            RemoveCommand.self,
            PurgeCommand.self,
            EditCommand.self,
            RevisionsCommand.self,
            ResolveCommand.self,
            MoveCommand.self,
            ExpireCommand.self,
            ListCollectionsCommand.self,
            MakeCollectionCommand.self,
            RemoveCollectionCommand.self,
        ])

    private static let queries = CommandGroup(
        name: "Queries",
        subcommands: [
            QueryCommand.self,
            SelectCommand.self,
            ExplainCommand.self,
            SQLCommand.self,
            FindCommand.self,
            SimilarCommand.self,
            WatchCommand.self,
        ])

    private static let indexes = CommandGroup(
        name: "Indexes",
        subcommands: [
            MakeIndexCommand.self,
            RemoveIndexCommand.self,
            ReindexCommand.self,
            OptimizeCommand.self,
            IndexCommand.self,
        ])

    private static let transfer = CommandGroup(
        name: "Import and export",
        subcommands: [
            ImportCommand.self,
            ExportCommand.self,
            CopyCommand.self,
            SnapshotCommand.self,
            DumpCommand.self,
            LoadCommand.self,
            PushCommand.self,
            PullCommand.self,
            SyncCommand.self,
            GenerateCommand.self,
            BenchmarkCommand.self,
            DiffCommand.self,
            PatchCommand.self,
        ])

    private static let file = CommandGroup(
        name: "Database files",
        subcommands: [
            InfoCommand.self,
            StatCommand.self,
            CheckCommand.self,
            VerifyCommand.self,
            CompactCommand.self,
            ConvertCommand.self,
            EncryptCommand.self,
            DecryptCommand.self,
            RekeyCommand.self,
            BlobCommand.self,
            RecoverCommand.self,
            FleeceCommand.self,
            SchemaCommand.self,
            KeysCommand.self,
        ])

    private static let tool = CommandGroup(
        name: "Shell and tool",
        subcommands: [
            ShellCommand.self,
            ServeCommand.self,
            CompletionsCommand.self,
            VersionCommand.self,
        ])
}

/// `kvtool expire clear DATABASE ID…`
struct ExpireClearCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Removes the expiration of documents.",
        discussion: """
            Examples:
              kvtool expire clear people.cblite2 person-0001 person-0002
              kvtool expire clear people.cblite2 --where 'keep = true'
              kvtool expire ls people.cblite2 --csv | tail -n +2 | cut -d, -f2 | \
            kvtool expire clear people.cblite2 --ids-from -

            Same as expire set --never. The exit status is 3 if none of the documents exists, 7 if \
            some do not.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await ExpirationChange(documents, upgrade, output).run(nil)
    }
}

/// `kvtool expire ls|set|clear|run DATABASE …`
struct ExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire",
        abstract: "Lists, sets, clears and applies expirations of documents.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire set people.cblite2 person-0001 'draft-*' --in 7d
              kvtool expire people.cblite2 person-0001 --at 2030-01-31T12:00
              kvtool expire clear people.cblite2 --where 'keep = true'
              kvtool expire run people.cblite2 --dry-run

            The application, or expire run, purges a document after its expiration. Setting an \
            expiration does not change the document's revision or sequence.
            """,
        subcommands: [
            ExpireListCommand.self, ExpireSetCommand.self, ExpireClearCommand.self,
            ExpireRunCommand.self,
        ], defaultSubcommand: ExpireSetCommand.self)
}

/// `kvtool decrypt DATABASE`
struct DecryptCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt",
        abstract: "Decrypts a database and its blobs in place.",
        discussion: """
            Examples:
              kvtool decrypt people.cblite2
              kvtool decrypt people.cblite2 --key-file people.key

            No other process may have the database open. After a crash the database is either \
            unchanged or decrypted.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try OpenShell.current.refuse("decrypt")
        let (path, key) = try database.requireEncrypted()
        try await EngineTask.decrypt.run(waitingSeconds: database.timeoutSeconds) {
            try DataFile.decrypt(path: path, key: key)
        }
        try EncryptionReport(command: "decrypt", action: "decrypted", path: path).write(output)
    }
}

/// The memory limit for SQLite, from the variable `KVTOOL_MEMORY`, for files from untrusted
/// sources.
enum MemoryLimit {
    static let variable = "KVTOOL_MEMORY"

    /// Sets the limit for this process, if the variable is set. Without a limit SQLite need not
    /// count its memory.
    ///
    /// Throws if the value is not a size.
    static func apply() throws {
        guard let text = System.environment(variable) else {
            // The commands of a shell find SQLite in use.
            try? SQLContext.disableMemoryStatistics()
            return
        }
        guard let bytes = bytes(of: text) else {
            throw ToolError(
                "\(variable) is \(Text.line(text)), which is not a size such as 256M; it is a "
                    + "number of bytes, or of kilobytes, megabytes or gigabytes with K, M or G",
                status: .usage)
        }
        SQLContext.limitMemory(bytes: bytes)
    }

    /// Parses a size; nil if it is not a number above 0, or too large.
    static func bytes(of text: String) -> Int? {
        let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        let unit = text.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0 else {
            return nil
        }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        return isTooLarge ? nil : bytes
    }
}
