internal import DocumentStore
internal import StoreTools

/// Tells which documents of a collection meet a condition.
struct ChangeFilter {
    /// What can be said of a document.
    enum Answer {
        case meets, fails
        /// The condition asks for its body, which is damaged, or for others that are.
        case unknown
    }

    private let query: Query
    private let collection: DocumentCollection
    /// Whether the condition asks for properties. Then a body is read to its end first: the engine
    /// looks at its root only, and where an index has the answer, not at that either.
    private let asksForBody: Bool

    init(_ condition: String, _ collection: DocumentCollection, in snapshot: Snapshot) throws {
        self.collection = collection
        query = try DocumentCondition.query(condition, collection.name, onlyParameter: true)
        let sql = try query.explain(in: snapshot, Self.parameters("")).sql
        asksForBody = Self.marksOfBodies.contains { sql.contains($0) }
    }

    /// What stands in the engine's SQL that reads the document's body, or an index of words that
    /// was made of it.
    private static let marksOfBodies = ["\(DocumentCondition.name).body", " MATCH "]

    func answer(for record: Record, in snapshot: Snapshot) throws -> Answer {
        // Nothing is left of a deleted document that could meet it.
        guard !record.flags.contains(.deleted) else { return .fails }
        if asksForBody, try collection.isUnreadable(record.key, in: snapshot) { return .unknown }
        let damage = try UnreadableBodies(in: snapshot)
        let isMet = try query.rows(in: snapshot, Self.parameters(record.key)).next() != nil
        if try damage.wereMet(in: snapshot) { return .unknown }
        return isMet ? .meets : .fails
    }

    private static func parameters(_ id: String) -> QueryParameters { ["id": .string(id)] }
}
