public import FleeceLite
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// Documents whose vectors a lazy index needs, and the vectors that the application computes for
/// them.
///
/// The application computes vectors where that takes long, such as by a service: outside of
/// transactions. A document that changes meanwhile keeps waiting.
///
/// ```swift
/// let updater = try file.read { try people.beginUpdate(of: "byMeaning", limit: 50, in: $0) }
/// if let updater {
///     for index in 0..<updater.count {
///         updater.setVector(vector(of: updater.value(at: index)), at: index)
///     }
///     try file.write { try updater.finish(in: $0) }
/// }
/// ```
///
/// One thread at a time may use it.
public final class VectorIndexUpdater {
    private enum Answer {
        case vector([Float])
        case none
        case skipped
    }

    private struct Item {
        let docid: Int64
        let sequence: Int64
        let value: FleeceValue?
        var answer: Answer?
    }

    private let index: String
    private let store: KeyStoreName
    private let definition: IndexRow
    private var items: [Item]

    init?(_ index: String, _ store: KeyStoreName, limit: Int, in connection: Connection) throws {
        guard let open = try connection.vectorIndex(index), open.row.store == store else {
            throw StoreError(.notFound, "there is no vector index \(index) of \(store.rawName)")
        }
        guard open.row.vectorOptions?.isLazy == true else {
            throw StoreError(.invalidParameter, "the vector index \(index) is not lazy")
        }
        self.index = index
        self.store = store
        definition = open.row
        items = try open.lazyItems(limit: limit).map {
            Item(docid: $0.docid, sequence: $0.sequence, value: $0.value)
        }
        if items.isEmpty { return nil }
    }

    /// The number of documents.
    public var count: Int { items.count }

    /// The value of the index's expression, from which the vector is computed.
    ///
    /// - Parameter index: the position of the document, less than ``count``.
    public func value(at index: Int) -> FleeceValue? { items[index].value }

    /// Sets the vector of a document.
    ///
    /// - Parameters:
    ///   - vector: as many numbers as the index has dimensions; nil if the document has no vector.
    ///   - index: the position of the document, less than ``count``.
    public func setVector(_ vector: [Float]?, at index: Int) {
        items[index].answer = vector.map { .vector($0) } ?? Answer.none
    }

    /// Leaves a document for a later update.
    ///
    /// - Parameter index: the position of the document, less than ``count``.
    public func skipVector(at index: Int) { items[index].answer = .skipped }

    /// Writes the vectors to the index, except those of documents that have changed since the
    /// update began.
    ///
    /// - Parameter transaction: the transaction to write in.
    /// - Throws: ``StoreError/Code/invalidParameter`` if a document was neither given a vector nor
    ///   skipped, or a vector cannot be in the index: it has another number of dimensions, or its
    ///   numbers are not finite. Nothing is written then.
    public func finish(in transaction: Transaction) throws {
        guard let unanswered = items.firstIndex(where: { $0.answer == nil }) else {
            return try transaction.savepoint { try write(in: transaction) }
        }
        throw StoreError(
            .invalidParameter,
            "document \(unanswered) of the update has no vector, and was not skipped")
    }

    private func write(in transaction: Transaction) throws {
        let connection = try transaction.writing()
        guard let open = try connection.vectorIndex(index), open.row.store == store,
            open.row.vectorOptions == definition.vectorOptions,
            open.row.definition == definition.definition
        else {
            throw StoreError(
                .notFound, "the vector index \(index) was deleted, or replaced by another one")
        }
        for (position, item) in items.enumerated() {
            guard try open.sequence(of: item.docid) == item.sequence else { continue }
            switch item.answer {
            case .vector(let vector):
                let isValid = try vector.withUnsafeBytes { try open.index.set(item.docid, $0) }
                guard isValid else {
                    throw StoreError(
                        .invalidParameter,
                        "vector \(position) of the update does not have "
                            + "\(open.index.options.dimensions) finite numbers")
                }
            case .some(.none): try open.index.remove(item.docid)
            case .skipped, nil: continue
            }
            try open.forget(item.docid)
        }
        try open.removeVectorsWithoutValues()
        try open.index.buildCells()
    }
}

// The documents of a lazy index.
extension OpenVectorIndex {
    fileprivate func lazyItems(
        limit: Int
    ) throws -> [(docid: Int64, sequence: Int64, value: FleeceValue?)] {
        let (value, condition) = try Self.parts(row)
        var items: [(docid: Int64, sequence: Int64, value: FleeceValue?)] = []
        // The array keeps the type of the value.
        try context.forEach(
            "SELECT p.docid, d.sequence, array_of(\(value)) FROM \(index.tables.pending) AS p "
                + "JOIN main.\(row.store.tableName.sqlName) AS d ON d.rowid = p.docid "
                + "WHERE \(condition) AND (\(value)) IS NOT NULL ORDER BY p.docid LIMIT ?",
            [.long(Int64(limit))]
        ) { row in
            let array = row.byteArray(at: 2).flatMap { try? FleeceDocument(trusted: $0) }
            items.append((row.long(at: 0), row.long(at: 1), array?.root.array?.first { _ in true }))
        }
        return items
    }

    fileprivate func sequence(of docid: Int64) throws -> Int64? {
        try context.first(
            "SELECT sequence FROM main.\(row.store.tableName.sqlName) WHERE rowid = ?",
            [.long(docid)]
        ) { $0.long(at: 0) }
    }

    fileprivate func forget(_ docid: Int64) throws {
        try context.run("DELETE FROM \(index.tables.pending) WHERE docid = ?", [.long(docid)])
    }

    /// Removes the vectors of changed documents that have no value any more.
    fileprivate func removeVectorsWithoutValues() throws {
        let (value, condition) = try Self.parts(row)
        var docids: [Int64] = []
        try context.forEach(
            "SELECT docid FROM \(index.tables.pending) WHERE docid NOT IN (SELECT d.rowid "
                + "FROM main.\(row.store.tableName.sqlName) AS d WHERE d.rowid IN "
                + "(SELECT docid FROM \(index.tables.pending)) AND \(condition) "
                + "AND (\(value)) IS NOT NULL)"
        ) { docids.append($0.long(at: 0)) }
        for docid in docids {
            try index.remove(docid)
            try forget(docid)
        }
    }
}
