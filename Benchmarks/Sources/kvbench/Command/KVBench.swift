import ArgumentParser

/// The harness: measures the store in turns with other ways to do the same work.
@main
struct KVBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kvbench",
        abstract: "Compares the document store with plain SQLite in C and other libraries.",
        discussion: """
            Examples:
              kvbench run --only insert
              kvbench run --size 10k --json small.json
              kvbench report large.json small.json --html report.html --markdown report.md
              kvbench compare before.json after.json
              kvbench memory --add-to large.json
              kvbench cold --add-to large.json
              kvbench scale 1M --directory /var/tmp
              kvbench sync 1M --server postgresql:///postgres
              kvbench sync 1M
            """,
        subcommands: [
            RunCommand.self, CompareCommand.self, ReportCommand.self, ScaleCommand.self,
            SyncCommand.self, VectorsCommand.self, MemoryCommand.self, ColdCommand.self,
            RepeatCommand.self, MemoryPassCommand.self, ColdPassCommand.self, SyncPassCommand.self,
            SyncListenerCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}

/// An error, described in one line.
struct BenchmarkError: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

/// Throws in a debug build, whose figures are meaningless.
func requireRelease() throws {
    #if DEBUG
        throw BenchmarkError(message: "build it for release: swift run -c release kvbench")
    #endif
}
