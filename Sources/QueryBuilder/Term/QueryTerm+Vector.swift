internal import QueryLanguage
internal import StoreFormat
public import VectorIndex

extension QueryTerm {
    /// The distance of the vector from another one, measured by the vector index on this property.
    ///
    /// ```swift
    /// let nearest = from(voyages)
    ///     .orderBy { $0.costs.approximateVectorDistance(from: [0.25, -1, 0.5]) }.limit(10)
    /// ```
    /// To sort by it with a limit is what the index serves: see `docs/vectors.md`. Documents
    /// without a vector are not in the result. Without a vector index on the property, the query
    /// fails with `.missingIndex`.
    ///
    /// - Parameters:
    ///   - vector: as many numbers as the index has dimensions.
    ///   - metric: the metric of the index; nil (default) for whatever it is.
    ///   - probes: how many cells of the index are searched; nil (default) for its own number.
    public func approximateVectorDistance(
        from vector: [Float], metric: VectorMetric? = nil, probes: Int? = nil
    ) -> QueryTerm<Double> {
        let numbers = QueryExpression.array(vector.map { .literal(.real(Double($0))) })
        return distance(numbers, metric, probes)
    }

    /// The distance of the vector from a value, such as a parameter, measured by the vector index
    /// on this property.
    ///
    /// ```swift
    /// let nearest = from(voyages).orderBy {
    ///     $0.costs.approximateVectorDistance(from: parameter("vector", as: [Float].self))
    /// }.limit(10)
    /// ```
    /// - Parameters:
    ///   - vector: an array of numbers, or the Base64 or the bytes of single-precision numbers.
    ///   - metric: the metric of the index; nil (default) for whatever it is.
    ///   - probes: how many cells of the index are searched; nil (default) for its own number.
    public func approximateVectorDistance<Vector>(
        from vector: QueryTerm<Vector>, metric: VectorMetric? = nil, probes: Int? = nil
    ) -> QueryTerm<Double> {
        distance(vector.expression, metric, probes)
    }

    private func distance(
        _ vector: QueryExpression, _ metric: VectorMetric?, _ probes: Int?
    ) -> QueryTerm<Double> {
        let name = QueryFunction.vectorDistance
        guard metric != nil || probes != nil else { return call(name, vector) }
        let known = metric.map { QueryExpression.literal(.string($0.rawValue)) }
        let count = probes.map { QueryExpression.literal(.integer(Int64($0))) }
        guard let count else { return call(name, vector, known ?? .literal(.null)) }
        return call(name, vector, known ?? .literal(.null), count)
    }
}
