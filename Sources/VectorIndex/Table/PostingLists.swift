internal import CVector
internal import SQLCore
internal import StoreFormat

/// The codes of the vectors of each cell, in rows that fit a page of the file.
///
/// A row's ID is the cell times 2^20 plus its number in the cell. All rows of a cell but the last
/// are full.
final class PostingLists {
    private let space: VectorSpace
    /// The number of entries of a full row.
    let capacity: Int
    /// The size of an entry in bytes.
    let entrySize: Int
    private let selectLast, selectAll, insert, update, delete: SQLStatement

    static let rowBits: Int64 = 20
    /// All numbers of cells are below.
    static let cellLimit: Int64 = 1 << (62 - rowBits)

    init(_ tables: VectorTables, _ space: VectorSpace, pageSize: Int, _ context: SQLContext) throws
    {
        self.space = space
        entrySize = MemoryLayout<cvector_entry>.size + space.count / 8
        // What a page has besides its payload, and what encryption reserves.
        capacity = max(1, (pageSize - 120) / entrySize)
        let range = "WHERE id BETWEEN ? AND ? ORDER BY id"
        selectLast = try context.prepare(
            sql: "SELECT id, entries FROM \(tables.postings) \(range) DESC LIMIT 1")
        selectAll = try context.prepare(sql: "SELECT id, entries FROM \(tables.postings) \(range)")
        insert = try context.prepare(sql: "INSERT INTO \(tables.postings) VALUES (?, ?)")
        update = try context.prepare(
            sql: "UPDATE \(tables.postings) SET entries = ?2 WHERE id = ?1")
        delete = try context.prepare(
            sql: "DELETE FROM \(tables.postings) WHERE id BETWEEN ? AND ?")
    }

    /// The entry of a vector in a cell.
    func entry(_ docid: Int64, _ difference: [Float]) -> [UInt8] {
        var entry = [UInt8](repeating: 0, count: entrySize)
        cvector_set_entry(difference, space.count, docid, &entry)
        return entry
    }

    /// Calls `body` with the entries of each row of a cell.
    ///
    /// Throws `.corruptData` for a row that is not a number of entries.
    func forEachRow(
        of cell: Int64, _ body: (_ id: Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        defer { selectAll.reset() }
        try bind(cell, selectAll)
        while try selectAll.next() {
            let entries = selectAll.bytes(at: 1)
            guard entries.count % entrySize == 0 else { throw damage(cell) }
            try body(selectAll.long(at: 0), entries)
        }
    }

    /// Calls `body` with each entry of a cell, and its document.
    func forEachEntry(
        of cell: Int64, _ body: (_ docid: Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try forEachRow(of: cell) { _, entries in
            for offset in stride(from: 0, to: entries.count, by: entrySize) {
                try body(
                    Self.docid(entries, offset),
                    UnsafeRawBufferPointer(rebasing: entries[offset..<(offset + entrySize)]))
            }
        }
    }

    /// The documents of a cell, in the order of the entries.
    func documents(of cell: Int64) throws -> [Int64] {
        var documents: [Int64] = []
        try forEachEntry(of: cell) { docid, _ in documents.append(docid) }
        return documents
    }

    /// Adds an entry; returns the number of entries that the cell then has.
    func append(_ entry: [UInt8], to cell: Int64) throws -> Int {
        guard let last = try last(of: cell) else {
            try put(insert, cell << Self.rowBits, entry)
            return 1
        }
        let row = Int(last.id - cell << Self.rowBits)
        let count = last.entries.count / entrySize
        guard count >= capacity else {
            try put(update, last.id, last.entries + entry)
            return row * capacity + count + 1
        }
        guard row + 1 < 1 << Self.rowBits else { throw damage(cell) }
        try put(insert, last.id + 1, entry)
        return (row + 1) * capacity + 1
    }

    /// Removes the entry of a document, whose place the last entry takes; returns the number of
    /// entries that remain.
    ///
    /// Throws `.corruptData` if the cell has no such entry.
    func remove(_ docid: Int64, from cell: Int64) throws -> Int {
        guard let place = try place(of: docid, in: cell), var last = try last(of: cell) else {
            throw StoreError.vectorIndexDamage("document \(docid) is missing in cell \(cell)")
        }
        let moved = Array(last.entries.suffix(entrySize))
        last.entries.removeLast(entrySize)
        if place.id == last.id {
            if place.offset < last.entries.count {
                last.entries.replaceSubrange(place.offset..<place.offset + entrySize, with: moved)
            }
        } else {
            var entries = place.entries
            entries.replaceSubrange(place.offset..<place.offset + entrySize, with: moved)
            try put(update, place.id, entries)
        }
        if last.entries.isEmpty {
            try run(delete, last.id, last.id)
        } else {
            try put(update, last.id, last.entries)
        }
        return Int(last.id - cell << Self.rowBits) * capacity + last.entries.count / entrySize
    }

    /// The number of entries of a cell.
    func count(of cell: Int64) throws -> Int {
        guard let last = try last(of: cell) else { return 0 }
        return Int(last.id - cell << Self.rowBits) * capacity + last.entries.count / entrySize
    }

    /// Writes a row of a cell that does not have it.
    func insert(row: Int64, of cell: Int64, _ entries: [UInt8]) throws {
        guard row < 1 << Self.rowBits else { throw damage(cell) }
        try put(insert, cell << Self.rowBits + row, entries)
    }

    func removeAll(of cell: Int64) throws {
        try run(delete, cell << Self.rowBits, (cell + 1) << Self.rowBits - 1)
    }

    private func place(
        of docid: Int64, in cell: Int64
    ) throws -> (id: Int64, offset: Int, entries: [UInt8])? {
        var found: (Int64, Int, [UInt8])?
        try forEachRow(of: cell) { id, entries in
            for offset in stride(from: 0, to: entries.count, by: entrySize)
            where found == nil && Self.docid(entries, offset) == docid {
                found = (id, offset, Array(entries))
            }
        }
        return found
    }

    private func last(of cell: Int64) throws -> (id: Int64, entries: [UInt8])? {
        defer { selectLast.reset() }
        try bind(cell, selectLast)
        guard try selectLast.next() else { return nil }
        let entries = Array(selectLast.bytes(at: 1))
        guard entries.count % entrySize == 0, !entries.isEmpty else { throw damage(cell) }
        return (selectLast.long(at: 0), entries)
    }

    static func docid(_ entries: UnsafeRawBufferPointer, _ offset: Int) -> Int64 {
        entries.loadUnaligned(fromByteOffset: offset, as: Int64.self)
    }

    private func bind(_ cell: Int64, _ statement: SQLStatement) throws {
        try statement.bind(cell << Self.rowBits, at: 1)
        try statement.bind((cell + 1) << Self.rowBits - 1, at: 2)
    }

    private func put(_ statement: SQLStatement, _ id: Int64, _ entries: [UInt8]) throws {
        defer { statement.reset() }
        try statement.bind(id, at: 1)
        try entries.withUnsafeBytes { try statement.bind($0, at: 2) }
        while try statement.next() {}
    }

    private func run(_ statement: SQLStatement, _ first: Int64, _ last: Int64) throws {
        defer { statement.reset() }
        try statement.bind(first, at: 1)
        try statement.bind(last, at: 2)
        while try statement.next() {}
    }

    private func damage(_ cell: Int64) -> StoreError {
        StoreError.vectorIndexDamage("the entries of cell \(cell)")
    }
}
