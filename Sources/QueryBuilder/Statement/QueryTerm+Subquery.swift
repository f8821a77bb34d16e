internal import QueryLanguage
internal import StoreFormat

extension QueryTerm {
    /// Whether it is among the rows of another query, which may use the terms around it.
    public func `in`<Sources>(_ query: SelectQuery<Sources, Value>) -> QueryTerm<Bool> {
        let (subquery, problem) = query.subquery
        return compared(.in, [subquery], problem)
    }

    /// The first row of another query, which may use the terms around it; missing if it has none.
    public static func firstRow<Sources, Row>(
        of query: SelectQuery<Sources, Row>
    ) -> Self where Value == Row? {
        let (subquery, problem) = query.subquery
        return Self(subquery, query.root.coding, problem)
    }
}

/// Whether another query has rows; it may use the terms around it.
public func exists<Sources, Row>(_ query: SelectQuery<Sources, Row>) -> QueryTerm<Bool> {
    let (subquery, problem) = query.subquery
    return QueryTerm(.operation(.exists, [subquery]), PropertyCoding(), problem)
}

extension SelectQuery {
    fileprivate var subquery: (QueryExpression, StoreError?) {
        let select = QuerySelect(body: .block(block), order: order, limit: limit, offset: offset)
        return (.subquery(select), problem)
    }
}
