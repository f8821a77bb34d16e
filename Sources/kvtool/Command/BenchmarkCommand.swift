internal import ArgumentParser
internal import DataFileCore
internal import SampleData

/// `kvtool bench [DATABASE]`
struct BenchmarkCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures this machine: how fast documents are written, read and found.",
        discussion: """
            Examples:
              kvtool bench --count 100000
              kvtool bench people.cblite2 --json

            Without a database a temporary one is filled with made-up people, and removed. A \
            database that is named is only read.
            """)

    @Argument(help: "A database to read.", completion: .directory) var database: String?
    @Option(help: ArgumentHelp("How many documents.", valueName: "n")) var count = 20_000
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes 1 or more") }
    }

    func run() async throws {
        if let database {
            let file = try DatabaseArguments.parse(["--", database]).open()
            return try report(Benchmark(file: file, count: count).reading(), file.path)
        }
        let path = "\(System.temporaryFolder)/kvtool-bench-\(System.nanoseconds).cblite2"
        defer { try? DataFile.delete(path: path) }
        let results = try measure(path)
        try report(results, "temporary")
    }

    private func measure(_ path: String) throws -> [Benchmark.Result] {
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        defer { file.close() }
        let benchmark = Benchmark(file: file, count: count)
        return try benchmark.writing() + benchmark.reading()
    }

    private func report(_ results: [Benchmark.Result], _ name: String) throws {
        var header = JSONObject()
        header.add("database", name)
        var rows = RowOutput(
            "bench", list: "results",
            [
                Column("task", "Task", isKey: true),
                Column("documents", "Documents", isNumber: true),
                Column("seconds", "Time", isNumber: true),
                Column("rate", "Per second", isNumber: true),
            ], output, header: header)
        for result in results {
            let rate = result.seconds > 0 ? Double(result.count) / result.seconds : 0
            try rows.add([
                .text(result.task), .number(result.count),
                .both(
                    Text.duration(seconds: result.seconds),
                    program: .decimal((result.seconds * 1e6).rounded() / 1e6)),
                .number(Int(rate)),
            ])
        }
        try rows.finish()
    }
}
