internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool generate`
struct GenerateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes synthetic documents to standard output, one JSON object per line.",
        discussion: """
            Examples:
              kvtool generate --count 1000 --seed 7 > people.ndjson
              kvtool gen texts --count 50 --database texts.cblite2
              kvtool gen --template order.json --count 100000 --database orders.cblite2

            The default is people; texts have some hundred words each. A template is a JSON object \
            whose strings may contain placeholders: {{bool()}} {{date(2020-01-01, 2024-12-31)}} \
            {{floating(0, 1, 3)}} {{gauss(100, 15)}} {{guid()}} {{index()}} {{integer(1, 6)}} \
            {{lorem(5, words)}} {{random(red, 'light green', 3)}} {{range(10, 100, 5)}}; an array \
            that begins with "{{repeat(2, 5)}}" repeats its other elements two to five times.

            The same seed (default: 1) generates the same documents on every machine; the report \
            on a new database includes it. Documents are always written as lines; --json applies \
            to the report.
            """,
        aliases: ["gen"])

    /// The kind of documents.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case people, texts
    }

    @Argument(help: "Kind of documents: people or texts.") var kind = Kind.people
    @Option(parsing: .unconditional, help: ArgumentHelp("Number of documents.", valueName: "n"))
    var count = 200
    @OptionGroup var seed: SeedArguments
    @Option(
        help: ArgumentHelp("A JSON file with placeholders for values.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var template: String?
    @Option(
        help: ArgumentHelp("Create this database with the documents.", valueName: "path"),
        completion: .directory)
    var database: String?
    @Option(help: ArgumentHelp("The collection in the database.", valueName: "name"))
    var collection: String?
    @OptionGroup var creation: CreationArguments
    @OptionGroup var key: KeyArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try requireNotNegative("--count", count)
        if database == nil, collection != nil {
            throw ValidationError("--collection needs --database")
        }
        if database == nil, key.source != nil { throw ValidationError("--key needs --database") }
    }

    func run() async throws {
        var documents = try documents()
        guard let database else {
            while let document = documents.next() {
                try Interruption.check()
                try StandardOutput.current.write(document)
                try StandardOutput.current.write("\n")
            }
            if let error = documents.error { throw error }
            return
        }
        try fill(DatabaseArguments.naming(database, key), documents)
    }

    private func documents() throws -> GeneratedDocuments {
        if let template {
            let template = try GeneratorTemplate(InputFile.contents(of: template))
            return GeneratedDocuments(template, count: count, seed: seed.seed)
        }
        return switch kind {
        case .people: GeneratedDocuments(people: count, seed: seed.seed)
        case .texts: GeneratedDocuments(texts: count, seed: seed.seed)
        }
    }

    private func fill(_ arguments: DatabaseArguments, _ documents: GeneratedDocuments) throws {
        let name = collection ?? arguments.address.collection ?? "_default"
        let collection = DocumentCollection(try CollectionName(argument: name))
        let newDatabase = NewDatabase(arguments.path)
        if !creation.create { try newDatabase.requireName() }
        let file = try newDatabase.opening { try arguments.open(.create) }
        let imported = try newDatabase.filling(file) {
            try file.write { try collection.create(in: $0) }
            var importer = Importer(
                GeneratedSource(documents, count: count),
                options: ImportOptions(collection: collection), after: ImportCounts(),
                isFirstFile: true, log: nil)
            try importer.run(file)
            return importer.counts.imported
        }
        file.close()
        guard output.isForPeople else {
            var rows = RowOutput(
                "generate", list: "databases",
                [
                    Column("database", "Database"),
                    Column("documents", "Documents", isNumber: true),
                    Column("seed", "Seed", isNumber: true),
                ], output)
            try rows.add([
                .text(file.path), .number(imported), seed.cell,
            ])
            return try rows.finish()
        }
        let total = Text.count(imported, "document")
        try StandardOutput.current.write(
            "Generated \(total) in \(Text.line(file.path)), seed \(seed.seed)\n")
    }
}

/// The option of commands that generate documents.
struct SeedArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Seed of the generator: the same seed generates the same documents.",
            valueName: "number"))
    var seed: UInt64 = 1

    /// The seed for the report, so that the result can be reproduced.
    var cell: Cell {
        var text = JSONText()
        text.append(seed)
        return .json(text)
    }
}

/// The option of commands that infer the structure of documents.
struct SampleArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Read about this many documents of a collection; 0 for all.", valueName: "n"))
    var sample = 10_000

    /// The maximum number of documents of a collection.
    var limit: Int { sample == 0 ? .max : sample }

    func validate() throws {
        try requireNotNegative("--sample", sample)
    }
}
