internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// What a query is asked of: one collection, or some that are joined.
public protocol QuerySources: Sendable {
    /// The values of the first collection, which key paths begin at.
    associatedtype Root: Codable & Sendable
    /// A term for each source, in their order, which closures get.
    associatedtype Terms
    /// The terms.
    static func terms(_ sources: QuerySourceTerms) -> Terms
}

/// The names of the sources of a query.
public struct QuerySourceTerms: Sendable {
    struct Source: Sendable {
        let alias: String
        let coding: PropertyCoding
    }

    var sources: [Source]

    /// The term of a source by its number.
    func term<Value>(_ index: Int) -> QueryTerm<Value> {
        let source = sources[index]
        return QueryTerm(.property(.init([.key(source.alias)])), source.coding)
    }
}

/// One source.
public enum OneSource<Root: Codable & Sendable>: QuerySources {
    /// Its term.
    public static func terms(_ sources: QuerySourceTerms) -> QueryTerm<Root> { sources.term(0) }
}

/// Two sources.
public enum TwoSources<Root: Codable & Sendable, Second: Codable & Sendable>: QuerySources {
    /// Their terms.
    public static func terms(
        _ sources: QuerySourceTerms
    ) -> (QueryTerm<Root>, QueryTerm<Second>) {
        (sources.term(0), sources.term(1))
    }
}

/// Three sources.
public enum ThreeSources<
    Root: Codable & Sendable, Second: Codable & Sendable, Third: Codable & Sendable
>: QuerySources {
    /// Their terms.
    public static func terms(
        _ sources: QuerySourceTerms
    ) -> (QueryTerm<Root>, QueryTerm<Second>, QueryTerm<Third>) {
        (sources.term(0), sources.term(1), sources.term(2))
    }
}

/// A collection that a query is asked of.
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
    /// The collection as an item of `FROM`, and what it is called in the query.
    ///
    /// - Parameters:
    ///   - alias: what it is to be called; nil for its own name.
    ///   - taken: what others are called.
    func source(
        as alias: String?, taken: [String], join: QuerySource.Join? = nil
    ) -> (QuerySource, QuerySourceTerms.Source, StoreError?) {
        var problem: StoreError?
        if let alias, taken.contains(alias) || alias.isEmpty || alias.utf8.first == 0x5F {
            problem = StoreError.invalidQuery(
                "\"\(alias)\" cannot be the name of a source: it must be another than those of "
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

    /// A name that no other source has, also none of the queries around.
    private func freeName(_ taken: [String]) -> String {
        let own = name == .default ? "doc" : name.name
        let depth = BuilderDepth.current
        return (depth == 0 ? own : "_\(own)_\(depth)").free(among: taken)
    }
}

extension String {
    /// The name, with a number behind it if others have the name.
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
