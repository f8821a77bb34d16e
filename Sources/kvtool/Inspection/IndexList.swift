internal import DocumentStore

/// The list of a database's indexes.
enum IndexList {
    static let columns = [
        Column("name", "Index", isKey: true), Column("collection", "Collection"),
        Column("kind", "Kind"), Column("expressions", "Of"), Column("language", "In"),
        Column("where", "Where"), Column("path", "Array"), Column("stale", "Stale"),
    ]

    /// Writes them, of all collections or of one.
    static func write(
        _ snapshot: Snapshot, of collection: DocumentCollection?, _ output: OutputArguments
    ) throws {
        if let collection, try !collection.exists(in: snapshot) {
            throw ToolError(
                "the database has no collection \(collection.name)", status: .notFound)
        }
        var rows = RowOutput(
            "index.ls", list: "indexes", columns, output, empty: "(no indexes)")
        for index in try snapshot.indexes()
        where collection.map({ $0.keyStore.name == index.keyStore }) ?? true {
            try rows.add(row(index))
        }
        try rows.finish()
    }

    static func row(_ index: IndexInfo) -> [Cell] {
        [
            .text(index.name), .text(IndexText.collection(index.keyStore)),
            .text(IndexText.kind(index.kind)), .optional(index.expressions?.text),
            .optional(IndexText.language(index)), .optional(index.condition),
            .optional(index.arrayPath), .optional(IndexText.staleness(index)),
        ]
    }
}
