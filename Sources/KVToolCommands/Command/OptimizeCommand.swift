internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool optimize DATABASE`
struct OptimizeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "optimize",
        abstract: "Updates the planner statistics of indexes (ANALYZE).",
        discussion: """
            Examples:
              kvtool optimize people.cblite2
              kvtool optimize people.cblite2 --thorough

            SQLite chooses among indexes by these statistics. Update them after many changes, or \
            when explain shows that a query uses the wrong index.
            """,
        aliases: ["analyze"])

    @OptionGroup var arguments: DatabaseArguments
    @Flag(help: "Read all rows instead of a sample.") var thorough = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try arguments.open(.readWrite)
        let began = System.nanoseconds
        try await EngineProgress(.optimize).run(stopped: "the statistics are unchanged") { tick in
            try await file.optimize(isThorough: thorough, tick: tick)
        }
        let seconds = Double(System.nanoseconds - began) / 1e9
        file.close()
        try Done(thorough: thorough, seconds: seconds).write(output)
    }

    private struct Done: OneReport {
        let thorough: Bool
        let seconds: Double

        var schema: String { "optimize" }
        let columns = [
            Column("thorough", "All rows"), Column("seconds", "Seconds", isNumber: true),
        ]
        var rows: [[Cell]] { [[.bool(thorough), .decimal(seconds)]] }

        func writeText() throws {
            let time = Text.duration(seconds: seconds)
            try StandardOutput.current.write(
                "Updated the planner statistics in \(time)\n")
        }

        var properties: JSONObject {
            var object = JSONObject()
            object.add("thorough", thorough)
            object.add("seconds", seconds)
            return object
        }
    }
}
