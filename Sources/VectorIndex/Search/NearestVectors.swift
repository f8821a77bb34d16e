/// The nearest vectors that a search has found, and what it has done.
package struct NearestVectors: Sendable {
    /// The documents, nearest first.
    package var documents: [(docid: Int64, distance: Double)] = []
    /// What was read.
    package var work = SearchWork()
}

/// What a search has read.
package struct SearchWork: Hashable, Sendable {
    /// The cells whose codes were read.
    package var cells = 0
    /// The vectors whose distance was estimated.
    package var estimates = 0
    /// The vectors whose distance was measured.
    package var measurements = 0
}

/// The nearest vectors so far.
struct NearestHeap {
    let limit: Int
    private var heap = Heap<(order: Float, docid: Int64)> {
        ($0.order, $0.docid) > ($1.order, $1.docid)
    }

    init(limit: Int) {
        self.limit = limit
    }

    /// The order that a vector must be below to be among the nearest.
    var bound: Float { heap.count < limit ? .infinity : heap.first?.order ?? .infinity }

    /// A vector whose distance is not a number, which only damage or an overflow can cause, is not
    /// among the nearest.
    mutating func add(_ docid: Int64, _ order: Float) {
        guard !order.isNaN else { return }
        if heap.count < limit {
            heap.insert((order, docid))
        } else if let first = heap.first, (order, docid) < (first.order, first.docid) {
            heap.replaceFirst((order, docid))
        }
    }

    func sorted() -> [(order: Float, docid: Int64)] {
        heap.elements.sorted { ($0.order, $0.docid) < ($1.order, $1.docid) }
    }
}
