internal import SQLCore
internal import StoreFormat

/// The statements on the tables of vectors and cells.
final class VectorStatements {
    private let cell, insert, setPair, removeVector, vector, page: SQLStatement
    private let selectGeneration, insertCell, deleteCell: SQLStatement

    init(_ tables: VectorTables, _ context: SQLContext) throws {
        let (vectors, cells) = (tables.vectors, tables.cells)
        cell = try context.prepare(
            sql: "SELECT cell, spill, vector FROM \(vectors) WHERE docid = ?")
        vector = try context.prepare(sql: "SELECT vector FROM \(vectors) WHERE docid = ?")
        insert = try context.prepare(sql: "INSERT OR REPLACE INTO \(vectors) VALUES (?, ?, ?, ?)")
        setPair = try context.prepare(
            sql: "UPDATE \(vectors) SET cell = ?2, spill = ?3 WHERE docid = ?1")
        removeVector = try context.prepare(sql: "DELETE FROM \(vectors) WHERE docid = ?")
        page = try context.prepare(
            sql: "SELECT docid, vector FROM \(vectors) WHERE docid > ? ORDER BY docid LIMIT ?")
        selectGeneration = try context.prepare(
            sql: "SELECT centroid FROM \(cells) WHERE cell = 0")
        insertCell = try context.prepare(sql: "INSERT OR REPLACE INTO \(cells) VALUES (?, ?)")
        deleteCell = try context.prepare(sql: "DELETE FROM \(cells) WHERE cell = ?")
    }

    /// The state of the cells; nil if there are none.
    func generation() throws -> Int64? {
        defer { selectGeneration.reset() }
        guard try selectGeneration.next() else { return nil }
        let bytes = selectGeneration.bytes(at: 0)
        guard bytes.count == 8 else { throw StoreError.vectorIndexDamage("the state of its cells") }
        return Int64(littleEndian: bytes.loadUnaligned(as: Int64.self))
    }

    func setGeneration(_ generation: Int64) throws {
        try withUnsafeBytes(of: generation.littleEndian) { try put(insertCell, 0, $0) }
    }

    func putCell(_ cell: Int64, _ centroid: [Float]) throws {
        try centroid.withUnsafeBytes { try put(insertCell, cell, $0) }
    }

    func removeCell(_ cell: Int64) throws { try run(deleteCell, cell) }

    /// The cells and the bytes of a document's vector; nil if the index does not have it.
    func stored(_ docid: Int64) throws -> (pair: CellPair, bytes: [UInt8])? {
        defer { cell.reset() }
        try cell.bind(docid, at: 1)
        guard try cell.next() else { return nil }
        let pair = CellPair(cell: cell.long(at: 0), spill: cell.long(at: 1))
        let cells = 0..<PostingLists.cellLimit
        guard cells ~= pair.cell, cells ~= pair.spill else {
            throw StoreError.vectorIndexDamage("the cells of document \(docid)")
        }
        return (pair, Array(cell.bytes(at: 2)))
    }

    /// Passes the bytes of a document's vector to `body`; nil if the index does not have it.
    func withVector<T>(_ docid: Int64, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T? {
        defer { vector.reset() }
        try vector.bind(docid, at: 1)
        return try vector.next() ? try body(vector.bytes(at: 0)) : nil
    }

    /// Calls `body` with at most `limit` vectors after a document, in the order of the documents.
    func forEachVector(
        after docid: Int64, limit: Int, _ body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        defer { page.reset() }
        try page.bind(docid, at: 1)
        try page.bind(Int64(limit), at: 2)
        while try page.next() { try body(page.long(at: 0), page.bytes(at: 1)) }
    }

    func put(_ docid: Int64, _ pair: CellPair, _ vector: [UInt8]) throws {
        defer { insert.reset() }
        try insert.bind(docid, at: 1)
        try insert.bind(pair.cell, at: 2)
        try insert.bind(pair.spill, at: 3)
        try vector.withUnsafeBytes { try insert.bind($0, at: 4) }
        while try insert.next() {}
    }

    func setPair(_ pair: CellPair, of docid: Int64) throws {
        defer { setPair.reset() }
        try setPair.bind(docid, at: 1)
        try setPair.bind(pair.cell, at: 2)
        try setPair.bind(pair.spill, at: 3)
        while try setPair.next() {}
    }

    func remove(_ docid: Int64) throws { try run(removeVector, docid) }

    private func put(
        _ statement: SQLStatement, _ number: Int64, _ bytes: UnsafeRawBufferPointer
    ) throws {
        defer { statement.reset() }
        try statement.bind(number, at: 1)
        try statement.bind(bytes, at: 2)
        while try statement.next() {}
    }

    private func run(_ statement: SQLStatement, _ number: Int64) throws {
        defer { statement.reset() }
        try statement.bind(number, at: 1)
        while try statement.next() {}
    }
}
