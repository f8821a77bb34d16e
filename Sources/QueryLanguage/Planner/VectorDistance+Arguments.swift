internal import StoreFormat

// The arguments of `APPROX_VECTOR_DISTANCE`.
extension VectorDistance {
    func table(
        of arguments: [BoundExpression], _ planner: ExpressionPlanner
    ) throws -> (QueryIndexes.VectorTable, ResolvedSource) {
        let property = arguments[0]
        let text = try SQLPrinter.sql(try planner.exact(property), isBare: true)
        guard let source = property.sources.only, source.block == planner.block.number,
            let indexes = source.table?.indexes.vectors[text], let first = indexes.first
        else {
            throw StoreError(
                .missingIndex,
                "there is no vector index of \(SQLPPWriter.text(property.definition))")
        }
        guard arguments.count > 2, case .literal(.string(let name)) = arguments[2].form,
            let metric = Self.metric(name)
        else { return (first, source) }
        return (indexes.first { $0.metric == metric } ?? first, source)
    }

    func requireMetric(
        _ arguments: [BoundExpression], _ table: QueryIndexes.VectorTable,
        _ planner: ExpressionPlanner
    ) throws {
        if arguments.count > 2, case .literal(.string(let name)) = arguments[2].form,
            let metric = Self.metric(name)
        {
            guard metric == table.metric else {
                throw planner.located(
                    StoreError.invalidQuery(
                        "the vector index measures \(table.metric), not \(metric)"),
                    arguments[2])
            }
        } else if arguments.count > 2, !arguments[2].isNull {
            throw planner.located(
                StoreError.invalidQuery(
                    "the third argument of APPROX_VECTOR_DISTANCE() is the name of a metric"),
                arguments[2])
        }
        guard arguments.count > 4 else { return }
        guard case .literal(.boolean(false)) = arguments[4].form else {
            throw planner.located(
                StoreError.invalidQuery(
                    "the fifth argument of APPROX_VECTOR_DISTANCE() can only be FALSE"),
                arguments[4])
        }
    }

    func probes(
        _ arguments: [BoundExpression], _ planner: ExpressionPlanner
    ) throws -> Int64? {
        guard arguments.count > 3, !arguments[3].isNull else { return nil }
        guard case .literal(.integer(let probes)) = arguments[3].form, probes > 0 else {
            throw planner.located(
                StoreError.invalidQuery(
                    "the fourth argument of APPROX_VECTOR_DISTANCE() is a positive integer"),
                arguments[3])
        }
        return probes
    }

    /// The canonical name of a metric; nil if it is unknown.
    static func metric(_ name: String) -> String? {
        switch name.asciiLowercased {
        case "euclidean2", "euclidean_squared", "l2_squared", "default": "euclidean2"
        case "euclidean", "l2": "euclidean"
        case "cosine", "cosine_distance": "cosine"
        case "cosine_similarity": "cosine_similarity"
        case "dot", "dot_product_distance": "dot"
        case "dot_product_similarity": "dot_product_similarity"
        default: nil
        }
    }
}
