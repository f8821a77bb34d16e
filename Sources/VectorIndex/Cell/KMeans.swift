internal import CVector

/// Finds centroids of vectors, such that each vector is near one of them.
struct KMeans {
    let space: VectorSpace
    private var generator: SplitMix

    init(_ space: VectorSpace, seed: UInt64) {
        self.space = space
        generator = SplitMix(seed: seed)
    }

    private static let rounds = 8
    private static let lastRounds = 6

    /// The centroids of about `count` cells: first of few groups, then of cells in each group,
    /// since each round compares all vectors with all centroids.
    mutating func centroids(_ count: Int, of vectors: [Float]) -> [Float] {
        let groupCount = Int(Double(count).squareRoot())
        guard groupCount > 1 else { return clusters(count, vectors) }
        let groups = clusters(groupCount, vectors)
        let members = Dictionary(grouping: nearest(vectors, groups).enumerated()) { $0.element }
        var centroids: [Float] = []
        for group in 0..<groupCount {
            let indices = members[group]?.map(\.offset) ?? []
            let share = Double(count * indices.count) / Double(vectors.count / space.count)
            guard !indices.isEmpty else { continue }
            let some = indices.flatMap { vectors[($0 * space.count)..<(($0 + 1) * space.count)] }
            centroids += clusters(max(1, Int(share.rounded())), some)
        }
        // The borders of the groups are not the best ones.
        for _ in 0..<Self.lastRounds { centroids = round(vectors, centroids) }
        return centroids
    }

    /// At most `count` centroids, by the algorithm of Lloyd.
    mutating func clusters(_ count: Int, _ vectors: [Float]) -> [Float] {
        let total = vectors.count / space.count
        guard count < total else { return vectors }
        var centroids = some(count, of: total).flatMap {
            vectors[($0 * space.count)..<(($0 + 1) * space.count)]
        }
        for _ in 0..<Self.rounds { centroids = round(vectors, centroids) }
        return centroids
    }

    /// Different numbers below `total`, at random.
    private mutating func some(_ count: Int, of total: Int) -> [Int] {
        var numbers = Array(0..<total)
        for index in 0..<count {
            numbers.swapAt(index, index + Int(generator.next() % UInt64(total - index)))
        }
        return Array(numbers.prefix(count))
    }

    /// Moves each centroid to the mean of the vectors that are nearest to it. One without any
    /// vectors moves beside one with many.
    private mutating func round(_ vectors: [Float], _ centroids: [Float]) -> [Float] {
        let count = centroids.count / space.count
        let owners = nearest(vectors, centroids)
        var sizes = [Int](repeating: 0, count: count)
        for owner in owners { sizes[owner] += 1 }
        var sums = [Float](repeating: 0, count: centroids.count)
        sums.withUnsafeMutableBufferPointer { sums in
            vectors.withUnsafeBufferPointer { vectors in
                guard let sums = sums.baseAddress, let vectors = vectors.baseAddress else { return }
                for (index, owner) in owners.enumerated() {
                    cvector_add(
                        sums + owner * space.count, vectors + index * space.count,
                        1 / Float(sizes[owner]), space.count)
                }
            }
        }
        for index in sizes.indices where sizes[index] == 0 {
            guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }) else { break }
            let (from, to) = (largest * space.count, index * space.count)
            for offset in 0..<space.count {
                let change = Float(generator.next() % 1024) / 51_200 - 0.01
                sums[to + offset] = sums[from + offset] * (1 + change)
            }
            sizes[index] = sizes[largest] / 2
            sizes[largest] -= sizes[index]
        }
        return sums
    }

    private func nearest(_ vectors: [Float], _ centroids: [Float]) -> [Int] {
        let cells = (0..<Int64(centroids.count / space.count)).map { $0 }
        return CellSet(generation: 0, cells: cells, centroids: centroids, space)
            .nearest(toEach: vectors, space)
    }
}
