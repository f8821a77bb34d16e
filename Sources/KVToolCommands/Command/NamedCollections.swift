internal import DocumentStore
internal import KVToolCore
internal import Replication

/// A database and the collections in it that a repeatable option names.
struct NamedCollections: Sendable {
    let database: DatabaseArguments
    let collection: [String]

    /// Returns the collections that the arguments name; empty for all.
    ///
    /// Throws if the database argument and `--collection` name different collections.
    func named() throws -> [CollectionName] {
        let words = collection.flatMap {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        let names = try words.map { try CollectionName(argument: String($0)) }
        for name in names { try database.address.requireSameCollection(name) }
        guard names.isEmpty, let addressed = database.address.collection else { return names }
        return [try CollectionName(argument: addressed)]
    }

    /// Returns the collection of documents that are named, by default the default collection.
    func one() throws -> CollectionName {
        let names = try named()
        guard names.count <= 1 else {
            throw ToolError("IDs are those of one collection; name one", status: .usage)
        }
        return names.first ?? .default
    }

    /// Returns the collections that the arguments name, or all; throws if one does not exist.
    func collections(in snapshot: Snapshot) throws -> [DocumentCollection] {
        let named = try named()
        return try (named.isEmpty ? snapshot.collectionNames() : named).map {
            try existing($0, in: snapshot)
        }
    }

    /// Returns a collection; throws if it does not exist.
    func existing(_ name: CollectionName, in snapshot: Snapshot) throws -> DocumentCollection {
        let collection = DocumentCollection(name)
        guard try collection.exists(in: snapshot) else {
            throw ToolError("\(database.path) has no collection \(name)", status: .notFound)
        }
        return collection
    }
}

/// Reads the documents with conflicts of a snapshot.
struct ConflictReader {
    private let snapshot: Snapshot
    private let lastWriter: LastWriter

    init(_ snapshot: Snapshot) throws {
        self.snapshot = snapshot
        lastWriter = try LastWriter(in: snapshot)
    }

    /// Calls `body` with the IDs of the documents of a collection that have the flag for conflicts,
    /// in their order.
    ///
    /// Reads no bodies, and with the index of conflicts no other rows.
    func forEachID(in collection: DocumentCollection, _ body: (String) throws -> Void) throws {
        var options = RecordEnumerator.Options()
        options.conflictedOnly = true
        options.includesDeleted = true
        options.content = .metadata
        let records = try collection.records(options, in: snapshot)
        while let record = try records.next() { try body(record.key) }
    }

    /// Reads a document; nil if it has no conflict.
    func document(
        _ id: String, in collection: DocumentCollection
    ) throws -> ConflictedDocument? {
        try ConflictedDocument(id, in: collection, snapshot) {
            lastWriter.isLater($0, than: $1)
        }
    }
}

/// The documents with conflicts that a command line names.
struct ConflictSelection: Sendable {
    let location: NamedCollections
    /// IDs and patterns; empty for all documents with conflicts.
    let ids: [String]

    /// Whether it includes documents that are not named individually.
    var isOpen: Bool { ids.isEmpty || ids.contains { KeyPattern($0)?.isOpen == true } }

    /// Calls `body` for each document, and returns the errors of those that cannot be used: that
    /// do not exist, have no conflict, or for which `body` throws a `ConflictProblem`.
    func forEach(
        in snapshot: Snapshot, _ body: (ConflictedDocument) throws -> Void
    ) throws -> [ConflictProblem] {
        let reader = try ConflictReader(snapshot)
        var problems: [ConflictProblem] = []
        for (collection, id) in try choices(in: snapshot, reader, &problems) {
            do {
                guard let document = try reader.document(id, in: collection) else {
                    throw StoreError(
                        .notFound, "document \"\(Text.line(id))\" has no conflict")
                }
                try body(document)
            } catch let error as StoreError where error.isOfOneDocument {
                problems.append(
                    ConflictProblem(message: error.messageForPeople, status: ExitStatus(error)))
            } catch let problem as ConflictProblem {
                problems.append(problem)
            }
        }
        return problems
    }

    /// Returns the IDs that are named or match a pattern, each once.
    private func choices(
        in snapshot: Snapshot, _ reader: ConflictReader, _ problems: inout [ConflictProblem]
    ) throws -> [(DocumentCollection, String)] {
        var choices: [(DocumentCollection, String)] = []
        guard !ids.isEmpty else {
            for collection in try location.collections(in: snapshot) {
                try reader.forEachID(in: collection) { choices.append((collection, $0)) }
            }
            return choices
        }
        let collection = try location.existing(location.one(), in: snapshot)
        var seen: Set<[UInt8]> = []
        for name in ids {
            var found = KeyPattern(name) == nil ? [name] : []
            if let pattern = KeyPattern(name) {
                try reader.forEachID(in: collection) { if pattern.matches($0) { found.append($0) } }
            }
            if found.isEmpty {
                let message =
                    "no document with a conflict of the collection \(collection.name) matches "
                    + "\"\(Text.line(name))\""
                problems.append(ConflictProblem(message: message, status: .notFound))
            }
            for id in found where seen.insert(Array(id.utf8)).inserted {
                choices.append((collection, id))
            }
        }
        return choices
    }
}

/// Why a document is not shown or resolved.
struct ConflictProblem: Error {
    let message: String
    let status: ExitStatus

    /// Reports problems on standard error, and ends the command if there are any.
    ///
    /// - Parameter done: the number of documents without a problem.
    static func report(_ problems: [ConflictProblem], done: Int) throws {
        guard let first = problems.first else { return }
        for problem in problems {
            StandardError.current.writeAboutSubject(problem.message, status: problem.status)
        }
        let isDamaged = problems.contains { $0.status == .damaged }
        throw ReportedFailure(status: isDamaged ? .damaged : done > 0 ? .partial : first.status)
    }
}
