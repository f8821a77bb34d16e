internal import CVector

/// The cells of an index: each vector belongs to the cell whose centroid is nearest.
///
/// It is the part of an index that is kept in memory: 4 bytes for each dimension of each cell.
package final class CellSet: Sendable {
    /// Identifies the state of the cells; another one after each change.
    let generation: Int64
    /// The numbers of the cells in the table, ascending.
    let cells: [Int64]
    /// The centroids, one after the other.
    let centroids: [Float]
    /// Half the squared length of each centroid.
    let halfLengths: [Float]
    let dimensions: Int

    init(generation: Int64, cells: [Int64], centroids: [Float], _ space: VectorSpace) {
        self.generation = generation
        self.cells = cells
        self.centroids = centroids
        dimensions = space.count
        halfLengths = cells.indices.map { index in
            centroids.withUnsafeBufferPointer {
                let row = $0.baseAddress.map { $0 + index * space.count }
                return space.kernels.pointee.product(row, row, space.count) / 2
            }
        }
    }

    /// The index of a cell by its number.
    func index(of cell: Int64) -> Int? {
        var (low, high) = (0, cells.count)
        while low < high {
            let middle = (low + high) / 2
            if cells[middle] < cell { low = middle + 1 } else { high = middle }
        }
        return low < cells.count && cells[low] == cell ? low : nil
    }

    func centroid(_ index: Int) -> ArraySlice<Float> {
        centroids[(index * dimensions)..<((index + 1) * dimensions)]
    }

    /// The difference of a vector and a centroid.
    func difference(_ vector: [Float], _ index: Int) -> [Float] {
        var difference = vector
        centroids.withUnsafeBufferPointer {
            cvector_add(
                &difference, $0.baseAddress.map { $0 + index * dimensions }, -1, dimensions)
        }
        return difference
    }

    /// For each cell the half squared distance from a vector, less half its squared length; or the
    /// negated product.
    func orders(of vector: [Float], isProduct: Bool, _ space: VectorSpace) -> [Float] {
        var orders = [Float](repeating: 0, count: cells.count)
        space.kernels.pointee.row_products(
            vector, centroids, cells.count, dimensions, &orders)
        for index in orders.indices {
            orders[index] = (isProduct ? 0 : halfLengths[index]) - orders[index]
        }
        return orders
    }

    /// The indices of the cells that are nearest to a vector, nearest first.
    func nearest(
        _ count: Int, to vector: [Float], isProduct: Bool, _ space: VectorSpace
    ) -> [Int] {
        let orders = orders(of: vector, isProduct: isProduct, space)
        return orders.indicesOfLeast(count)
    }

    /// Calls `body` with the orders of all cells for each of many vectors, which are one after the
    /// other.
    func forEachOrders(
        of vectors: [Float], _ space: VectorSpace, _ body: (Int, [Float]) throws -> Void
    ) rethrows {
        let count = vectors.count / dimensions
        var products = [Float](repeating: 0, count: 4 * cells.count)
        var orders = [Float](repeating: 0, count: cells.count)
        for first in stride(from: 0, to: count, by: 4) {
            let some = min(4, count - first)
            vectors.withUnsafeBufferPointer { vectors in
                products.withUnsafeMutableBufferPointer { products in
                    guard let start = vectors.baseAddress.map({ $0 + first * dimensions }),
                        let out = products.baseAddress
                    else { return }
                    let kernels = space.kernels.pointee
                    if some == 4 {
                        kernels.products(start, centroids, cells.count, dimensions, out)
                    } else {
                        for index in 0..<some {
                            kernels.row_products(
                                start + index * dimensions, centroids, cells.count, dimensions,
                                out + index * cells.count)
                        }
                    }
                }
            }
            for index in 0..<some {
                products.withUnsafeBufferPointer {
                    cvector_subtract(
                        halfLengths, $0.baseAddress.map { $0 + index * cells.count }, cells.count,
                        &orders)
                }
                try body(first + index, orders)
            }
        }
    }

    /// The indices of the nearest cells of many vectors.
    func nearest(toEach vectors: [Float], _ space: VectorSpace) -> [Int] {
        var result: [Int] = []
        result.reserveCapacity(vectors.count / dimensions)
        forEachOrders(of: vectors, space) { _, orders in result.append(orders.indexOfLeast ?? 0) }
        return result
    }
}

extension [Float] {
    /// The index of the least element; the first of several.
    var indexOfLeast: Int? {
        withUnsafeBufferPointer { numbers in
            var (best, least) = (Int?.none, Float.infinity)
            for index in numbers.indices where numbers[index] < least {
                (best, least) = (index, numbers[index])
            }
            return best ?? numbers.indices.first
        }
    }

    /// The indices of the `count` least elements, the least first.
    func indicesOfLeast(_ count: Int) -> [Int] {
        guard count < self.count else { return indices.sorted { self[$0] < self[$1] } }
        guard count > 0 else { return [] }
        // A heap of the least ones so far, the greatest first.
        var heap = Heap<(order: Float, index: Int)> { $0.order > $1.order }
        for (index, order) in enumerated() {
            if heap.count < count {
                heap.insert((order, index))
            } else if let first = heap.first, order < first.order {
                heap.replaceFirst((order, index))
            }
        }
        return heap.elements.sorted { ($0.order, $0.index) < ($1.order, $1.index) }.map(\.index)
    }
}

/// A binary heap: `first` precedes all others.
struct Heap<Element> {
    private(set) var elements: [Element] = []
    private let precedes: (Element, Element) -> Bool

    init(_ precedes: @escaping (Element, Element) -> Bool) {
        self.precedes = precedes
    }

    var count: Int { elements.count }
    var first: Element? { elements.first }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var index = elements.count - 1
        while index > 0, precedes(elements[index], elements[(index - 1) / 2]) {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Replaces the first element of a heap that is not empty.
    mutating func replaceFirst(_ element: Element) {
        elements[0] = element
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < elements.count else { return }
            if child + 1 < elements.count, precedes(elements[child + 1], elements[child]) {
                child += 1
            }
            guard precedes(elements[child], elements[index]) else { return }
            elements.swapAt(index, child)
            index = child
        }
    }
}
