internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool schema DATABASE`
struct SchemaCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Infers the schema of the documents of a collection.",
        discussion: """
            Examples:
              kvtool schema people.cblite2
              kvtool schema people.cblite2 --collection hr.staff --sample 0
              kvtool schema people.cblite2 --json > person.schema.json

            --json writes a JSON Schema (draft 2020-12) to which the sampled documents conform. \
            The other formats have a row for each property; [] stands for the elements of an \
            array. The share is the proportion of objects that have the property.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var sample: SampleArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let damaged = try await location.database.read { _, snapshot in
            let schema = try InferredSchema(location.named(), sample: sample.limit, in: snapshot)
            if output.format == .json {
                try StandardOutput.current.write(schema.jsonSchema().utf8 + [0x0A])
            } else {
                try write(schema)
            }
            return schema.damaged
        }
        guard damaged == 0 else {
            StandardError.current.writeAboutSubject(
                "\(Text.count(damaged, "document")) could not be read; verify shows details")
            throw ReportedFailure(status: .damaged)
        }
    }

    private func write(_ schema: InferredSchema) throws {
        if output.isForPeople {
            let cut = schema.isCut ? "; not all properties are shown" : ""
            try StandardOutput.current.write(
                "\(schema.collection): \(schema.sampled) of "
                    + "\(Text.count(schema.documents, "document"))\(cut)\n")
        }
        var rows = RowOutput(
            "schema", list: "properties",
            [
                Column("path", "Property", isKey: true), Column("types", "Type"),
                Column("count", "Values", isNumber: true),
                Column("share", "Share", isNumber: true), Column("examples", "Examples"),
            ], output)
        for entry in schema.entries { try rows.add(Self.row(entry)) }
        try rows.finish()
    }

    private static func row(_ entry: InferredSchema.Entry) -> [Cell] {
        let tally = entry.tally
        let examples = tally.examples.map { Cell.json($0).plain }.joined(separator: ", ")
        return [
            .text(entry.path), .both(types(tally), program: .json(tally.frequencies)),
            .number(tally.count),
            entry.share.map { .both(percent($0), program: .decimal(rounded($0))) } ?? .none,
            .both(examples, program: tally.examples.isEmpty ? .none : .json(array(tally.examples))),
        ]
    }

    private static func array(_ values: [JSONText]) -> JSONText {
        var text = JSONText()
        text.append("[")
        for (index, value) in values.enumerated() {
            if index > 0 { text.append(",") }
            text.utf8 += value.utf8
        }
        text.append("]")
        return text
    }

    private static func types(_ tally: PropertyTally) -> String {
        let kinds = tally.kinds
        guard kinds.count > 1 else { return kinds.first?.name ?? "" }
        return kinds.map {
            "\($0.name) \(percent(Double(tally.count(of: $0)) / Double(tally.count)))"
        }.joined(separator: ", ")
    }

    /// Whole percents; 0 and 100 only for exactly none and all.
    private static func percent(_ share: Double) -> String {
        if share <= 0 { return "0 %" }
        if share >= 1 { return "100 %" }
        if share < 0.01 { return "<1 %" }
        return "\(min(99, Int((share * 100).rounded()))) %"
    }

    private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}
