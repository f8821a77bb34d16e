public import DataFileCore
internal import FleeceLite
internal import QueryLanguage

extension SelectQuery {
    /// Joins the documents of another collection that meet a condition.
    ///
    /// ```swift
    /// from(people).join(orders, on: { person, order in order.customer == person.meta.id })
    ///     .select { person, order in (person.name, order.total) }
    /// ```
    /// Key paths still begin at the first collection. A closure receives all sources.
    public func join<First, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (TwoSources<First, Other>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<TwoSources<First, Other>, Row>
    where Sources == OneSource<First> {
        joined(other.queried, alias, .inner, condition)
    }

    /// Joins the documents of a third collection that meet a condition.
    public func join<First, Second, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (ThreeSources<First, Second, Other>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<ThreeSources<First, Second, Other>, Row>
    where Sources == TwoSources<First, Second> {
        joined(other.queried, alias, .inner, condition)
    }

    /// Joins documents, and retains rows without a match, where the document is missing.
    public func leftJoin<First, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (TwoSources<First, Other?>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<TwoSources<First, Other?>, Row>
    where Sources == OneSource<First> {
        joined(other.queried, alias, .left, condition)
    }

    /// Joins documents, and retains rows without a match, where the document is missing.
    public func leftJoin<First, Second, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (ThreeSources<First, Second, Other?>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<ThreeSources<First, Second, Other?>, Row>
    where Sources == TwoSources<First, Second> {
        joined(other.queried, alias, .left, condition)
    }

    /// Joins each row with each document of another collection.
    public func crossJoin<First, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil
    ) -> SelectQuery<TwoSources<First, Other>, Row>
    where Sources == OneSource<First> {
        joined(other.queried, alias, .cross) { _ in nil }
    }

    private func joined<NewSources: QuerySources>(
        _ other: QueriedCollection, _ alias: String?, _ join: QuerySource.Join,
        _ condition: (NewSources.Terms) -> QueryTerm<Bool>?
    ) -> SelectQuery<NewSources, Row> {
        var query: SelectQuery<NewSources, Row> = with(reader)
        var (source, name, problem) = other.source(
            as: alias, taken: names.sources.map(\.alias), join: join)
        query.names.sources.append(name)
        if let term = BuilderDepth.inside({ condition(NewSources.terms(query.names)) }) {
            source.condition = term.expression
            problem = problem ?? term.problem
        }
        query.block.sources.append(source)
        query.note(problem)
        return query
    }
}

// MARK: Elements of arrays

extension SelectQuery {
    /// Joins each row with the elements of an array: `.unnest(\.likes)`
    ///
    /// The element is a source of its own: `.where { person, like in like == "tea" }`
    public func unnest<First, Array: QueryArrayValue>(
        _ array: KeyPath<QueryTerm<First>, QueryTerm<Array>>
    ) -> SelectQuery<TwoSources<First, Array.Element>, Row>
    where Sources == OneSource<First> {
        unnested(root[keyPath: array])
    }

    /// Joins each row with the elements of an array of the second source.
    public func unnest<First, Second, Array: QueryArrayValue>(
        _ array: (QueryTerm<First>, QueryTerm<Second>) -> QueryTerm<Array>
    ) -> SelectQuery<ThreeSources<First, Second, Array.Element>, Row>
    where Sources == TwoSources<First, Second> {
        unnested(array(names.term(0), names.term(1)))
    }

    private func unnested<NewSources: QuerySources, Array>(
        _ array: QueryTerm<Array>
    ) -> SelectQuery<NewSources, Row> {
        var query: SelectQuery<NewSources, Row> = with(reader)
        let alias = array.expression.lastKey.free(among: names.sources.map(\.alias))
        query.names.sources.append(QuerySourceTerms.Source(alias: alias, coding: array.coding))
        query.block.sources.append(
            QuerySource(kind: .unnest(array.expression), alias: alias, join: .inner))
        query.note(array.problem)
        return query
    }
}

extension QueryExpression {
    /// The last name of a path, as a name for its elements.
    fileprivate var lastKey: String {
        guard case .property(let path) = self, case .key(let key)? = path.components.last,
            !key.isEmpty, key.utf8.first != 0x5F
        else { return "element" }
        return key
    }
}
