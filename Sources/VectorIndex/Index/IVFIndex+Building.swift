internal import SQLCore
internal import StoreFormat

// Building the cells.
extension IVFIndex {
    /// The number of vectors from which an index has cells. Fewer are searched faster without.
    package static let minimumForCells = 5000
    /// How many vectors are read at once.
    private static let pageLength = 1024
    /// The most numbers of the sample from which the centroids follow.
    private static let sampleNumbers = 32 << 20

    /// Whether the index has cells.
    package func hasCells() throws -> Bool { try statements.generation() != nil }

    /// The number of cells; 0 if there are none.
    package func cellCount() throws -> Int { try cells()?.cells.count ?? 0 }

    /// Whether there are enough vectors for cells, and the index has none.
    package func needsCells() throws -> Bool {
        try !hasCells() && count() >= Self.minimumForCells
    }

    /// Divides all vectors into cells, if there are enough, and the index has no cells yet.
    ///
    /// - Parameter progress: receives the completed fraction, and throws to stop.
    package func buildCells(progress: (Double) throws -> Void = { _ in }) throws {
        guard try !hasCells() else { return }
        let total = try count()
        guard total >= Self.minimumForCells else { return }
        let count = min(
            Int(4 * Double(total).squareRoot()), 2 * total / CellSet.leastAverage)
        let sample = try sample(
            of: total, atMost: min(48 * count, Self.sampleNumbers / space.count))
        try progress(0.1)
        var means = KMeans(space, seed: seed)
        let centroids = means.centroids(count, of: sample)
        var added: [Int64: [Float]] = [:]
        for index in 0..<(centroids.count / space.count) {
            added[Int64(index + 1)] = Array(
                centroids[(index * space.count)..<((index + 1) * space.count)])
        }
        let cells = try changeCells(nil, adding: added)
        try progress(0.4)
        try fill(cells, total) { try progress(0.4 + 0.6 * $0) }
        try even(cells)
    }

    /// Some vectors, evenly from all documents.
    private func sample(of total: Int, atMost limit: Int) throws -> [Float] {
        var vectors: [Float] = []
        vectors.reserveCapacity(min(limit, total) * space.count)
        var number = 0
        try forEachPage { page in
            for (_, vector) in page {
                if number * limit / total != (number + 1) * limit / total || limit >= total {
                    vectors += vector
                }
                number += 1
            }
        }
        return vectors
    }

    private func forEachPage(_ body: ([(docid: Int64, vector: [Float])]) throws -> Void) throws {
        var last = Int64.min
        while true {
            var page: [(docid: Int64, vector: [Float])] = []
            try statements.forEachVector(after: last, limit: Self.pageLength) { docid, bytes in
                page.append((docid, try stored.decoded(bytes)))
            }
            guard let docid = page.last?.docid else { return }
            try context.checkCancellation()
            try body(page)
            last = docid
        }
    }

    /// Writes the entries of all vectors.
    private func fill(
        _ cells: CellSet, _ total: Int, progress: (Double) throws -> Void
    ) throws {
        var writers = PostingWriters(cells, postings)
        var done = 0
        try forEachPage { page in
            let pairs = cells.indices(ofEach: page.flatMap(\.vector), space)
            for ((docid, vector), indices) in zip(page, pairs) {
                try statements.setPair(cells.pair(indices), of: docid)
                for index in [indices.first, indices.second].compactMap(\.self) {
                    try writers.append(
                        postings.entry(docid, cells.difference(vector, index)), to: index)
                }
            }
            done += page.count
            try progress(Double(done) / Double(max(total, 1)))
        }
        try writers.finish()
    }

    /// Splits cells that are too large, and dissolves those that are too small.
    private func even(_ cells: CellSet) throws {
        for cell in cells.cells where try postings.count(of: cell) < cells.smallestCell {
            try dissolve(cell)
        }
        // A half can be too large still.
        for _ in 0..<4 {
            for cell in try self.cells()?.cells ?? []
            where try postings.count(of: cell) > cells.largestCell {
                try split(cell)
            }
        }
    }
}

/// Collects the entries of each cell until they fill a row.
private struct PostingWriters {
    private let cells: CellSet
    private let postings: PostingLists
    private var entries: [[UInt8]]
    private var rows: [Int64]

    init(_ cells: CellSet, _ postings: PostingLists) {
        self.cells = cells
        self.postings = postings
        entries = Array(repeating: [], count: cells.cells.count)
        rows = Array(repeating: 0, count: cells.cells.count)
    }

    mutating func append(_ entry: [UInt8], to index: Int) throws {
        entries[index] += entry
        if entries[index].count == postings.capacity * postings.entrySize { try write(index) }
    }

    mutating func finish() throws {
        for index in entries.indices where !entries[index].isEmpty { try write(index) }
    }

    private mutating func write(_ index: Int) throws {
        try postings.insert(row: rows[index], of: cells.cells[index], entries[index])
        rows[index] += 1
        entries[index].removeAll(keepingCapacity: true)
    }
}
