internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool rmindex DATABASE NAME…`
struct RemoveIndexCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "rmindex", abstract: "Deletes indexes.",
        discussion: """
            Examples:
              kvtool rmindex people.cblite2 byAge
              kvtool rmindex people.cblite2 byAge byState --if-exists

            Index names are unique in a file, so --collection is needed only to require that an \
            index belongs to a certain collection. All are deleted in one transaction.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "Names of the indexes to delete.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var names: [String]
    @Flag(name: .customLong("if-exists"), help: "Accept indexes that do not exist.")
    var ifExists = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let found = try await location.database.write(upgrades: upgrade.upgrade) { transaction in
            let collection = try location.collection(in: transaction)
            return try names.map { name in try delete(name, collection, transaction) }
        }
        try report(found)
        let missing = zip(names, found).filter { $1 == nil }.map(\.0)
        guard !ifExists, !missing.isEmpty else { return }
        let collection = try location.named()
        for name in missing {
            let error = Snapshot.noIndex(name, collection)
            StandardError.current.writeAboutSubject(error.message, status: .notFound)
        }
        throw ReportedFailure(status: .notFound)
    }

    /// Deletes an index and returns it; nil if it does not exist.
    private func delete(
        _ name: String, _ collection: DocumentCollection?, _ transaction: Transaction
    ) throws -> IndexInfo? {
        guard let index = try? transaction.index(name, in: collection) else { return nil }
        guard let owner = CollectionName(index.keyStore) else {
            throw ToolError(
                "the index \(Text.line(name)) belongs to the raw store "
                    + "\(index.keyStore.rawName), whose indexes cannot be deleted")
        }
        try DocumentCollection(owner).deleteIndex(index.name, in: transaction)
        return index
    }

    private func report(_ found: [IndexInfo?]) throws {
        var rows = RowOutput(
            "rmindex", list: "indexes",
            [
                Column("name", "Index"), Column("collection", "Collection"),
                Column("kind", "Kind"), Column("action", "Action"),
            ], output,
            presentation: .lines {
                "\($0[3].forPeople) the \($0[2].forPeople) index \($0[0].forPeople) of "
                    + $0[1].forPeople
            })
        for index in found.compactMap(\.self) {
            try rows.add([
                .text(index.name), .text(IndexText.collection(index.keyStore)),
                .text(IndexText.kind(index.kind)), .both("Deleted", program: .text("deleted")),
            ])
        }
        try rows.finish()
    }
}
