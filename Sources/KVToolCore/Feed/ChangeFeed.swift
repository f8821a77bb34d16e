package import DocumentStore
internal import StoreTools

/// The changes of collections in the order of their sequences, from a starting point.
///
/// Each collection has its own sequence. Only the latest change of a document is available; purged
/// documents are only counted.
package struct ChangeFeed {
    /// The starting point of the feed.
    package enum Start: Equatable {
        /// After this sequence of each collection.
        case after(Int64)
        /// With future changes only.
        case now
    }

    /// A change.
    package enum Change {
        /// A document was written or deleted. This is its latest change.
        case document(Record, FleeceDocument?)
        /// A change of a document that cannot be read.
        case damaged(Record, StoreError)
        /// A document for which the condition cannot be evaluated.
        case undecided(StoreError)
        /// The number of documents purged since the last call.
        case purged(Int64)
    }

    private struct Position {
        var sequence: Int64
        var purges: Int64
    }

    /// The collections of the feed; nil for all.
    private let names: [CollectionName]?
    private let start: Start
    private let condition: String?
    private let hasBodies: Bool
    private var positions: [CollectionName: Position] = [:]
    private var hasStarted = false

    /// - Parameters:
    ///   - condition: a filter: only documents that meet it are reported.
    ///   - hasBodies: whether changes include the properties.
    package init(
        _ names: [CollectionName]?, from start: Start, where condition: String?, hasBodies: Bool
    ) {
        self.names = names
        self.start = start
        self.condition = condition
        self.hasBodies = hasBodies
    }

    /// Passes the changes since the last call to `body`; ends early when `body` returns false.
    ///
    /// - Throws: if a named collection does not exist at the first call. A collection that is
    ///   deleted later has no further changes.
    package mutating func advance(
        in snapshot: Snapshot, _ body: (CollectionName, Change) throws -> Bool
    ) throws {
        let all = try snapshot.collectionNames()
        if !hasStarted, let missing = names?.first(where: { !all.contains($0) }) {
            // This throws the error for a collection that does not exist.
            _ = try DocumentCollection(missing).count(in: snapshot)
        }
        for name in all where names?.contains(name) ?? true {
            guard try advance(DocumentCollection(name), snapshot, body) else { return }
        }
        hasStarted = true
    }

    private mutating func advance(
        _ collection: DocumentCollection, _ snapshot: Snapshot,
        _ body: (CollectionName, Change) throws -> Bool
    ) throws -> Bool {
        let last = try collection.keyStore.lastSequence(in: snapshot)
        let purges = try collection.keyStore.purgeCount(in: snapshot)
        var position = positions[collection.name] ?? first(last, purges)
        // The sequence of a collection that was deleted and created again restarts.
        if last < position.sequence { position = Position(sequence: 0, purges: purges) }
        if last > position.sequence {
            let goesOn = try forEachChange(collection, after: position.sequence, snapshot) {
                position.sequence = max(position.sequence, $0)
                return try body(collection.name, $1)
            }
            guard goesOn else { return false }
        }
        positions[collection.name] = Position(sequence: last, purges: purges)
        guard purges > position.purges, condition == nil else { return true }
        return try body(collection.name, .purged(purges - position.purges))
    }

    private func first(_ last: Int64, _ purges: Int64) -> Position {
        switch start {
        case .after(let sequence): Position(sequence: min(sequence, last), purges: purges)
        case .now: Position(sequence: hasStarted ? 0 : last, purges: purges)
        }
    }

    private func forEachChange(
        _ collection: DocumentCollection, after sequence: Int64, _ snapshot: Snapshot,
        _ body: (Int64, Change) throws -> Bool
    ) throws -> Bool {
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = (sequence + 1)...Int64.max
        options.includesDeleted = true
        options.content = hasBodies ? .all : .metadata
        let filter = try condition.map { try ChangeFilter($0, collection, in: snapshot) }
        let records = try collection.records(options, in: snapshot)
        while let record = try records.next() {
            // The feed runs on the calling thread, so Ctrl-C does not interrupt SQLite.
            try Task.checkCancellation()
            guard let change = try change(record, filter, snapshot) else { continue }
            guard try body(record.sequence, change) else { return false }
        }
        return true
    }

    /// Returns nil if the document does not meet the condition.
    private func change(
        _ record: Record, _ filter: ChangeFilter?, _ snapshot: Snapshot
    ) throws -> Change? {
        switch try filter?.answer(for: record, in: snapshot) {
        case .fails: nil
        case .unknown:
            .undecided(
                StoreError(
                    .corruptData,
                    "the body of the document \"\(record.key)\" is damaged, so it is unknown "
                        + "whether it meets the condition"))
        case .meets, nil: try change(record, snapshot)
        }
    }

    private func change(_ record: Record, _ snapshot: Snapshot) throws -> Change {
        guard hasBodies else { return .document(record, nil) }
        let keys = try snapshot.requireSharedKeys()
        do {
            let body = try record.currentBody.map {
                try FleeceDocument(validating: $0, sharedKeys: keys)
            }
            return .document(record, body)
        } catch {
            return .damaged(
                record,
                StoreError(
                    .corruptData, "document \"\(record.key)\" is damaged: \(error)",
                    underlying: error))
        }
    }
}

/// Evaluates a condition for documents of a collection.
struct ChangeFilter {
    /// The result for a document.
    enum Answer {
        case meets, fails
        /// The condition depends on a damaged body, of this or another document.
        case unknown
    }

    private let query: Query
    private let collection: DocumentCollection
    /// Whether the condition reads properties. The filter then validates the whole body first: the
    /// engine reads only its root, and not even that if an index is sufficient.
    private let asksForBody: Bool

    init(_ condition: String, _ collection: DocumentCollection, in snapshot: Snapshot) throws {
        self.collection = collection
        let condition = try DocumentCondition(condition, collection.name, onlyParameter: true)
        let query = condition.query
        self.query = query
        let sql = try condition.locatingErrors {
            try query.explain(in: snapshot, Self.parameters("")).sql
        }
        asksForBody = Self.marksOfBodies.contains { sql.contains($0) }
    }

    /// Fragments of the engine's SQL that read the document's body, or a full-text index created
    /// from it.
    private static let marksOfBodies = ["\(DocumentCondition.name).body", " MATCH "]

    func answer(for record: Record, in snapshot: Snapshot) throws -> Answer {
        // A deleted document has no properties that could meet the condition.
        guard !record.flags.contains(.deleted) else { return .fails }
        if asksForBody, try collection.isUnreadable(record.key, in: snapshot) { return .unknown }
        let damage = try UnreadableBodies(in: snapshot)
        let isMet = try query.rows(in: snapshot, Self.parameters(record.key)).next() != nil
        if try damage.wereEncountered(in: snapshot) { return .unknown }
        return isMet ? .meets : .fails
    }

    private static func parameters(_ id: String) -> QueryParameters { ["id": .string(id)] }
}
