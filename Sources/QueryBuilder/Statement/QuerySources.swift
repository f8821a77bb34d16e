internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// The sources of a query: one collection, or several that are joined.
///
/// It is a type parameter of ``SelectQuery`` that the clauses choose: ``OneSource`` after `from`,
/// and ``TwoSources`` or ``ThreeSources`` after `join` or `unnest`. A function that accepts any
/// query has it as a generic parameter:
///
/// ```swift
/// func count<Sources, Row>(_ query: SelectQuery<Sources, Row>) throws -> Int {
///     try query.query.rows(in: snapshot).all().count
/// }
/// print(try count(from(persons).where(\.age > 30)))
/// ```
/// Other types need not conform to it.
public protocol QuerySources: Sendable {
    /// The type of the first collection's documents, where key paths begin.
    associatedtype Root: Codable & Sendable
    /// The terms that closures receive, one for each source in order.
    associatedtype Terms
    /// Creates the terms.
    static func terms(_ sources: QuerySourceTerms) -> Terms
}

/// The names of the sources of a query, from which the terms of closures are created.
///
/// A program does not use it itself.
public struct QuerySourceTerms: Sendable {
    struct Source: Sendable {
        let alias: String
        let coding: PropertyCoding
    }

    var sources: [Source]

    /// The term of the source with this index.
    func term<Value>(_ index: Int) -> QueryTerm<Value> {
        let source = sources[index]
        return QueryTerm(.property(.init([.key(source.alias)])), source.coding)
    }
}

/// One source: the collection after `from`. Closures receive its document as `$0`.
///
/// ```swift
/// let adults: SelectQuery<OneSource<Person>, Int> = from(persons).select(\.age)
/// ```
public enum OneSource<Root: Codable & Sendable>: QuerySources {
    /// Creates the term of the source; called by the clauses of a query.
    public static func terms(_ sources: QuerySourceTerms) -> QueryTerm<Root> { sources.term(0) }
}

/// Two sources, after one `join` or `unnest`. Closures receive both, and must name both:
///
/// ```swift
/// let query = from(persons).unnest(\.likes).where { person, like in like == "tea" }
/// ```
/// After `leftJoin` the second one is optional.
public enum TwoSources<Root: Codable & Sendable, Second: Codable & Sendable>: QuerySources {
    /// Creates the terms of the sources; called by the clauses of a query.
    public static func terms(
        _ sources: QuerySourceTerms
    ) -> (QueryTerm<Root>, QueryTerm<Second>) {
        (sources.term(0), sources.term(1))
    }
}

/// Three sources, after two joins, which is the largest number. Closures receive all three.
///
/// ```swift
/// let pairs = from(persons)
///     .join(orders, on: { person, order in order.customer == person.meta.id })
///     .join(persons, on: { person, order, other in other.state == person.state })
///     .select { person, order, other in (order.number, other.name.last) }
/// ```
/// A query with more sources is written in SQL++, as a `Query`.
public enum ThreeSources<
    Root: Codable & Sendable, Second: Codable & Sendable, Third: Codable & Sendable
>: QuerySources {
    /// Creates the terms of the sources; called by the clauses of a query.
    public static func terms(
        _ sources: QuerySourceTerms
    ) -> (QueryTerm<Root>, QueryTerm<Second>, QueryTerm<Third>) {
        (sources.term(0), sources.term(1), sources.term(2))
    }
}

/// A collection as the source of a query.
struct QueriedCollection: Sendable {
    let name: CollectionName
    let coding: PropertyCoding
}

extension TypedCollection {
    /// The collection with its encoder and decoder.
    var queried: QueriedCollection {
        QueriedCollection(
            name: collection.name, coding: PropertyCoding(encoder: encoder, decoder: decoder))
    }
}

extension QueriedCollection {
    /// The collection as an item of `FROM`, and its name in the query.
    ///
    /// - Parameters:
    ///   - alias: the alias; nil for the name of the collection.
    ///   - taken: the names of the other sources.
    func source(
        as alias: String?, taken: [String], join: QuerySource.Join? = nil
    ) -> (QuerySource, QuerySourceTerms.Source, StoreError?) {
        var problem: StoreError?
        if let alias, taken.contains(alias) || alias.isEmpty || alias.utf8.first == 0x5F {
            problem = StoreError.invalidQuery(
                "\"\(alias)\" cannot be the name of a source: it must differ from the names of "
                    + "the other sources, and not begin with '_'")
        }
        let known = alias ?? freeName(taken)
        let isDefault = name.scope == CollectionName.default.scope
        let source = QuerySource(
            kind: .collection(
                QueryCollectionName(
                    scope: isDefault ? nil : name.scope,
                    collection: name == .default ? "_" : name.name)),
            alias: isDefault && name != .default && known == name.name ? nil : known, join: join)
        return (source, QuerySourceTerms.Source(alias: known, coding: coding), problem)
    }

    /// A name that differs from all other sources, including those of outer queries.
    private func freeName(_ taken: [String]) -> String {
        let own = name == .default ? "doc" : name.name
        let depth = BuilderDepth.current
        return (depth == 0 ? own : "_\(own)_\(depth)").free(among: taken)
    }
}

extension String {
    /// The name, followed by a number if it is already in use.
    func free(among taken: [String]) -> String {
        var name = self
        var number = 2
        while taken.contains(name) {
            name = self + "\(number)"
            number += 1
        }
        return name
    }
}
