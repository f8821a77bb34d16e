internal import CVector

/// The cells that have an entry of a vector.
struct CellPair: Hashable {
    /// The nearest cell.
    var cell: Int64
    /// Another one; 0 if there is only one cell.
    var spill: Int64
}

// Each vector is in two cells: a query that misses one may find the other. The second cell is one
// that is near in another direction than the first, since a query for which the first is far is
// then likely to be near the second (SOAR).
extension CellSet {
    /// Among how many of the nearest cells the second is chosen.
    private static let candidates = 16
    /// The weight of the direction.
    private static let weight: Float = 1

    /// The indices of the cells of a vector; no second one if there is one cell only.
    func indices(of vector: [Float], _ space: VectorSpace) -> (first: Int, second: Int?) {
        indices(of: vector, orders(of: vector, isProduct: false, space), space)
    }

    /// The indices of the cells of many vectors, which are one after the other.
    func indices(
        ofEach vectors: [Float], _ space: VectorSpace
    ) -> [(first: Int, second: Int?)] {
        var result: [(first: Int, second: Int?)] = []
        result.reserveCapacity(vectors.count / dimensions)
        forEachOrders(of: vectors, space) { index, orders in
            let vector = Array(vectors[(index * dimensions)..<((index + 1) * dimensions)])
            result.append(indices(of: vector, orders, space))
        }
        return result
    }

    private func indices(
        of vector: [Float], _ orders: [Float], _ space: VectorSpace
    ) -> (first: Int, second: Int?) {
        let nearest = orders.indicesOfLeast(1 + Self.candidates)
        guard let first = nearest.first, nearest.count > 1 else { return (0, nil) }
        let difference = self.difference(vector, first)
        let squaredLength = space.kernels.pointee.product(
            difference, difference, dimensions)
        let costs = nearest.dropFirst().map { index -> Float in
            let other = self.difference(vector, index)
            let square = space.kernels.pointee.product(other, other, dimensions)
            guard squaredLength > 0 else { return square }
            let product = space.kernels.pointee.product(difference, other, dimensions)
            return square + Self.weight * product * product / squaredLength
        }
        return (first, nearest[1 + (costs.indexOfLeast ?? 0)])
    }

    func pair(_ indices: (first: Int, second: Int?)) -> CellPair {
        CellPair(
            cell: cells[indices.first], spill: indices.second.map { cells[$0] } ?? 0)
    }
}
