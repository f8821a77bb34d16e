internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool generate`
struct GenerateCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Writes synthetic documents to standard output, one JSON document a line.",
        discussion: """
            Examples:
              kvtool generate --count 1000 --seed 7 > people.ndjson
              kvtool gen texts --count 50 --database texts.cblite2
              kvtool gen --template order.json --count 100000 --database orders.cblite2

            People are the default; texts have some hundred words each. A template is a JSON \
            object whose texts have places: {{bool()}} {{date(2020-01-01, 2024-12-31)}} \
            {{floating(0, 1, 3)}} {{gauss(100, 15)}} {{guid()}} {{index()}} {{integer(1, 6)}} \
            {{lorem(5, words)}} {{random(red, 'light green', 3)}} {{range(10, 100, 5)}}; an \
            array that begins with "{{repeat(2, 5)}}" has its other elements two to five times.

            The same seed gives the same documents, on every machine; it is 1 unless another one \
            is given, and is told with the database that was made. The documents have no other \
            form than lines; --json tells of the database.
            """,
        aliases: ["gen"])

    /// What is made up.
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case people, texts
    }

    @Argument(help: "What: people or texts.") var kind = Kind.people
    @Option(parsing: .unconditional, help: ArgumentHelp("How many.", valueName: "n"))
    var count = 200
    @OptionGroup var seed: SeedArguments
    @Option(
        help: ArgumentHelp("A JSON file with places for values.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var template: String?
    @Option(
        help: ArgumentHelp("Put them into this database, which is made.", valueName: "path"),
        completion: .directory)
    var database: String?
    @Option(help: ArgumentHelp("The collection there.", valueName: "name"))
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
        let place = NewDatabase(arguments.path)
        if !creation.create { try place.requireName() }
        let file = try place.opening { try arguments.open(.create) }
        let imported = try place.filling(file) {
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
        let made = Text.count(imported, "document")
        try StandardOutput.current.write(
            "Generated \(made) in \(Text.line(file.path)), seed \(seed.seed)\n")
    }
}

/// The option of commands that make documents up.
struct SeedArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "What is made up follows from it: the same seed, the same documents.",
            valueName: "number"))
    var seed: UInt64 = 1

    /// For the answer, so that it can be had again.
    var cell: Cell {
        var text = JSONText()
        text.append(seed)
        return .json(text)
    }
}

/// The option of commands that find out what documents look like.
struct SampleArguments: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Look at about so many documents of a collection; 0 for all.", valueName: "n"))
    var sample = 10_000

    /// The most documents of a collection.
    var limit: Int { sample == 0 ? .max : sample }

    func validate() throws {
        try requireNotNegative("--sample", sample)
    }
}
