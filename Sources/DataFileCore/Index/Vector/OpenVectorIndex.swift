internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
package import VectorIndex

/// A vector index on a connection: its tables, and the documents from which they follow.
package final class OpenVectorIndex {
    /// The row in the registry.
    let row: IndexRow
    package let index: IVFIndex
    let context: SQLContext
    private let changes: SQLStatement
    private let countChanges: SQLStatement
    private let forget: SQLStatement
    /// What the last search has read, for descriptions of a query.
    package private(set) var lastWork: SearchWork?

    /// A document, and its vector if it has one.
    typealias Change = (docid: Int64, numbers: [UInt8]?)

    /// Throws `.corruptData` if the tables or triggers of the index are missing, or its definition
    /// cannot be read.
    init(_ row: IndexRow, _ connection: Connection) throws {
        guard let schema = try? row.definedSchema(), let options = row.vectorOptions,
            let base = row.table
        else {
            throw StoreError(
                .corruptData,
                "the definition of the vector index \(row.name) cannot be read; create it again")
        }
        self.row = row
        context = connection.context
        // Another program may have deleted the collection, and created it again.
        let objects =
            schema.otherTables + schema.tables.map { ($0.name, $0.sql) }
            + schema.tables.flatMap(\.triggers).map { ($0.name, $0.sql) }
        for object in objects {
            guard try context.hasSchema(object.name, as: [object.sql]) else {
                throw StoreError(
                    .corruptData,
                    "the vector index \(row.name) is out of date: \(object.name) is missing or "
                        + "another one; rebuild the index")
            }
        }
        let tables = VectorTables(base: base)
        index = try IVFIndex(
            tables, options, seed: Self.seed(base), in: context,
            cache: connection.state.vectorCells)
        changes = try context.prepare(sql: Self.changesSQL(row, tables))
        countChanges = try context.prepare(
            sql: "SELECT count(*) FROM (SELECT 1 FROM \(tables.pending) LIMIT ?)")
        forget = try context.prepare(
            sql: "DELETE FROM \(tables.pending) WHERE docid BETWEEN ? AND ?")
    }

    /// The same for an index of this name, so that the same documents give the same index.
    private static func seed(_ table: String) -> UInt64 {
        table.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// The indexed expression of the document `d`, and the condition for it to be in the index.
    static func parts(_ row: IndexRow) throws -> (value: String, condition: String) {
        let value =
            try row.definition?.expressions.first?.indexSQL(of: .documents(prefix: "d.")) ?? "NULL"
        let condition = try TriggerCondition(row.definition?.condition, row.name)
            .sql("d.", after: SchemaSQL.isAlive("d."))
        return (value, condition)
    }

    /// The vector of the document `d`; NULL if it has none.
    static func valueSQL(_ row: IndexRow) throws -> String {
        let (value, condition) = try parts(row)
        return "encode_vector(CASE WHEN \(condition) THEN \(value) END)"
    }

    /// The changed documents after one, with their current values.
    private static func changesSQL(_ row: IndexRow, _ tables: VectorTables) throws -> String {
        "SELECT p.docid, \(try valueSQL(row)) "
            + "FROM \(tables.pending) AS p LEFT JOIN main.\(row.store.tableName.sqlName) AS d "
            + "ON d.rowid = p.docid WHERE p.docid > ? ORDER BY p.docid LIMIT ?"
    }

    /// The number of changed documents, counted up to a limit.
    package func changeCount(atMost limit: Int) throws -> Int {
        defer { countChanges.reset() }
        try countChanges.bind(Int64(limit), at: 1)
        return try countChanges.next() ? Int(countChanges.long(at: 0)) : 0
    }

    /// The documents after one, by a statement whose parameters are that and their number.
    func rows(_ statement: SQLStatement, after docid: Int64, limit: Int) throws -> [Change] {
        defer { statement.reset() }
        try statement.bind(docid, at: 1)
        try statement.bind(Int64(limit), at: 2)
        var found: [Change] = []
        while try statement.next() {
            found.append(
                (statement.long(at: 0), statement.isNull(at: 1) ? nil : statement.byteArray(at: 1)))
        }
        return found
    }
}

// Bringing the index up to date.
extension OpenVectorIndex {
    /// Indexes changed documents, in the caller's transaction.
    ///
    /// - Returns: how many there were; fewer than `limit` if none are left.
    func update(limit: Int) throws -> Int {
        let changes = try rows(changes, after: .min, limit: limit)
        guard let first = changes.first, let last = changes.last else { return 0 }
        try index.set(changes)
        defer { forget.reset() }
        try forget.bind(first.docid, at: 1)
        try forget.bind(last.docid, at: 2)
        while try forget.next() {}
        return changes.count
    }
}

// Searching.
extension OpenVectorIndex {
    /// The documents whose vectors are nearest to another one. Documents that have changed since
    /// they were indexed are compared one by one, so that the result is that of the snapshot.
    ///
    /// - Parameters:
    ///   - numbers: the vector: single-precision numbers, little-endian.
    ///   - limit: how many are found at most; nil for all.
    ///   - probes: how many cells are searched; nil for the index's number.
    ///   - only: the documents among which are searched; nil for all.
    package func nearest(
        to numbers: UnsafeRawBufferPointer, limit: Int?, probes: Int?, only: [Int64]?
    ) throws -> NearestVectors {
        let (changed, near) = try changedDocuments(numbers)
        var found = try index.nearest(
            to: numbers, limit: limit, probes: probes, only: only, except: changed)
        defer { lastWork = found.work }
        guard !near.isEmpty else { return found }
        let wanted = only.map { Set($0) }
        for document in near where wanted?.contains(document.docid) ?? true {
            found.work.measurements += 1
            found.documents.append(document)
        }
        found.documents.sort { ($0.distance, $0.docid) < ($1.distance, $1.docid) }
        if let limit { found.documents.removeLast(max(0, found.documents.count - limit)) }
        return found
    }

    /// The changed documents, and the distances of those that have a vector. A lazy index does not
    /// know the vectors of changed documents.
    private func changedDocuments(
        _ numbers: UnsafeRawBufferPointer
    ) throws -> (changed: Set<Int64>, near: [(docid: Int64, distance: Double)]) {
        var changed: Set<Int64> = []
        var near: [(docid: Int64, distance: Double)] = []
        guard try changeCount(atMost: 1) > 0 else { return (changed, near) }
        guard row.vectorOptions?.isLazy != true else { return (try changedDocuments(), near) }
        let distance = index.distances(from: numbers)
        defer { changes.reset() }
        try changes.bind(Int64.min, at: 1)
        try changes.bind(Int64.max, at: 2)
        while try changes.next() {
            let docid = changes.long(at: 0)
            changed.insert(docid)
            guard !changes.isNull(at: 1),
                let measured = distance(changes.bytes(at: 1)), !measured.isNaN
            else { continue }
            near.append((docid, measured))
        }
        return (changed, near)
    }

    /// The documents that have changed since they were indexed.
    func changedDocuments() throws -> Set<Int64> {
        var changed: Set<Int64> = []
        try context.forEach("SELECT docid FROM \(index.tables.pending)") {
            changed.insert($0.long(at: 0))
        }
        return changed
    }
}
