internal import QueryLanguage

extension SelectQuery {
    /// Sorts the rows by properties: `.orderBy(\.age.descending, \.name.last)`
    ///
    /// A later `orderBy` sorts rows that are equal in this order.
    public func orderBy<each Order: QueryOrderable>(
        _ order: repeat KeyPath<QueryTerm<Root>, each Order>
    ) -> Self {
        changed { query in
            let root = query.root
            for path in repeat each order { query.add(root[keyPath: path].ordering) }
        }
    }

    /// Sorts the rows by expressions of key paths.
    public func orderBy(_ order: QueryPathOrdering<Root>...) -> Self {
        changed { query in
            for order in order { query.add(order.ordering(query.root)) }
        }
    }

    /// Sorts the rows by terms: `.orderBy { ($0.age.descending, $0.name.last) }`
    public func orderBy<each Order: QueryOrderable>(
        _ order: (Sources.Terms) -> (repeat each Order)
    ) -> Self {
        changed { query in
            for order in repeat each order(query.terms) { query.add(order.ordering) }
        }
    }

    private mutating func add(_ ordering: QueryOrdering) {
        note(ordering.problem)
        order.append(ordering.order)
    }

    /// Groups the rows by properties: `.groupBy(\.state)`
    public func groupBy<each Value>(
        _ values: repeat KeyPath<QueryTerm<Root>, QueryTerm<each Value>>
    ) -> Self {
        changed { query in
            let root = query.root
            for path in repeat each values { query.group(by: root[keyPath: path]) }
        }
    }

    /// Groups the rows by terms: `.groupBy { ($0.state, $0.name.lower()) }`
    public func groupBy<each Value>(
        _ values: (Sources.Terms) -> (repeat QueryTerm<each Value>)
    ) -> Self {
        changed { query in
            for value in repeat each values(query.terms) { query.group(by: value) }
        }
    }

    /// Groups the rows by a term: `.groupBy { $0.name.lower() }`
    public func groupBy<Value>(_ value: (Sources.Terms) -> QueryTerm<Value>) -> Self {
        changed { $0.group(by: value($0.terms)) }
    }

    private mutating func group<Value>(by value: QueryTerm<Value>) {
        note(value.problem)
        block.groups.append(value.expression)
    }

    /// Selects only groups that meet a condition: `.having(\.age.maximum > 90)`
    public func having(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.require(condition.term($0.root)) }
    }

    /// Selects only groups that meet a condition: `.having { $0.rowCount > 3 }`
    public func having(_ condition: (Sources.Terms) -> QueryTerm<Bool>) -> Self {
        changed { $0.require(condition($0.terms)) }
    }

    private mutating func require(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        block.groupCondition = .chain(.and, block.groupCondition, condition.expression)
    }
}
