internal import DataFileCore
internal import FleeceLite

/// Tells which documents of a collection meet a condition.
struct ChangeFilter {
    /// What can be said of a document.
    enum Answer {
        case meets, fails
        /// The condition asks for its body, which cannot be read.
        case unknown
    }

    private let query: Query
    private let collection: Collection
    /// Whether the condition goes through arrays: there the engine does not note every body that
    /// cannot be read, and an index may have the answer in its place.
    private let asksForElements: Bool

    init(_ condition: String, _ collection: Collection, in snapshot: Snapshot) throws {
        self.collection = collection
        query = try DocumentCondition.query(condition, collection.name, onlyParameter: true)
        let sql = try query.explain(in: snapshot, Self.parameters("")).sql
        asksForElements = Self.functionsOfElements.contains { sql.contains($0) }
    }

    /// What the engine's SQL calls to go through the elements of an array.
    private static let functionsOfElements = ["fl_each(", "fl_contains(", "fl_unnested_value("]

    func answer(for record: Record, in snapshot: Snapshot) throws -> Answer {
        // Nothing is left of a deleted document that could meet it.
        guard !record.flags.contains(.deleted) else { return .fails }
        let damage = try UnreadableBodies(in: snapshot)
        let isMet = try query.rows(in: snapshot, Self.parameters(record.key)).next() != nil
        if try damage.wereMet(in: snapshot) { return .unknown }
        if asksForElements, try isUnreadable(record.key, in: snapshot) { return .unknown }
        return isMet ? .meets : .fails
    }

    private static func parameters(_ id: String) -> QueryParameters { ["id": .string(id)] }

    /// Whether a document has a body, and that is none with properties.
    private func isUnreadable(_ id: String, in snapshot: Snapshot) throws -> Bool {
        guard let body = try collection.keyStore.get(id, in: snapshot)?.currentBody else {
            return false
        }
        return (try? FleeceDocument(trusted: body))?.isDictionary != true
    }
}
