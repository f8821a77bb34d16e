package import DocumentStore
internal import Synchronization

/// A condition in SQL++ for revisions that are not documents of a database, such as those of a
/// server.
///
/// Each one is stored alone in a database in memory, where the query for the condition runs.
package final class RevisionFilter: Sendable {
    private let scratch: DataFile
    private let query: Query
    private let collection: DocumentCollection
    private let firstError = Mutex<(any Error)?>(nil)

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

    /// The error of the first revision for which the condition could not be evaluated.
    package var error: (any Error)? { firstError.withLock { $0 } }

    /// Whether a revision meets the condition; false if it cannot be evaluated.
    package func accepts(_ id: String, _ properties: FleeceDictionary?) -> Bool {
        do {
            return try scratch.write { transaction in
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
        } catch {
            firstError.withLock { $0 = $0 ?? error }
            return false
        }
    }
}
