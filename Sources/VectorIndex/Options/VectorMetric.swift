/// How the distance of two vectors is measured.
///
/// The raw values are the names in the file, and in `APPROX_VECTOR_DISTANCE` of SQL++.
///
/// ```swift
/// let metric = VectorMetric(rawValue: "cosine") ?? .euclideanSquared
/// ```
public enum VectorMetric: String, CaseIterable, Hashable, Sendable {
    /// The square of the Euclidean distance (default). It orders like the distance and is cheaper.
    case euclideanSquared = "euclidean2"
    /// The Euclidean distance.
    case euclidean
    /// 1 minus the cosine of the angle: 0 for the same direction, 2 for opposite ones. A vector of
    /// zeros has no direction, and is left out of the index.
    case cosine
    /// The negated scalar product, so that less is nearer.
    case dot

    /// Whether the index orders by the scalar product instead of a distance.
    var isProduct: Bool { self == .dot }

    /// A distance in the index as one of the metric: the index works with squared distances, and
    /// vectors of length 1 if the metric is the cosine.
    func distance(ofOrder order: Float) -> Double {
        let order = Double(order)
        return switch self {
        case .euclideanSquared: max(order, 0)
        case .euclidean: max(order, 0).squareRoot()
        case .cosine: max(order, 0) / 2
        case .dot: order
        }
    }
}

/// How an index stores the copies of vectors with which it measures distances.
///
/// ```swift
/// let exact = VectorIndexOptions(dimensions: 384, encoding: .none)
/// ```
public enum VectorEncoding: String, CaseIterable, Hashable, Sendable {
    /// Single-precision numbers: exact, 4 bytes for each dimension.
    case none
    /// One byte for each dimension (default): a quarter of the space; distances differ by about a
    /// hundredth of the vectors' length. It suits embeddings, whose numbers are around 0. For
    /// numbers that are all far from 0 in comparison with their differences, and for a few
    /// dimensions, such as places, use ``none``.
    case scalarQuantizer = "SQ8"
}
