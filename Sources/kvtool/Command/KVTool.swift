internal import ArgumentParser

/// The command itself: only its subcommands do anything.
struct KVTool: AsyncParsableCommand {
    /// The tool's version.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "kvtool",
        abstract: "Looks into databases of Couchbase Lite's format, and changes them.",
        usage: """
            kvtool COMMAND DATABASE …
            kvtool [-w] DATABASE
            """,
        discussion: """
            A database is a folder NAME.cblite2. Commands that only read leave it as it is, \
            whatever version made it, and work beside a running application. A database alone \
            opens a shell.

            Examples:
              kvtool info people.cblite2
              kvtool query people.cblite2 'SELECT name FROM _ WHERE age > 80'
              kvtool people.cblite2
              kvtool help query

            Exit status: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 the file cannot be \
            opened, 5 damaged data, 6 conflict, 7 partly done, 8 differences, 130 interrupted.

            The key of an encrypted database is what --key-file FILE, --key KEY or the variable \
            KVTOOL_KEY says, else it is asked for at a terminal. A command on two databases has \
            one key, for those of them that are encrypted; one that it makes gets it, too.

            Environment: NO_COLOR, CLICOLOR and CLICOLOR_FORCE (colours), KVTOOL_PAGER or PAGER \
            (who shows long output; cat is nobody), KVTOOL_HISTORY (the shell's history, \
            ~/.kvtool_history), KVTOOL_KEY and KVTOOL_NEW_KEY, KVTOOL_MEMORY (the most memory \
            that SQLite may take, as 256M), VISUAL or EDITOR, TMPDIR.
            """,
        version: Self.version,
        groupedSubcommands: [documents, queries, indexes, transfer, file, tool])

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
        name: "In and out",
        subcommands: [
            ImportCommand.self,
            ExportCommand.self,
            CopyCommand.self,
            SnapshotCommand.self,
            DumpCommand.self,
            LoadCommand.self,
            PushCommand.self,
            GenerateCommand.self,
            BenchmarkCommand.self,
            DiffCommand.self,
            PatchCommand.self,
        ])

    private static let file = CommandGroup(
        name: "The file",
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
            RepairCommand.self,
            FleeceCommand.self,
            SchemaCommand.self,
            KeysCommand.self,
        ])

    private static let tool = CommandGroup(
        name: "The tool",
        subcommands: [
            ShellCommand.self,
            CompletionsCommand.self,
            VersionCommand.self,
        ])
}
