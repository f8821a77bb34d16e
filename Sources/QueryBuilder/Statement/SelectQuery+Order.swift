internal import QueryLanguage

extension SelectQuery {
    /// Sorts the rows by properties, in ascending order unless one is `descending`.
    ///
    /// ```swift
    /// let query = from(persons).orderBy(\.age.descending, \.name.last).select(\.name)
    /// ```
    /// A later `orderBy` sorts rows that are equal in this order. Missing values come first and
    /// null comes after strings; strings are compared by their bytes, unless a collation is chosen,
    /// such as `\.name.last.ignoringCase`. With an index on the terms SQLite reads the rows in
    /// order, and without one it sorts all rows before the first one is returned.
    ///
    /// - Parameter order: key paths of properties or of their orders. The selection need not
    ///   contain them.
    public func orderBy<each Order: QueryOrderable>(
        _ order: repeat KeyPath<QueryTerm<Root>, each Order>
    ) -> Self {
        changed { query in
            let root = query.root
            for path in repeat each order { query.add(root[keyPath: path].ordering) }
        }
    }

    /// Sorts the rows by expressions of key paths.
    ///
    /// ```swift
    /// let query = from(voyages).orderBy((\.days * 2 - \.mostDays).descending).select(\.ship)
    /// ```
    /// - Parameter order: the orders, from ``QueryPathTerm/ascending`` and
    ///   ``QueryPathTerm/descending``.
    public func orderBy(_ order: QueryPathOrdering<Root>...) -> Self {
        changed { query in
            for order in order { query.add(order.ordering(query.root)) }
        }
    }

    /// Sorts the rows by terms of all sources.
    ///
    /// ```swift
    /// let query = from(persons)
    ///     .orderBy { ($0.age.descending, $0.name.last.lower()) }
    ///     .select(\.name)
    /// ```
    /// - Parameter order: receives the sources; returns one term or order, or a tuple of several.
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

    /// Groups the rows by properties: the query has one row for each combination of their values.
    ///
    /// ```swift
    /// let states = from(persons)
    ///     .groupBy(\.state)
    ///     .select { ($0.state, $0.rowCount, $0.age.average) }
    ///     .orderBy(\.state)
    /// ```
    /// Documents without the property form a group of their own. The selection consists of the
    /// grouped values and aggregates; another property has its value in an unspecified document of
    /// the group. With an index that begins with the groups, and no other property than theirs,
    /// SQLite reads the groups from the index.
    ///
    /// - Parameter values: key paths of properties.
    public func groupBy<each Value>(
        _ values: repeat KeyPath<QueryTerm<Root>, QueryTerm<each Value>>
    ) -> Self {
        changed { query in
            let root = query.root
            for path in repeat each values { query.group(by: root[keyPath: path]) }
        }
    }

    /// Groups the rows by several terms.
    ///
    /// ```swift
    /// let groups = from(persons)
    ///     .groupBy { ($0.state, $0.name.last.lower()) }
    ///     .select { ($0.state, $0.name.last.lower(), $0.rowCount) }
    /// ```
    /// - Parameter values: receives the sources; returns a tuple of terms.
    public func groupBy<each Value>(
        _ values: (Sources.Terms) -> (repeat QueryTerm<each Value>)
    ) -> Self {
        changed { query in
            for value in repeat each values(query.terms) { query.group(by: value) }
        }
    }

    /// Groups the rows by a term.
    ///
    /// ```swift
    /// let decades = from(persons)
    ///     .groupBy { $0.age - $0.age % 10 }
    ///     .select { ($0.age - $0.age % 10, $0.rowCount) }
    /// ```
    /// - Parameter value: receives the sources; returns a term.
    public func groupBy<Value>(_ value: (Sources.Terms) -> QueryTerm<Value>) -> Self {
        changed { $0.group(by: value($0.terms)) }
    }

    private mutating func group<Value>(by value: QueryTerm<Value>) {
        note(value.problem)
        block.groups.append(value.expression)
    }

    /// Selects only groups that meet a condition of key paths.
    ///
    /// ```swift
    /// let old = from(persons).groupBy(\.state).having(\.age.maximum > 90).select(\.state)
    /// ```
    /// Unlike `where`, which selects the documents before they are grouped, the condition can use
    /// aggregates. Several conditions are combined with AND.
    ///
    /// - Parameter condition: the condition on each group.
    public func having(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.require(condition.term($0.root)) }
    }

    /// Selects only groups that meet a condition.
    ///
    /// ```swift
    /// let large = from(persons).groupBy(\.state).having { $0.rowCount > 3 }.select(\.state)
    /// ```
    /// - Parameter condition: receives the sources; several conditions are combined with AND.
    public func having(_ condition: (Sources.Terms) -> QueryTerm<Bool>) -> Self {
        changed { $0.require(condition($0.terms)) }
    }

    private mutating func require(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        block.groupCondition = .chain(.and, block.groupCondition, condition.expression)
    }
}
