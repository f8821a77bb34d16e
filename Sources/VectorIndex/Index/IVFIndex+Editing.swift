internal import SQLCore
internal import StoreFormat

// Changes of single vectors.
extension IVFIndex {
    /// Replaces the vector of a document.
    ///
    /// - Parameter numbers: single-precision numbers, little-endian; nil if the document has none.
    /// - Returns: false if the numbers cannot be in the index: there are too many or too few, one
    ///   is not finite, or they have no direction. The index has no vector of the document then.
    package func set(_ docid: Int64, _ numbers: UnsafeRawBufferPointer?) throws -> Bool {
        guard let numbers else {
            try remove(docid)
            return true
        }
        guard let vector = placed(numbers) else {
            try remove(docid)
            return false
        }
        let bytes = stored.encoded(vector)
        if let old = try statements.stored(docid) {
            if old.bytes == bytes { return true }
            try removeEntries(docid, old.pair)
        }
        try insert(docid, vector, bytes)
        return true
    }

    /// Removes the vector of a document, if there is one.
    package func remove(_ docid: Int64) throws {
        guard let old = try statements.stored(docid) else { return }
        try statements.remove(docid)
        try removeEntries(docid, old.pair)
    }

    /// Whether numbers can be in the index: as many as it has dimensions, finite, and with a
    /// direction if that matters.
    package func canContain(_ numbers: UnsafeRawBufferPointer) -> Bool { placed(numbers) != nil }

    /// The numbers in the space of the index; nil if it cannot contain them.
    func placed(_ numbers: UnsafeRawBufferPointer) -> [Float]? {
        guard numbers.count == 4 * space.dimensions else { return nil }
        let floats = (0..<space.dimensions).map { index in
            Float(
                bitPattern: UInt32(
                    littleEndian: numbers.loadUnaligned(
                        fromByteOffset: 4 * index, as: UInt32.self)))
        }
        return floats.withUnsafeBufferPointer { space.place($0) }
    }

    private func insert(_ docid: Int64, _ vector: [Float], _ bytes: [UInt8]) throws {
        guard let cells = try cells() else {
            return try statements.put(docid, CellPair(cell: 0, spill: 0), bytes)
        }
        let indices = cells.indices(of: vector, space)
        try statements.put(docid, cells.pair(indices), bytes)
        let counts = try addEntries(docid, vector, indices, cells)
        for (cell, count) in counts where cells.shouldSplit(at: count) { try split(cell) }
    }

    /// Adds the entries of a vector; returns the number of entries that its cells then have.
    @discardableResult
    func addEntries(
        _ docid: Int64, _ vector: [Float], _ indices: (first: Int, second: Int?), _ cells: CellSet
    ) throws -> [(cell: Int64, count: Int)] {
        try [indices.first, indices.second].compactMap(\.self).map { index in
            let entry = postings.entry(docid, cells.difference(vector, index))
            return (cells.cells[index], try postings.append(entry, to: cells.cells[index]))
        }
    }

    private func removeEntries(_ docid: Int64, _ pair: CellPair) throws {
        var small: [Int64] = []
        for cell in [pair.cell, pair.spill] where cell > 0 {
            let count = try postings.remove(docid, from: cell)
            if let cells = try cells(), count < cells.smallestCell, cells.cells.count > 2 {
                small.append(cell)
            }
        }
        for cell in small { try dissolve(cell) }
    }
}

extension CellSet {
    /// The average number of entries of a cell, so that there are 4 times the square root of all
    /// vectors of them, each with two entries.
    var averageCell: Int { max(Self.leastAverage, cells.count / 8) }
    /// The average number of entries in an index of few vectors.
    static let leastAverage = 64
    /// The most entries of a cell. One with more is split.
    var largestCell: Int { 2 * averageCell }
    /// Whether a cell that has got its `count`th entry is split. Equal vectors cannot be separated:
    /// it is tried again after some more, and given up at last.
    func shouldSplit(at count: Int) -> Bool {
        let excess = count - largestCell - 1
        return excess >= 0 && excess % averageCell == 0 && count <= 16 * largestCell
    }
    /// The fewest entries of a cell. The vectors of one with fewer go to others.
    var smallestCell: Int { averageCell / 4 }
}
