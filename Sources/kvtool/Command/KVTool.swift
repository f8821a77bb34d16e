internal import ArgumentParser

/// The command itself: only its subcommands do anything.
struct KVTool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kvtool",
        abstract: "Looks into databases of Couchbase Lite's format, and changes them.",
        discussion: """
            A database is a folder NAME.cblite2. Commands that only read leave it as it is, \
            whatever version made it, and work beside a running application.

            Exit status: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 the file cannot be \
            opened, 5 damaged data, 6 conflict.
            """,
        version: "0.1.0",
        subcommands: [
            InfoCommand.self, ListCommand.self, CatCommand.self, ExportCommand.self,
            ImportCommand.self, PutCommand.self, RemoveCommand.self, PurgeCommand.self,
            QueryCommand.self, ExplainCommand.self, MakeIndexCommand.self, GenerateCommand.self,
        ])
}
