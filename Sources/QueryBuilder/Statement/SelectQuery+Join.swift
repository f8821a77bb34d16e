public import DataFileCore
internal import FleeceLite
internal import QueryLanguage

extension SelectQuery {
    /// Joins the documents of another collection that meet a condition.
    ///
    /// ```swift
    /// let totals = from(persons)
    ///     .join(orders, on: { person, order in order.customer == person.meta.id })
    ///     .where { person, order in order.total > 100 }
    ///     .select { person, order in (person.name.last, order.total) }
    /// ```
    /// A row is a pair of documents; a document without a match has no row, unlike with
    /// ``leftJoin(_:as:on:)``. Key paths still begin at the first collection. A closure receives
    /// all sources.
    ///
    /// SQLite chooses the order of the loops. A condition on `meta.id` looks up documents by ID;
    /// one on another property needs an index on it, or each document of one source is compared
    /// with each of the other.
    ///
    /// - Parameters:
    ///   - other: the collection to join.
    ///   - alias: its alias in the query text; its name if nil, with a number if that is taken.
    ///   - condition: receives both documents.
    /// - Returns: a query of two sources; its rows are unchanged until a `select`.
    public func join<First, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (TwoSources<First, Other>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<TwoSources<First, Other>, Row>
    where Sources == OneSource<First> {
        joined(other.queried, alias, .inner, condition)
    }

    /// Joins the documents of a third collection that meet a condition, as the join of a second
    /// one.
    ///
    /// ```swift
    /// let voyagers = from(orders)
    ///     .join(persons, on: { order, person in order.customer == person.meta.id })
    ///     .join(voyages, on: { order, person, voyage in voyage.captain == person.name.last })
    ///     .select { order, person, voyage in (order.number, voyage.ship) }
    /// ```
    /// - Parameters:
    ///   - other: the collection to join.
    ///   - alias: its alias in the query text; its name if nil.
    ///   - condition: receives all three documents.
    public func join<First, Second, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (ThreeSources<First, Second, Other>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<ThreeSources<First, Second, Other>, Row>
    where Sources == TwoSources<First, Second> {
        joined(other.queried, alias, .inner, condition)
    }

    /// Joins documents, and retains rows without a match, where the document is missing.
    ///
    /// ```swift
    /// let all = from(persons)
    ///     .leftJoin(orders, on: { person, order in order.customer == person.meta.id })
    ///     .select { person, order in (person.name.last, order.total) }  // (String, Double?)
    /// let without = from(persons)
    ///     .leftJoin(orders, on: { person, order in order.customer == person.meta.id })
    ///     .where { person, order in order.total.isMissing }
    /// ```
    /// The joined document is optional: its properties are too, and nil in the rows without a
    /// match.
    ///
    /// - Parameters:
    ///   - other: the collection to join.
    ///   - alias: its alias in the query text; its name if nil.
    ///   - condition: receives both documents. A condition that belongs in `where` has another
    ///     meaning here: it determines the matches, not the rows.
    public func leftJoin<First, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (TwoSources<First, Other?>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<TwoSources<First, Other?>, Row>
    where Sources == OneSource<First> {
        joined(other.queried, alias, .left, condition)
    }

    /// Joins documents as a third source, and retains rows without a match, where the document is
    /// missing.
    ///
    /// The third document is optional, as the second one of a left join of two sources.
    ///
    /// - Parameters:
    ///   - other: the collection to join.
    ///   - alias: its alias in the query text; its name if nil.
    ///   - condition: receives all three documents.
    public func leftJoin<First, Second, Other>(
        _ other: TypedCollection<Other>, as alias: String? = nil,
        on condition: (ThreeSources<First, Second, Other?>.Terms) -> QueryTerm<Bool>
    ) -> SelectQuery<ThreeSources<First, Second, Other?>, Row>
    where Sources == TwoSources<First, Second> {
        joined(other.queried, alias, .left, condition)
    }

    /// Joins each row with each document of another collection.
    ///
    /// ```swift
    /// let pairs = from(persons).crossJoin(voyages)
    ///     .where { person, voyage in person.state == voyage.origin.country }
    ///     .select { person, voyage in (person.name.last, voyage.ship) }
    /// ```
    /// The number of rows is the product of both collections' sizes, so use it for small
    /// collections. SQLite keeps the order of the sources: the first collection is the outer loop.
    ///
    /// - Parameters:
    ///   - other: the collection to join.
    ///   - alias: its alias in the query text; its name if nil.
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
    /// Joins each row with the elements of an array: a row for each element.
    ///
    /// ```swift
    /// let likes = from(persons).unnest(\.likes)
    ///     .groupBy { person, like in like }
    ///     .select { person, like in (like, person.rowCount) }
    /// ```
    /// The element is a source of its own: `.where { person, like in like == "tea" }`. A document
    /// whose array is empty or missing has no row; a value that is not an array is its own single
    /// element. An array index on the path serves conditions on the elements. To test elements
    /// without a row for each, use ``QueryTerm/any(_:)``.
    ///
    /// - Parameter array: the key path of an array in the document.
    public func unnest<First, Array: QueryArrayValue>(
        _ array: KeyPath<QueryTerm<First>, QueryTerm<Array>>
    ) -> SelectQuery<TwoSources<First, Array.Element>, Row>
    where Sources == OneSource<First> {
        unnested(root[keyPath: array])
    }

    /// Joins each row with the elements of an array of one of two sources, as a third source.
    ///
    /// ```swift
    /// let stops = from(persons)
    ///     .join(voyages, on: { person, voyage in voyage.captain == person.meta.id })
    ///     .unnest { person, voyage in voyage.stops }
    ///     .select { person, voyage, stop in (person.name.last, stop.city) }
    /// ```
    /// - Parameter array: receives both sources; returns a term that is an array.
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
