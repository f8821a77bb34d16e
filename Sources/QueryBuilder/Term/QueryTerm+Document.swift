internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension QueryTerm {
    /// The metadata of the document.
    public var meta: QueryMeta { QueryMeta(source: expression, coding: coding, problem: problem) }

    /// Whether the document matches a full-text query.
    ///
    /// - Parameters:
    ///   - index: the name of a full-text index of its collection.
    ///   - words: the full-text query.
    public func match(_ index: String, _ words: String) -> QueryTerm<Bool> {
        match(index, QueryTerm<String>(words))
    }

    /// Whether the document matches a full-text query from another value, such as a parameter.
    public func match(_ index: String, _ words: QueryTerm<String>) -> QueryTerm<Bool> {
        let (name, problem) = indexName(index)
        return derived(
            .match(index: name, words: words.expression), problem ?? words.problem,
            height: words.height)
    }

    /// Whether the document matches a full-text query, in a key path: `\.[match: "byBio", "tea"]`
    public subscript(match index: String, words: String) -> QueryTerm<Bool> {
        match(index, words)
    }

    /// The rank of the document's match in a full-text index.
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

/// The metadata of a document.
public struct QueryMeta: Sendable {
    let source: QueryExpression
    let coding: PropertyCoding
    let problem: StoreError?

    /// The document ID.
    public var id: QueryTerm<String> { term(.id) }

    /// The sequence of the last change.
    public var sequence: QueryTerm<Int64> { term(.sequence) }

    /// Whether the document is deleted; a query that reads it includes deleted documents.
    public var isDeleted: QueryTerm<Bool> { term(.deleted) }

    /// The expiration time, in milliseconds since 1970.
    public var expiration: QueryTerm<Int64?> { term(.expiration) }

    /// The revision ID.
    public var revisionID: QueryTerm<String> { term(.revisionID) }

    private func term<Value>(_ property: MetaProperty) -> QueryTerm<Value> {
        guard let name = source.sourceName else {
            let error = StoreError.invalidQuery("only a document has metadata such as an ID")
            return QueryTerm(.literal(.missing), coding, problem ?? error)
        }
        return QueryTerm(.meta(property, source: name), coding, problem)
    }
}
