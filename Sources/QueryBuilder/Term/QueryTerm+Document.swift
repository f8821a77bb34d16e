internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension QueryTerm {
    /// The metadata of the document.
    ///
    /// ```swift
    /// let query = from(persons).where(\.meta.id == "ada").select(\.meta.sequence)
    /// ```
    /// The term must be a document, such as `$0`; on another term it is an error of the query.
    public var meta: QueryMeta { QueryMeta(source: expression, coding: coding, problem: problem) }

    /// Whether the document matches a full-text query.
    ///
    /// ```swift
    /// let found = from(persons)
    ///     .where { $0.match("byBio", "chess OR \"flying machine*\"") }
    ///     .orderBy { $0.matchRank("byBio").descending }
    /// ```
    /// Words must all occur, in any order and in any grammatical form of the index's language;
    /// `OR`, `NOT`, phrases in quotes and prefixes with `*` are supported. It needs the full-text
    /// index: without it the query fails. It is fast as a condition that all rows must meet, and
    /// slower as a part of another expression.
    ///
    /// - Parameters:
    ///   - index: the name of a full-text index of its collection.
    ///   - words: the full-text query.
    public func match(_ index: String, _ words: String) -> QueryTerm<Bool> {
        match(index, QueryTerm<String>(words))
    }

    /// Whether the document matches a full-text query from another value, such as a parameter.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.match("byBio", parameter("words")) }
    /// let found = try query.all(in: snapshot, ["words": "chess tea"])
    /// ```
    /// - Parameters:
    ///   - index: the name of a full-text index of its collection.
    ///   - words: the full-text query.
    public func match(_ index: String, _ words: QueryTerm<String>) -> QueryTerm<Bool> {
        let (name, problem) = indexName(index)
        return derived(
            .match(index: name, words: words.expression), problem ?? words.problem,
            height: words.height)
    }

    /// Whether the document matches a full-text query, in a key path: `\.[match: "byBio", "tea"]`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.[match: "byBio", "tea"] && \.age > 30)
    /// ```
    public subscript(match index: String, words: String) -> QueryTerm<Bool> {
        match(index, words)
    }

    /// The rank of the document's match in a full-text index, to sort by relevance.
    ///
    /// ```swift
    /// let best = from(persons).where { $0.match("byBio", "chess") }
    ///     .orderBy { $0.matchRank("byBio").descending }.limit(10)
    /// ```
    /// A higher rank is a better match. A ``match(_:_:)`` of the same index must be a condition
    /// that all rows meet; otherwise the query fails with `.invalidQuery`.
    ///
    /// - Parameter index: the name of the full-text index.
    public func matchRank(_ index: String) -> QueryTerm<Double> {
        let (name, problem) = indexName(index)
        return derived(.rank(index: name), problem)
    }

    private func indexName(_ index: String) -> (String, StoreError?) {
        guard let source = expression.sourceName else {
            return (index, StoreError.invalidQuery("only a document can match a full-text query"))
        }
        return (source + "." + index, nil)
    }
}

extension QueryExpression {
    /// The name of the source, if the term is a whole source.
    var sourceName: String? {
        guard case .property(let path) = self, path.components.count == 1,
            case .key(let name) = path.components[0]
        else { return nil }
        return name
    }
}

/// The metadata of a document in a query, from ``QueryTerm/meta``.
///
/// ```swift
/// let query = from(persons)
///     .where { $0.meta.sequence > 100 && $0.meta.id.hasPrefix("user-") }
///     .select { ($0.meta.id, $0.meta.revisionID) }
/// ```
public struct QueryMeta: Sendable {
    let source: QueryExpression
    let coding: PropertyCoding
    let problem: StoreError?

    /// The document ID. A comparison with it looks up the document, without any other index.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.meta.id.in(["ada", "alan"]) }
    /// ```
    public var id: QueryTerm<String> { term(.id) }

    /// The sequence of the document's last change, which grows with each change in the collection.
    public var sequence: QueryTerm<Int64> { term(.sequence) }

    /// Whether the document is deleted; a query that reads it includes deleted documents.
    ///
    /// ```swift
    /// let deleted = from(persons).where(\.meta.isDeleted).select(\.meta.id, \.meta.sequence)
    /// ```
    /// A deleted document has no properties, so select only metadata.
    public var isDeleted: QueryTerm<Bool> { term(.deleted) }

    /// The expiration time, in milliseconds since 1970; missing if the document does not expire.
    ///
    /// ```swift
    /// let temporary = from(persons).where(\.meta.expiration.isNotMissing).select(\.meta.id)
    /// ```
    public var expiration: QueryTerm<Int64?> { term(.expiration) }

    /// The revision ID, in the form that the file uses: of revision trees or of version vectors.
    public var revisionID: QueryTerm<String> { term(.revisionID) }

    private func term<Value>(_ property: MetaProperty) -> QueryTerm<Value> {
        guard let name = source.sourceName else {
            let error = StoreError.invalidQuery("only a document has metadata such as an ID")
            return QueryTerm(.literal(.missing), coding, problem ?? error)
        }
        return QueryTerm(.meta(property, source: name), coding, problem)
    }
}
