internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool similar DATABASE ID`
struct SimilarCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "similar", abstract: "Lists the documents that are similar to another one.",
        discussion: """
            Examples:
              kvtool similar people.cblite2 person-0001
              kvtool similar people.cblite2 person-0001 --index byFace --limit 20

            Similar documents have vectors with a small distance, by a vector index of the \
            collection; mkindex creates one.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The document ID, unless DATABASE names it.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var id: String?
    @Option(help: "The vector index (default: the first one of the collection).")
    var index: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit = 10
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
        guard location.database.address.id != nil || id != nil else {
            throw ValidationError("Missing expected argument '<id>'")
        }
        guard location.database.address.id == nil || id == nil else {
            throw ValidationError("DATABASE names a document; another ID is too much")
        }
    }

    func run() async throws {
        try await location.database.read { _, snapshot in
            let id = location.database.address.id ?? self.id ?? ""
            let collection = try location.named()
            guard try collection.exists(in: snapshot) else {
                throw ToolError(
                    "the database has no collection \(collection.name)", status: .notFound)
            }
            let index = try chosenIndex(collection, snapshot)
            let found = try collection.documents(
                similarTo: id, by: index, limit: limit, in: snapshot)
            var header = JSONObject()
            header.add("collection", collection.name.description)
            header.add("index", index)
            var rows = RowOutput(
                "similar", list: "documents",
                [
                    Column("id", "Document", isKey: true),
                    Column("distance", "Distance", isNumber: true), Column("excerpt", "Excerpt"),
                ], output, header: header, empty: "(no other document has a vector)")
            for document in found {
                let found = try collection.get(document.id, in: snapshot)
                let distance = Float(document.distance)
                try rows.add([
                    .text(document.id), .both("\(distance)", program: .decimal(document.distance)),
                    .text(found?.properties?.excerpt() ?? ""),
                ])
            }
            try rows.finish()
        }
    }

    private func chosenIndex(
        _ collection: DocumentCollection, _ snapshot: Snapshot
    ) throws -> String {
        if let index { return index }
        let first = try collection.indexes(in: snapshot).first { $0.vectorOptions != nil }
        guard let first else {
            throw ToolError(
                "the collection \(collection.name) has no vector index; create one with "
                    + "kvtool mkindex --vector", status: .notFound)
        }
        return first.name
    }
}
