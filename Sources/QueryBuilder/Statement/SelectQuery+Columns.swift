internal import QueryLanguage
internal import StoreFormat

extension SelectQuery {
    /// Selects properties: each row is a value for one property, a tuple for several.
    ///
    /// ```swift
    /// let names = try from(persons).select(\.name.last).all(in: snapshot)  // [String]
    /// for (name, age) in try from(persons).select(\.name, \.age).all(in: snapshot) {
    ///     print(name.first, age)
    /// }
    /// ```
    /// Only the selected properties are decoded. A property that a document may not have must be
    /// optional in its type: a missing value decodes as nil, and is a `DecodingError` otherwise. A
    /// later `select` replaces the selection.
    ///
    /// - Parameter columns: key paths of properties, or of members of terms such as
    ///   `\.age.optional`.
    public func select<each Value>(
        _ columns: repeat KeyPath<QueryTerm<Root>, QueryTerm<each Value>>
    ) -> SelectQuery<Sources, (repeat each Value)> {
        let root = root
        return BuilderDepth.inside { select(terms: repeat root[keyPath: each columns]) }
    }

    /// Selects expressions of key paths and untyped properties.
    ///
    /// ```swift
    /// let next = try from(persons).select(\.age + 1).all(in: snapshot)  // [Int]
    /// let pairs = from(people).select(property("name.last"), property("age", as: Int.self))
    /// ```
    /// - Parameter columns: expressions; each row is a value for one, a tuple for several.
    public func select<each Value>(
        _ columns: repeat QueryPathTerm<Root, each Value>
    ) -> SelectQuery<Sources, (repeat each Value)> {
        let root = root
        return BuilderDepth.inside { select(terms: repeat (each columns).term(root)) }
    }

    /// Selects several terms: each row is a tuple of their values.
    ///
    /// ```swift
    /// let rows = from(persons).select { ($0.name.last.upper(), $0.age + 1, $0.likes.count) }
    /// for (name, next, likes) in try rows.all(in: snapshot) { print(name, next, likes) }
    /// ```
    /// With `groupBy` the terms are the groups' values and aggregates such as
    /// ``QueryTerm/rowCount``.
    ///
    /// - Parameter columns: receives the sources; returns a tuple of terms.
    public func select<each Value>(
        _ columns: (Sources.Terms) -> (repeat QueryTerm<each Value>)
    ) -> SelectQuery<Sources, (repeat each Value)> {
        BuilderDepth.inside { select(terms: repeat each columns(terms)) }
    }

    /// Selects one term: each row is its value.
    ///
    /// ```swift
    /// let names = try from(persons).select { $0.name.last.upper() }.all(in: snapshot)
    /// let ages = try from(persons).select { $0.age.average }.first(in: snapshot)
    /// ```
    /// - Parameter column: receives the sources; returns a term.
    public func select<Value>(
        _ column: (Sources.Terms) -> QueryTerm<Value>
    ) -> SelectQuery<Sources, Value> {
        // Swift 6.3 crashes on a closure with several sources that returns a pack of one.
        BuilderDepth.inside { select(terms: column(terms)) }
    }

    private func select<each Value>(
        terms: repeat QueryTerm<each Value>
    ) -> SelectQuery<Sources, (repeat each Value)> {
        var columns: [QueryResult] = []
        var codings: [PropertyCoding] = []
        var problem: StoreError?
        for term in repeat each terms {
            columns.append(QueryResult(expression: term.expression))
            codings.append(term.coding)
            problem = problem ?? term.problem
        }
        var query: SelectQuery<Sources, (repeat each Value)> = with(.columns(codings))
        query.block.results = columns
        query.note(problem)
        return query
    }

    /// Selects whole documents of the first source, with their IDs, as without a `select`.
    ///
    /// ```swift
    /// let buyers = try from(persons)
    ///     .join(orders, on: { person, order in order.customer == person.meta.id })
    ///     .select().distinct().all(in: snapshot)  // [QueriedDocument<Person>]
    /// ```
    /// Each document is decoded, which costs more than selecting the properties that are needed.
    public func select() -> SelectQuery<Sources, QueriedDocument<Root>> {
        let (root, meta) = (root, root.meta)
        var query: SelectQuery<Sources, QueriedDocument<Root>> = with(.document(root.coding))
        query.block.results = [
            QueryResult(expression: meta.id.expression),
            QueryResult(expression: meta.sequence.expression),
            QueryResult(expression: root.expression),
        ]
        return query
    }
}
