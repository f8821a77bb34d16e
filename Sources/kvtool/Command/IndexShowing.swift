internal import DocumentStore

/// Shows what an index is of, and what it consists of.
struct IndexShowing {
    let name: String

    func run(
        _ database: DatabaseArguments, _ collection: DocumentCollection?, _ output: OutputArguments
    ) async throws {
        let name = name
        let description = try await database.read { _, snapshot in
            let index = try snapshot.index(name, in: collection)
            return IndexDescription(index: index, objects: try IndexObjects(index, snapshot))
        }
        try description.write(output)
    }
}
