internal import StoreFormat

/// The options of a vector index.
///
/// ```swift
/// var options = VectorIndexOptions(dimensions: 384, metric: .cosine)
/// options.probes = 64
/// let spec = IndexSpec.vector("byMeaning", on: "embedding", options)
/// ```
///
/// They belong to the index: to change them, create the index again with the same name.
public struct VectorIndexOptions: Hashable, Sendable {
    /// The number of numbers of each vector, 2 to 4096. Others are left out of the index.
    public var dimensions: Int
    /// How distances are measured.
    public var metric: VectorMetric
    /// How the copies of the vectors are stored.
    public var encoding: VectorEncoding
    /// How many cells of the index a query searches; nil (default) for as many as the distances in
    /// them call for, which finds about 95 % of the nearest vectors or more.
    ///
    /// More cells find more of them and take longer. `APPROX_VECTOR_DISTANCE` can override it for
    /// one query.
    public var probes: Int?
    /// Whether the application computes the vectors, by a ``VectorIndexUpdater``, instead of the
    /// index when a document is written. False by default.
    public var isLazy: Bool

    /// Creates options.
    ///
    /// - Parameters:
    ///   - dimensions: the number of numbers of each vector, 2 to 4096.
    ///   - metric: how distances are measured.
    ///   - encoding: how the copies of the vectors are stored.
    ///   - probes: how many cells a query searches; nil for the default.
    ///   - isLazy: whether the application computes the vectors.
    public init(
        dimensions: Int, metric: VectorMetric = .euclideanSquared,
        encoding: VectorEncoding = .scalarQuantizer, probes: Int? = nil, isLazy: Bool = false
    ) {
        self.dimensions = dimensions
        self.metric = metric
        self.encoding = encoding
        self.probes = probes
        self.isLazy = isLazy
    }

    /// The possible numbers of dimensions.
    package static let possibleDimensions = 2...4096

    /// Throws `.invalidParameter` for options that no index can have.
    package func validate() throws {
        guard Self.possibleDimensions ~= dimensions else {
            throw StoreError(
                .invalidParameter,
                "a vector index has 2 to 4096 dimensions, not \(dimensions)")
        }
        guard probes.map({ $0 > 0 }) ?? true else {
            throw StoreError(.invalidParameter, "a query searches at least one cell of an index")
        }
    }
}
