internal import QueryLanguage
internal import StoreFormat

extension SelectQuery {
    /// Selects properties: each row is a value for one property, a tuple for several.
    public func select<each Value>(
        _ columns: repeat KeyPath<QueryTerm<Root>, QueryTerm<each Value>>
    ) -> SelectQuery<Sources, (repeat each Value)> {
        let root = root
        return BuilderDepth.inside { select(terms: repeat root[keyPath: each columns]) }
    }

    /// Selects expressions of key paths and untyped properties.
    public func select<each Value>(
        _ columns: repeat QueryPathTerm<Root, each Value>
    ) -> SelectQuery<Sources, (repeat each Value)> {
        let root = root
        return BuilderDepth.inside { select(terms: repeat (each columns).term(root)) }
    }

    /// Selects terms: `.select { ($0.name, $0.age + 1) }`
    public func select<each Value>(
        _ columns: (Sources.Terms) -> (repeat QueryTerm<each Value>)
    ) -> SelectQuery<Sources, (repeat each Value)> {
        BuilderDepth.inside { select(terms: repeat each columns(terms)) }
    }

    /// Selects one term: `.select { $0.name.last.upper() }`
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
