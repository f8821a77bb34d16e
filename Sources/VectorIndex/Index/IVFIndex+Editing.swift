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
        let change = Change(docid, numbers, self)
        if try !isStored(change) { try replace(change, nil) }
        return numbers == nil || change.vector != nil
    }

    /// Replaces the vectors of many documents, which costs less than one by one.
    ///
    /// - Parameter vectors: for each document single-precision numbers, little-endian; nil, or
    ///   numbers that cannot be in the index, if it has none.
    package func set(_ vectors: [(docid: Int64, numbers: [UInt8]?)]) throws {
        let changes = try vectors.map { docid, numbers in
            guard let numbers else { return Change(docid, nil, self) }
            return numbers.withUnsafeBytes { Change(docid, $0, self) }
        }.filter { try !isStored($0) }
        let cells = try cells()
        var places = cells?.indices(ofEach: changes.flatMap { $0.vector ?? [] }, space)[...]
        for change in changes {
            let place = change.vector == nil ? nil : places?.popFirst()
            // A change before may have divided cells.
            let isCurrent = try self.cells()?.generation == cells?.generation
            try replace(change, isCurrent ? place : nil)
        }
    }

    /// The vector that a document has got, in the space of the index, and as it is stored.
    private struct Change {
        let docid: Int64
        let vector: [Float]?
        let bytes: [UInt8]

        init(_ docid: Int64, _ numbers: UnsafeRawBufferPointer?, _ index: IVFIndex) {
            self.docid = docid
            vector = numbers.flatMap { index.placed($0) }
            bytes = vector.map { index.stored.encoded($0) } ?? []
        }
    }

    /// Whether the vector of a document is as before.
    private func isStored(_ change: Change) throws -> Bool {
        try change.vector != nil && statements.stored(change.docid)?.bytes == change.bytes
    }

    /// - Parameter place: the indices of the vector's cells, if they are known.
    private func replace(_ change: Change, _ place: (first: Int, second: Int?)?) throws {
        guard let vector = change.vector else { return try remove(change.docid) }
        var place = place
        if let old = try statements.stored(change.docid) {
            let generation = try cells()?.generation
            try removeEntries(change.docid, old.pair)
            // A small cell was dissolved.
            if try cells()?.generation != generation { place = nil }
        }
        try insert(change.docid, vector, change.bytes, place)
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

    private func insert(
        _ docid: Int64, _ vector: [Float], _ bytes: [UInt8], _ place: (first: Int, second: Int?)?
    ) throws {
        guard let cells = try cells() else {
            return try statements.put(docid, CellPair(cell: 0, spill: 0), bytes)
        }
        let indices = place ?? cells.indices(of: vector, space)
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
