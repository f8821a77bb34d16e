public import DataFileCore
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A typed query that the compiler checks: properties are key paths, values have the types of the
/// properties, and rows have the type of the selection.
///
/// ```swift
/// let names = from(people)
///     .where(\.age > 30 && \.name.last[like: "B%"])
///     .select(\.name)
///     .orderBy(\.age.descending)
/// for name in try names.all(in: snapshot) { … }
/// ```
/// A query is a value: each clause returns a new query. Values are never inserted into query text,
/// so injection is impossible.
///
/// - `Sources`: the collections that the query reads.
/// - `Row`: the type of a row.
public struct SelectQuery<Sources: QuerySources, Row>: Sendable {
    /// The type where key paths begin.
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
/// Without `select` the rows are ``QueriedDocument`` values. The query is independent of a file;
/// run it with ``SelectQuery/all(in:_:limits:)``, ``SelectQuery/rows(in:_:limits:)`` or
/// ``SelectQuery/first(in:_:limits:)``, or observe ``SelectQuery/query``.
///
/// - Parameters:
///   - collection: a collection with a document type.
///   - alias: the alias of the collection in the query text; its name if nil.
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

/// Creates a query of an untyped collection, with properties by `property("…")`.
public func from(
    _ collection: DocumentCollection, as alias: String? = nil
) -> SelectQuery<OneSource<QueryValue>, QueriedDocument<QueryValue>> {
    from(collection.of(QueryValue.self), as: alias)
}

extension SelectQuery {
    /// Selects rows that meet a condition of key paths: `.where(\.age > 30 && \.isMember)`
    ///
    /// Several conditions are combined with AND.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.add(condition.term($0.root)) }
    }

    /// Selects rows where a Boolean property is true: `.where(\.isMember)`
    public func `where`(_ condition: QueryPath<Root, Bool>) -> Self {
        changed { $0.add($0.root[keyPath: condition]) }
    }

    /// Selects rows that meet a condition of all sources: `.where { $0.age > 30 }`
    public func `where`(_ condition: (Sources.Terms) -> QueryTerm<Bool>) -> Self {
        changed { $0.add(condition($0.terms)) }
    }

    private mutating func add(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        block.condition = .chain(.and, block.condition, condition.expression)
    }

    /// Removes duplicate rows.
    public func distinct() -> Self { changed { $0.block.isDistinct = true } }

    /// Limits the number of rows; a negative number counts as 0.
    public func limit(_ count: Int) -> Self {
        changed { $0.limit = .literal(.integer(Int64(count))) }
    }

    /// Limits the number of rows to the value of a parameter.
    public func limit(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.limit = count.expression
        }
    }

    /// Skips the first rows, which are still computed. For paging use
    /// `Query.page(of:after:in:)` with ``query``.
    public func offset(_ count: Int) -> Self {
        changed { $0.offset = .literal(.integer(Int64(count))) }
    }

    /// Skips as many rows as the value of a parameter.
    public func offset(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.offset = count.expression
        }
    }
}

extension QueryTerm {
    /// Whether the value is among the rows of a subquery, which may use the outer terms.
    public func `in`<Sources>(_ query: SelectQuery<Sources, Value>) -> QueryTerm<Bool> {
        let (subquery, problem) = query.subquery
        return compared(.in, [subquery], problem)
    }

    /// The first row of a subquery, which may use the outer terms; missing if it has no rows.
    public static func firstRow<Sources, Row>(
        of query: SelectQuery<Sources, Row>
    ) -> Self where Value == Row? {
        let (subquery, problem) = query.subquery
        return Self(subquery, query.root.coding, problem)
    }
}

/// Whether a subquery, which may use the outer terms, has rows.
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
