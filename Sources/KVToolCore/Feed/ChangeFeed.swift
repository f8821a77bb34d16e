package import DocumentStore
internal import StoreTools

/// The changes of collections in the order of their sequences, from a place on.
///
/// Each collection counts its changes by itself. Of a document only the latest change is there;
/// what was purged has left nothing but a number.
package struct ChangeFeed {
    /// Where the feed begins.
    package enum Start: Equatable {
        /// Behind this sequence of each collection.
        case after(Int64)
        /// With what comes from now on.
        case now
    }

    /// What has happened.
    package enum Change {
        /// A document was written or deleted, the latest thing that happened to it.
        case document(Record, FleeceDocument?)
        /// A document's change that cannot be read.
        case damaged(Record, StoreError)
        /// A document was written of which nobody knows whether it meets the condition.
        case undecided(StoreError)
        /// So many documents were purged since the last look.
        case purged(Int64)
    }

    private struct Place {
        var sequence: Int64
        var purges: Int64
    }

    /// The only collections that are looked at; nil for all that there are.
    private let names: [CollectionName]?
    private let start: Start
    private let condition: String?
    private let hasBodies: Bool
    private var places: [CollectionName: Place] = [:]
    private var isBegun = false

    /// - Parameters:
    ///   - condition: documents that meet it are told of, and nothing else is.
    ///   - hasBodies: whether the properties come, too.
    package init(
        _ names: [CollectionName]?, from start: Start, where condition: String?, hasBodies: Bool
    ) {
        self.names = names
        self.start = start
        self.condition = condition
        self.hasBodies = hasBodies
    }

    /// Hands over what has happened since the last look; ends early when `body` returns false.
    ///
    /// Throws if a collection that is named is not there at the first look; one that is deleted
    /// later has no more changes.
    package mutating func advance(
        in snapshot: Snapshot, _ body: (CollectionName, Change) throws -> Bool
    ) throws {
        let all = try snapshot.collectionNames()
        if !isBegun, let missing = names?.first(where: { !all.contains($0) }) {
            // Which says so.
            _ = try DocumentCollection(missing).count(in: snapshot)
        }
        for name in all where names?.contains(name) ?? true {
            guard try advance(DocumentCollection(name), snapshot, body) else { return }
        }
        isBegun = true
    }

    private mutating func advance(
        _ collection: DocumentCollection, _ snapshot: Snapshot,
        _ body: (CollectionName, Change) throws -> Bool
    ) throws -> Bool {
        let last = try collection.keyStore.lastSequence(in: snapshot)
        let purges = try collection.keyStore.purgeCount(in: snapshot)
        var place = places[collection.name] ?? first(last, purges)
        // A collection that was deleted and created again counts from the beginning.
        if last < place.sequence { place = Place(sequence: 0, purges: purges) }
        if last > place.sequence {
            let goesOn = try forEachChange(collection, after: place.sequence, snapshot) {
                place.sequence = max(place.sequence, $0)
                return try body(collection.name, $1)
            }
            guard goesOn else { return false }
        }
        places[collection.name] = Place(sequence: last, purges: purges)
        guard purges > place.purges, condition == nil else { return true }
        return try body(collection.name, .purged(purges - place.purges))
    }

    private func first(_ last: Int64, _ purges: Int64) -> Place {
        switch start {
        case .after(let sequence): Place(sequence: min(sequence, last), purges: purges)
        case .now: Place(sequence: isBegun ? 0 : last, purges: purges)
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
            // The feed is read where it stands, so SQLite is not told of Ctrl-C.
            try Task.checkCancellation()
            guard let change = try change(record, filter, snapshot) else { continue }
            guard try body(record.sequence, change) else { return false }
        }
        return true
    }

    /// Nil if the condition is not met.
    private func change(
        _ record: Record, _ filter: ChangeFilter?, _ snapshot: Snapshot
    ) throws -> Change? {
        switch try filter?.answer(for: record, in: snapshot) {
        case .fails: nil
        case .unknown:
            .undecided(
                StoreError(
                    .corruptData,
                    "the body of the document \"\(record.key)\" is damaged, so nobody knows "
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
