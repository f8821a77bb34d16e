public import DataFileCore
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A typed query that the compiler checks: properties are key paths, values have the types of the
/// properties, and rows have the type of the selection.
///
/// ```swift
/// let names = from(persons)
///     .where(\.age > 30 && \.name.last[like: "B%"])
///     .select(\.name)
///     .orderBy(\.age.descending)
/// for name in try names.all(in: snapshot) { print(name.first, name.last) }
/// ```
/// Start with `from(_:as:)`. A query is a value: each clause returns a new query, and clauses can
/// come in any order. Values are never inserted into query text, so injection is impossible.
///
/// Conditions, columns and orders are written as key paths, as above, or as closures, which receive
/// a term for each source and can call methods:
///
/// ```swift
/// let names = from(persons)
///     .where { $0.age > 30 && $0.name.last.hasPrefix("B") }
///     .where { person in person.likes.any { $0 == "tea" } }
///     .select { $0.name.last.upper() + ", " + $0.name.first }
/// ```
/// Swift allows no method calls in a key path, so methods are available there as subscripts and
/// properties, such as `\.name.last[like: "B%"]` and `\.name.last.lowercase`.
///
/// The types of the query are:
///
/// - `Sources`: the collections that the query reads.
/// - `Row`: the type of a row.
///
/// It has the features of the query language except `UNION` and other set operators, CTEs, `LET`,
/// subqueries as sources, window functions and more than three sources; ``query`` is the same query
/// as a `Query`. Key paths that are not properties of the documents, and other errors that the
/// compiler cannot detect, are thrown when the query is run. The first use of a key path derives
/// its path in the documents from samples of the type, which is then cached for the process.
public struct SelectQuery<Sources: QuerySources, Row>: Sendable {
    /// The type where key paths begin: that of the documents of the first collection.
    public typealias Root = Sources.Root

    var block: QueryBlock
    var order: [QueryOrder] = []
    var limit: QueryExpression?
    var offset: QueryExpression?
    var names: QuerySourceTerms
    /// The first error of the query.
    var problem: StoreError?
    let reader: QueryRowReader<Row>

    /// The statement.
    ///
    /// - Throws: `.invalidQuery` for an invalid term.
    func select() throws -> QuerySelect {
        if let problem { throw problem }
        return QuerySelect(body: .block(block), order: order, limit: limit, offset: offset)
    }

    var statement: QueryStatement { get throws { .select(try select()) } }

    /// The terms of the sources.
    var terms: Sources.Terms { Sources.terms(names) }

    /// The term of the first source.
    var root: QueryTerm<Root> { names.term(0) }

    /// The query with other types of rows and sources.
    func with<NewSources: QuerySources, NewRow>(
        _ reader: QueryRowReader<NewRow>
    ) -> SelectQuery<NewSources, NewRow> {
        SelectQuery<NewSources, NewRow>(
            block: block, order: order, limit: limit, offset: offset, names: names,
            problem: problem, reader: reader)
    }

    func changed(_ change: (inout Self) -> Void) -> Self {
        var changed = self
        BuilderDepth.inside { change(&changed) }
        return changed
    }

    mutating func note(_ problem: StoreError?) { self.problem = self.problem ?? problem }
}

/// Creates a query of a collection's documents, which `where`, `select` and other clauses refine.
///
/// ```swift
/// let adults = from(persons).where(\.age >= 18).orderBy(\.age)
/// for person in try adults.all(in: snapshot) { print(person.id, person.value.name.last) }
/// ```
/// Without `select` the rows are ``QueriedDocument`` values. The query is independent of a file;
/// run it with ``SelectQuery/all(in:_:limits:)``, ``SelectQuery/rows(in:_:limits:)`` or
/// ``SelectQuery/first(in:_:limits:)``, or observe ``SelectQuery/query``. The encoder and decoder
/// of the collection determine the form of the values that properties are compared with, such as
/// dates.
///
/// - Parameters:
///   - collection: a collection with a document type.
///   - alias: the alias of the collection in the query text; its name if nil. It must not be empty
///     or begin with `_`, or running the query fails with `.invalidQuery`.
/// - Returns: a query of all documents of the collection.
public func from<Value>(
    _ collection: TypedCollection<Value>, as alias: String? = nil
) -> SelectQuery<OneSource<Value>, QueriedDocument<Value>> {
    // A common protocol of both collection types would add seconds of compile time per query.
    let (source, name, problem) = collection.queried.source(as: alias, taken: [])
    return SelectQuery<OneSource, _>(
        block: QueryBlock(sources: [source]), names: QuerySourceTerms(sources: [name]),
        problem: problem, reader: QueryRowReader { _ in 0 }
    ).select()
}

/// Creates a query of an untyped collection, with properties by ``property(_:as:)``.
///
/// ```swift
/// let names = from(people)
///     .where(property("age") > 30 && property("name.last").like("B%"))
///     .select(property("name.last", as: String.self))
/// ```
/// - Parameters:
///   - collection: the collection.
///   - alias: the alias of the collection in the query text; its name if nil.
/// - Returns: a query of all documents of the collection; the values are `QueryValue`.
public func from(
    _ collection: DocumentCollection, as alias: String? = nil
) -> SelectQuery<OneSource<QueryValue>, QueriedDocument<QueryValue>> {
    from(collection.of(QueryValue.self), as: alias)
}

