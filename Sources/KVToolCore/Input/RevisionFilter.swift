package import DocumentStore

/// A condition in SQL++ for revisions that are not documents of a database, such as those of a
/// server.
///
/// Each one is stored alone in a database in memory, where the query for the condition runs.
package final class RevisionFilter: Sendable {
    private let scratch: DataFile
    private let query: Query
    private let collection: DocumentCollection

    /// - Throws: `StoreError` if the text is not a single condition.
    package init(_ condition: String, _ collection: CollectionName) throws {
        self.collection = DocumentCollection(collection)
        let parsed = try DocumentCondition(condition, collection)
        query = parsed.query
        scratch = try DataFile(inMemory: DataFileOptions(access: .create))
        try scratch.write { try self.collection.create(in: $0) }
        // Compiled now, so that an error is known before something is transferred.
        try parsed.locatingErrors { try scratch.read { _ = try query.explain(in: $0) } }
    }

    /// Whether a revision meets the condition.
    ///
    /// - Throws: an error if it cannot be evaluated, also since no document may have the ID or the
    ///   properties.
    package func accepts(_ id: String, _ properties: FleeceDictionary?) throws -> Bool {
        try scratch.write { transaction in
            _ = try collection.save(id, in: transaction) { encoder in
                guard let properties else {
                    encoder.beginDictionary()
                    return try encoder.endDictionary()
                }
                try encoder.write(properties.value)
            }
            let isMet = try query.rows(in: transaction).next() != nil
            _ = try collection.purge(id, in: transaction)
            return isMet
        }
    }
}
