internal import DocumentStore

/// Sets when documents expire, in one transaction.
struct ExpirationChange {
    private let documents: SelectedDocuments
    private let upgrade: UpgradeArguments
    private let output: OutputArguments

    init(
        _ documents: SelectedDocuments, _ upgrade: UpgradeArguments, _ output: OutputArguments
    ) {
        self.documents = documents
        self.upgrade = upgrade
        self.output = output
    }

    /// - Parameter moment: milliseconds since 1970; nil for never.
    func run(_ moment: Int64?) async throws {
        let name = try documents.place.named().name
        let (documents, upgrades) = (documents, upgrade.upgrade)
        let done = try await documents.place.database.write(upgrades: upgrades) { transaction in
            let store = DocumentCollection(name).keyStore
            return try documents.choices(in: transaction).map { choice in
                switch choice {
                case .missing(let id): (id, false)
                case .id(let id): (id, try store.setExpiration(moment, of: id, in: transaction))
                }
            }
        }
        let found = done.filter(\.1).map(\.0)
        try report(found, of: name, moment)
        try MissingDocument.report(
            done.filter { !$0.1 }.map(\.0), name, found: found.count)
    }

    private func report(_ ids: [String], of name: CollectionName, _ moment: Int64?) throws {
        var rows = RowOutput(
            "expire.set", list: "documents",
            [
                Column("collection", "Collection"), Column("id", "Document", isKey: true),
                Column("expiration", "Expires"),
            ], output,
            presentation: .lines { row in
                moment == nil
                    ? "\"\(row[1].forPeople)\" does not expire"
                    : "\"\(row[1].forPeople)\" expires \(row[2].forPeople)"
            })
        for id in ids {
            try rows.add([.text(name.description), .text(id), moment.map(Cell.date) ?? .none])
        }
        try rows.finish()
    }
}
