internal import CVector

/// Compares a query with the codes of cells.
struct CellEstimator {
    private let query: QueryVector
    private let cells: CellSet
    private let space: VectorSpace
    private let confidence: Float
    /// The planes of the query itself, if products are compared: they do not depend on the cell.
    private let common: QueryPlanes?

    init(_ query: QueryVector, _ cells: CellSet, _ space: VectorSpace, confidence: Float) {
        self.query = query
        self.cells = cells
        self.space = space
        self.confidence = confidence
        common = space.metric.isProduct ? QueryPlanes(query.numbers, space) : nil
    }

    /// The cells, the nearest first, with their order.
    func nearestCells() -> NearestCells {
        NearestCells(cells.orders(of: query.numbers, isProduct: space.metric.isProduct, space))
    }

    /// The squared distance from a centroid whose order is known, up to rounding; or the negated
    /// product.
    func distance(_ order: Float) -> Float {
        space.metric.isProduct ? order : max(0, 2 * order + query.squaredLength)
    }

    /// What the entries of a cell are compared with.
    func planes(_ index: Int, _ order: Float) -> QueryPlanes {
        if var planes = common {
            planes.query.base = order
            planes.query.weight = 1
            planes.query.error = error(query.squaredLength)
            return planes
        }
        var planes = QueryPlanes(cells.difference(query.numbers, index), space)
        let squaredDistance = distance(order)
        planes.query.norm_weight = 1
        planes.query.base = squaredDistance
        planes.query.weight = 2
        planes.query.error = 2 * error(squaredDistance)
        return planes
    }

    /// The error of a product for an entry whose scale is 1. The product of a code's vector and the
    /// direction that it stands for is near 0.8, so that its remainder is near 0.6.
    private func error(_ squaredLength: Float) -> Float {
        confidence * 0.6 * squaredLength.squareRoot()
    }
}

/// The cells in the order of their distance. Few are usually needed: only these are sorted.
struct NearestCells: Sequence, IteratorProtocol {
    private let orders: [Float]
    private var sorted: [Int]
    private var position = 0

    private static let usual = 64

    init(_ orders: [Float]) {
        self.orders = orders
        sorted = orders.indicesOfLeast(Self.usual)
    }

    mutating func next() -> (index: Int, order: Float)? {
        if position == sorted.count, position < orders.count {
            sorted = orders.indicesOfLeast(orders.count)
        }
        guard position < sorted.count else { return nil }
        defer { position += 1 }
        return (sorted[position], orders[sorted[position]])
    }
}

/// A vector in four bits per dimension.
struct QueryPlanes {
    var query = cvector_query()
    let planes: [UInt64]

    init(_ vector: [Float], _ space: VectorSpace) {
        var planes = [UInt64](repeating: 0, count: Int(CVECTOR_PLANES) * space.count / 64)
        space.kernels.pointee.set_planes(vector, space.count, &planes, &query)
        self.planes = planes
    }
}

/// The vectors whose distances were estimated.
struct CandidateList {
    private(set) var candidates: [cvector_candidate] = []

    var count: Int { candidates.count }

    /// Adds the entries of a row.
    mutating func append(
        _ entries: UnsafeRawBufferPointer, _ planes: QueryPlanes, count: Int, _ space: VectorSpace
    ) {
        let start = candidates.count
        candidates.append(
            contentsOf: repeatElement(cvector_candidate(), count: count))
        candidates.withUnsafeMutableBufferPointer { candidates in
            planes.planes.withUnsafeBufferPointer { words in
                var query = planes.query
                query.planes = words.baseAddress
                space.kernels.pointee.estimate(
                    entries.baseAddress?.assumingMemoryBound(to: UInt8.self), count, space.count,
                    &query, candidates.baseAddress.map { $0 + start })
            }
        }
    }

    func filtered(_ isIncluded: (Int64) -> Bool) -> [cvector_candidate] {
        candidates.filter { isIncluded($0.docid) }
    }
}