extension SelectQuery {
    /// Selects rows that meet a condition of key paths.
    ///
    /// ```swift
    /// let query = from(persons).where(\.age > 30 && \.state == "NY").where(\.email != nil)
    /// ```
    /// Several conditions are combined with AND. A row for which the condition is missing, such as
    /// a comparison with a missing property, is not selected. An index whose first expressions are
    /// compared makes the query faster.
    ///
    /// - Parameter condition: the condition on the document of the first source.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.add(condition.term($0.root)) }
    }

    /// Selects rows where a Boolean property is true.
    ///
    /// ```swift
    /// let over = from(voyages).where(\.isOver).select(\.ship)
    /// ```
    /// A row whose property is missing, null or `false` is not selected; `.where(!\.isOver)` does
    /// not select those whose property is missing either.
    ///
    /// - Parameter condition: the key path of a Boolean property, or of a member such as
    ///   `\.stops.isEmpty`.
    public func `where`(_ condition: QueryPath<Root, Bool>) -> Self {
        changed { $0.add($0.root[keyPath: condition]) }
    }

    /// Selects rows that meet a condition of all sources.
    ///
    /// ```swift
    /// let least = 30
    /// let query = from(persons).where { $0.age > least && $0.likes.contains("tea") }
    /// ```
    /// Several conditions are combined with AND. The closure is called once, when the query is
    /// created: it builds an expression, and is not called for each row.
    ///
    /// - Parameter condition: receives the sources; returns the condition.
    public func `where`(_ condition: (Sources.Terms) -> QueryTerm<Bool>) -> Self {
        changed { $0.add(condition($0.terms)) }
    }

    private mutating func add(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        block.condition = .chain(.and, block.condition, condition.expression)
    }

    /// Removes duplicate rows.
    ///
    /// ```swift
    /// let states = try from(persons).select(\.state).distinct().orderBy(\.state).all(in: snapshot)
    /// ```
    /// Missing, null, `true` and 1 are different values. SQLite retains all distinct rows in memory
    /// or a temporary file, unless an index has their order.
    public func distinct() -> Self { changed { $0.block.isDistinct = true } }

    /// Limits the number of rows; a negative number counts as 0.
    ///
    /// ```swift
    /// let oldest = from(persons).orderBy(\.age.descending).limit(10).select(\.name)
    /// ```
    /// With an order SQLite retains only that many rows while it sorts. Unlike `QueryLimits.rows`,
    /// more rows are not an error.
    ///
    /// - Parameter count: the largest number of rows; replaces an earlier limit.
    public func limit(_ count: Int) -> Self {
        changed { $0.limit = .literal(.integer(Int64(count))) }
    }

    /// Limits the number of rows to the value of a parameter.
    ///
    /// ```swift
    /// let some = from(persons).orderBy(\.age).limit(parameter("count"))
    /// let rows = try some.all(in: snapshot, ["count": 10])
    /// ```
    /// - Parameter count: a term without properties. A value that is not an integer, also a missing
    ///   one, is the error `.invalidQueryParameter`.
    public func limit(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.limit = count.expression
        }
    }

    /// Skips the first rows, which are still computed. For paging use `Query.page(of:after:in:)`
    /// with ``query``.
    ///
    /// ```swift
    /// let rest = from(persons).orderBy(\.age.descending).offset(1).select(\.name)
    /// ```
    /// - Parameter count: the number of rows to skip; a negative number counts as 0.
    public func offset(_ count: Int) -> Self {
        changed { $0.offset = .literal(.integer(Int64(count))) }
    }

    /// Skips as many rows as the value of a parameter.
    ///
    /// ```swift
    /// let rest = from(persons).orderBy(\.age).offset(parameter("skipped")).select(\.name)
    /// ```
    /// - Parameter count: a term without properties, whose value must be an integer.
    public func offset(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.offset = count.expression
        }
    }
}

extension QueryTerm {
    /// Whether the value is among the rows of a subquery, which may use the outer terms.
    ///
    /// ```swift
    /// let buyers = from(persons).where { person in
    ///     person.meta.id.in(from(orders).where { $0.total > 100 }.select(\.customer))
    /// }
    /// ```
    /// A missing value is not among them. A subquery that does not use the outer terms is run once;
    /// SQLite keeps its rows as a list.
    ///
    /// - Parameter query: a query that selects one value of the same type.
    public func `in`<Sources>(_ query: SelectQuery<Sources, Value>) -> QueryTerm<Bool> {
        let (subquery, problem) = query.subquery
        return compared(.in, [subquery], problem)
    }

    /// The first row of a subquery, which may use the outer terms; missing if it has no rows.
    ///
    /// ```swift
    /// let totals = from(persons).select { person in
    ///     let own = from(orders).where { $0.customer == person.meta.id }
    ///     return (person.name.last, QueryTerm.firstRow(of: own.select { $0.total.maximum }))
    /// }
    /// ```
    /// A subquery with outer terms is run once for each row, so its condition needs an index.
    ///
    /// - Parameter query: a query that selects one value.
    public static func firstRow<Sources, Row>(
        of query: SelectQuery<Sources, Row>
    ) -> Self where Value == Row? {
        let (subquery, problem) = query.subquery
        return Self(subquery, query.root.coding, problem)
    }
}

/// Whether a subquery, which may use the outer terms, has rows.
///
/// ```swift
/// let buyers = from(persons).where { person in
///     exists(from(orders).where { $0.customer == person.meta.id && $0.total > 100 })
/// }
/// ```
/// SQLite ends the subquery at its first row. It is always true or false, so `!exists(…)` selects
/// the other documents.
///
/// - Parameter query: a query with any rows.
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
