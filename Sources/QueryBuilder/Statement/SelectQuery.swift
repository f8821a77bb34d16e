public import DataFileCore
public import QueryEngine
internal import QueryLanguage
internal import StoreFormat

/// A query that is put together in Swift, and checked by the compiler: the properties by key paths,
/// the values by the types of the properties, the rows by what is selected.
///
/// ```swift
/// let names = from(people)
///     .where(\.age > 30 && \.name.last[like: "B%"])
///     .select(\.name)
///     .orderBy(\.age.descending)
/// for name in try names.all(in: snapshot) { … }
/// ```
/// It is a value: each clause gives a new one. Values in it are no text, so nothing can be hidden
/// in them.
///
/// - `Sources`: the collections that it is asked of.
/// - `Row`: what rows are.
public struct SelectQuery<Sources: QuerySources, Row>: Sendable {
    /// What key paths begin at.
    public typealias Root = Sources.Root

    var block: QueryBlock
    var order: [QueryOrder] = []
    var limit: QueryExpression?
    var offset: QueryExpression?
    var names: QuerySourceTerms
    /// The first thing that is wrong with it.
    var problem: StoreError?
    let reader: QueryRowReader<Row>

    /// The statement.
    ///
    /// Throws `.invalidQuery` for a term that has no meaning.
    func select() throws -> QuerySelect {
        if let problem { throw problem }
        return QuerySelect(body: .block(block), order: order, limit: limit, offset: offset)
    }

    var statement: QueryStatement { get throws { .select(try select()) } }

    /// The terms of the sources.
    var terms: Sources.Terms { Sources.terms(names) }

    /// The term of the first source.
    var root: QueryTerm<Root> { names.term(0) }

    /// The query with another kind of rows and sources.
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

/// A query of the documents of a collection, of which more is said by `where`, `select` and so on.
///
/// - Parameters:
///   - collection: a collection with documents of a type.
///   - alias: what it is called in the text of the query; its name if nil.
public func from<Value>(
    _ collection: TypedCollection<Value>, as alias: String? = nil
) -> SelectQuery<OneSource<Value>, QueriedDocument<Value>> {
    // A protocol of both kinds of collections would cost the compiler seconds for each query.
    let (source, name, problem) = collection.queried.source(as: alias, taken: [])
    return SelectQuery<OneSource, _>(
        block: QueryBlock(sources: [source]), names: QuerySourceTerms(sources: [name]),
        problem: problem, reader: QueryRowReader { _ in 0 }
    ).select()
}

/// A query of the documents of a collection, whose properties are reached by `property("…")`.
public func from(
    _ collection: DocumentCollection, as alias: String? = nil
) -> SelectQuery<OneSource<QueryValue>, QueriedDocument<QueryValue>> {
    from(collection.of(QueryValue.self), as: alias)
}

extension SelectQuery {
    /// Only rows of which a condition is true, of key paths: `.where(\.age > 30 && \.isMember)`
    ///
    /// Of several conditions all must be true.
    public func `where`(_ condition: QueryPathTerm<Root, Bool>) -> Self {
        changed { $0.add(condition.term($0.root)) }
    }

    /// Only rows of which a condition is true, of a key path: `.where(\.isMember)`
    public func `where`(_ condition: QueryPath<Root, Bool>) -> Self {
        changed { $0.add($0.root[keyPath: condition]) }
    }

    /// Only rows of which a condition of all sources is true: `.where { $0.age > 30 }`
    public func `where`(_ condition: (Sources.Terms) -> QueryTerm<Bool>) -> Self {
        changed { $0.add(condition($0.terms)) }
    }

    private mutating func add(_ condition: QueryTerm<Bool>) {
        note(condition.problem)
        block.condition = .chain(.and, block.condition, condition.expression)
    }

    /// Every row once.
    public func distinct() -> Self { changed { $0.block.isDistinct = true } }

    /// No more rows than this.
    public func limit(_ count: Int) -> Self {
        changed { $0.limit = .literal(.integer(Int64(count))) }
    }

    /// No more rows than a parameter says.
    public func limit(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.limit = count.expression
        }
    }

    /// Without the first rows.
    public func offset(_ count: Int) -> Self {
        changed { $0.offset = .literal(.integer(Int64(count))) }
    }

    /// Without the first rows, as many as a parameter says.
    public func offset(_ count: QueryTerm<Int>) -> Self {
        changed { query in
            query.note(count.problem)
            query.offset = count.expression
        }
    }
}

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
