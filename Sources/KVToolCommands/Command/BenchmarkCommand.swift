internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import SampleData

/// `kvtool bench [DATABASE]`
struct BenchmarkCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measures how fast this machine writes, reads and finds documents.",
        discussion: """
            Examples:
              kvtool bench --count 100000
              kvtool bench people.cblite2 --json
              kvtool bench people.cblite2//hr.staff

            Without a database, kvtool fills a temporary one with synthetic people and removes it \
            afterwards. A database that is named is only read: its default collection, or the \
            collection named with it.
            """)

    @Argument(help: "The database to read.", completion: .directory) var database: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Number of documents.", valueName: "n"))
    var count = 20_000
    @OptionGroup var seed: SeedArguments
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count takes 1 or more") }
    }

    func run() async throws {
        if let database {
            let arguments = try DatabaseArguments.naming(database, key)
            let name = try CollectionName(argument: arguments.address.collection ?? "_default")
            let file = try arguments.open()
            return try report(benchmark(file, name).reading(), file.path, name)
        }
        let directory = try WorkDirectory(in: System.temporaryDirectory)
        do {
            try report(measure(directory.database), "temporary", .default)
        } catch let error as StoreError where error.isFullDisk {
            throw ToolError(
                "the disk of \(System.temporaryDirectory) is full; set TMPDIR to another disk")
        }
    }

    private func benchmark(_ file: DataFile, _ name: CollectionName) -> Benchmark {
        Benchmark(file: file, collection: DocumentCollection(name), count: count, seed: seed.seed)
    }

    private func measure(_ path: String) throws -> [Benchmark.Result] {
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        defer { file.close() }
        let benchmark = benchmark(file, .default)
        return try benchmark.writing() + benchmark.reading()
    }

    private func report(
        _ results: [Benchmark.Result], _ database: String, _ collection: CollectionName
    ) throws {
        var header = JSONObject()
        header.add("database", database)
        header.add("collection", collection.description)
        header.add("seed", seed.seed)
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
        if output.isForPeople { try StandardOutput.current.write("Seed \(seed.seed)\n") }
        guard results.contains(where: { $0.count > 0 }) else {
            return StandardError.current.write("note: \(collection) has no documents to read")
        }
    }
}
