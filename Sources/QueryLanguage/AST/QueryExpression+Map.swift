package import FleeceLite

extension QueryExpression {
    /// The expression with its properties replaced by other expressions; subqueries, and functions
    /// with `DISTINCT`, `FILTER` or `OVER`, stay as they are.
    package func mappingProperties(
        _ map: (PropertyPath) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        try mappingLeaves { leaf in
            if case .property(let path) = leaf { return try map(path) }
            return leaf
        }
    }

    /// The expression with those in it that consist of no others replaced; subqueries, and
    /// functions with `DISTINCT`, `FILTER` or `OVER`, count as such.
    func mappingLeaves(
        _ map: (QueryExpression) throws -> QueryExpression
    ) rethrows -> QueryExpression {
        switch self {
        case .literal, .property, .variable, .parameter, .meta, .call, .subquery, .rank, .blob:
            try map(self)
        default: try mappingChildren { try $0.mappingLeaves(map) }
        }
    }
}
