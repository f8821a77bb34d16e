internal import CVector

/// The space in which an index compares vectors: theirs, extended by zeros to a multiple of 64
/// dimensions and rotated at random, which keeps distances and makes all dimensions alike.
///
/// The codes of one bit per dimension are good only if the dimensions are alike.
final class VectorSpace: Sendable {
    let dimensions: Int
    let metric: VectorMetric
    /// The number of dimensions of the space.
    let count: Int
    // Immutable functions of the program.
    nonisolated(unsafe) let kernels: UnsafePointer<cvector_kernels>
    /// The dimensions whose sign each step of the rotation changes.
    private let signs: [[UInt64]]

    init(
        dimensions: Int, metric: VectorMetric, seed: UInt64,
        kernels: UnsafePointer<cvector_kernels> = cvector_fastest()
    ) {
        self.dimensions = dimensions
        self.metric = metric
        self.kernels = kernels
        let count = (dimensions + 63) / 64 * 64
        self.count = count
        var generator = SplitMix(seed: seed)
        signs = (0..<4).map { _ in (0..<count / 64).map { _ in generator.next() } }
    }

    /// The vector of this space; nil if the index cannot contain it: its squared length is not
    /// finite, or is 0 and the metric is the cosine.
    func place(_ numbers: UnsafeBufferPointer<Float>) -> [Float]? {
        var vector = [Float](repeating: 0, count: count)
        vector.withUnsafeMutableBufferPointer { _ = $0.update(fromContentsOf: numbers) }
        let squaredLength = kernels.pointee.product(vector, vector, count)
        guard squaredLength.isFinite else { return nil }
        if metric == .cosine {
            guard squaredLength.isNormal else { return nil }
            let scale = 1 / squaredLength.squareRoot()
            for index in vector.indices { vector[index] *= scale }
        }
        rotate(&vector)
        return vector
    }

    /// Rotates by sign changes and Hadamard transforms of the first and the last dimensions, whose
    /// number must be a power of two.
    private func rotate(_ vector: inout [Float]) {
        let half = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
        vector.withUnsafeMutableBufferPointer { vector in
            guard let start = vector.baseAddress else { return }
            for (step, bits) in signs.enumerated() {
                cvector_flip(start, bits, count)
                cvector_hadamard(step % 2 == 0 ? start : start + (count - half), half)
            }
        }
    }
}

/// A generator whose numbers follow from its seed: the state of an index must not depend on chance.
///
/// The algorithm is SplitMix64.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }
}
