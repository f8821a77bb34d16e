package import SQLCore
internal import StoreFormat

/// A vector index in the tables of a file: finds the vectors that are nearest to another one.
///
/// Vectors are divided into cells (an inverted file index, IVF). A query reads the nearest cells
/// only, where each vector has a code of one bit for each dimension, from which its distance
/// follows with a known error (RaBitQ). The vectors that can be among the nearest are then measured
/// with their copies. A small index has no cells, and is searched completely.
///
/// It belongs to one connection, in whose transactions it reads and writes.
package final class IVFIndex {
    package let options: VectorIndexOptions
    package let tables: VectorTables
    let seed: UInt64
    let space: VectorSpace
    let stored: StoredVector
    let postings: PostingLists
    let context: SQLContext
    private let cache: CellCache
    let statements: VectorStatements

    /// Prepares the use of existing tables.
    package init(
        _ tables: VectorTables, _ options: VectorIndexOptions, seed: UInt64, in context: SQLContext,
        cache: CellCache
    ) throws {
        self.tables = tables
        self.options = options
        self.seed = seed
        self.context = context
        self.cache = cache
        space = VectorSpace(dimensions: options.dimensions, metric: options.metric, seed: seed)
        stored = StoredVector(space: space, encoding: options.encoding)
        let pageSize = Int(try context.pragma("page_size")?.longValue ?? 4096)
        postings = try PostingLists(tables, space, pageSize: pageSize, context)
        statements = try VectorStatements(tables, context)
    }

    /// The number of indexed vectors. Reads all pages of their table.
    package func count() throws -> Int {
        Int(try context.first("SELECT count(*) FROM \(tables.vectors)") { $0.long(at: 0) } ?? 0)
    }

    /// The cells; nil if the index has none.
    ///
    /// Throws `.corruptData` for centroids of another length.
    func cells() throws -> CellSet? {
        guard let generation = try statements.generation() else { return nil }
        if let known = cache.cells(of: tables.pendingName, generation: generation),
            known.dimensions == space.count
        {
            return known
        }
        var numbers: [Int64] = []
        var centroids: [Float] = []
        try context.forEach(
            "SELECT cell, centroid FROM \(tables.cells) WHERE cell > 0 ORDER BY cell"
        ) { row in
            let bytes = row.bytes(at: 1)
            guard bytes.count == 4 * space.count, row.long(at: 0) < PostingLists.cellLimit else {
                throw StoreError.vectorIndexDamage("the centroid of cell \(row.long(at: 0))")
            }
            numbers.append(row.long(at: 0))
            let centroid = (0..<space.count).map {
                bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self)
            }
            guard centroid.allSatisfy({ abs($0) < .greatestFiniteMagnitude.squareRoot() }) else {
                throw StoreError.vectorIndexDamage("the centroid of cell \(row.long(at: 0))")
            }
            centroids += centroid
        }
        guard !numbers.isEmpty else { throw StoreError.vectorIndexDamage("it has no cells") }
        let cells = CellSet(generation: generation, cells: numbers, centroids: centroids, space)
        cache.keep(cells, of: tables.pendingName)
        return cells
    }

    /// Replaces cells in the table and in memory: removes those of `removed`, and writes `added`.
    func changeCells(
        _ old: CellSet?, removing removed: Set<Int64> = [], adding added: [Int64: [Float]]
    ) throws -> CellSet {
        let generation = Self.generation(after: old, removed, added)
        for cell in removed { try statements.removeCell(cell) }
        for (cell, centroid) in added { try statements.putCell(cell, centroid) }
        try statements.setGeneration(generation)
        var all = added
        for (index, cell) in (old?.cells ?? []).enumerated()
        where all[cell] == nil && !removed.contains(cell) {
            all[cell] = old.map { Array($0.centroid(index)) }
        }
        let numbers = all.keys.sorted()
        let cells = CellSet(
            generation: generation, cells: numbers, centroids: numbers.flatMap { all[$0] ?? [] },
            space)
        cache.keep(cells, of: tables.pendingName)
        return cells
    }

    /// Identifies the cells by their changes, so that the same ones always have the same number,
    /// and others another one, also after a rollback.
    private static func generation(
        after old: CellSet?, _ removed: Set<Int64>, _ added: [Int64: [Float]]
    ) -> Int64 {
        var generator = SplitMix(seed: UInt64(bitPattern: old?.generation ?? 0))
        func mix(_ word: UInt64) { generator = SplitMix(seed: generator.next() ^ word) }
        for cell in removed.sorted() { mix(UInt64(bitPattern: cell)) }
        for (cell, centroid) in added.sorted(by: { $0.key < $1.key }) {
            mix(UInt64(bitPattern: cell))
            for number in centroid { mix(UInt64(number.bitPattern)) }
        }
        return Int64(bitPattern: generator.next())
    }
}
