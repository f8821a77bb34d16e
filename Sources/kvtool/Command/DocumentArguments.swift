internal import ArgumentParser
internal import DataFileCore

/// The arguments of commands on some documents of a collection.
struct DocumentArguments: ParsableArguments {
    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The ids of the documents.") var ids: [String]
    @OptionGroup var collection: CollectionArguments

    /// Changes the documents in one transaction; then says what was done with each, and which are
    /// not there.
    ///
    /// `change` returns what to say, nil if there is no such document.
    func changeEach(
        _ change: (Collection, String, Transaction) throws -> String?
    ) throws {
        let collection = try collection.named()
        let file = try database.open(.readWrite)
        let results = try file.write { transaction in
            try ids.map { ($0, try change(collection, $0, transaction)) }
        }
        file.close()
        for case (_, let report?) in results { try StandardOutput.write(report + "\n") }
        let missing = results.filter { $0.1 == nil }.map(\.0)
        for id in missing {
            StandardError.writeAboutSubject(
                "document \"\(Text.line(id))\" is not in the collection \(collection.name)")
        }
        if !missing.isEmpty { throw ReportedFailure(status: .notFound) }
    }
}
