internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

extension QueryTerm {
    /// What is known of the document besides its properties.
    public var meta: QueryMeta { QueryMeta(source: expression, coding: coding, problem: problem) }

    /// Whether the document matches words, by a full-text index of its collection.
    ///
    /// - Parameters:
    ///   - index: the name of the index.
    ///   - words: what is sought, in the syntax of full-text searches.
    public func match(_ index: String, _ words: String) -> QueryTerm<Bool> {
        match(index, QueryTerm<String>(words))
    }

    /// The same with words that are another value, such as a parameter.
    public func match(_ index: String, _ words: QueryTerm<String>) -> QueryTerm<Bool> {
        let (name, problem) = indexName(index)
        return derived(
            .match(index: name, words: words.expression), problem ?? words.problem,
            height: words.height)
    }

    /// Whether the document matches words, in a key path: `\.[match: "byBio", "tea"]`
    public subscript(match index: String, words: String) -> QueryTerm<Bool> {
        match(index, words)
    }

    /// How well the document matches the words that a full-text index was asked for.
    public func matchRank(_ index: String) -> QueryTerm<Double> {
        let (name, problem) = indexName(index)
        return derived(.rank(index: name), problem)
    }

    private func indexName(_ index: String) -> (String, StoreError?) {
        guard let source = expression.sourceName else {
            return (index, StoreError.invalidQuery("only a document can match words"))
        }
        return (source + "." + index, nil)
    }
}

extension QueryExpression {
    /// The source of a query, if it is no more than that.
    var sourceName: String? {
        guard case .property(let path) = self, path.components.count == 1,
            case .key(let name) = path.components[0]
        else { return nil }
        return name
    }
}

/// What is known of a document besides its properties.
public struct QueryMeta: Sendable {
    let source: QueryExpression
    let coding: PropertyCoding
    let problem: StoreError?

    /// The ID.
    public var id: QueryTerm<String> { term(.id) }

    /// The number of the last change.
    public var sequence: QueryTerm<Int64> { term(.sequence) }

    /// Whether the document is deleted; a query that asks for it sees deleted ones, too.
    public var isDeleted: QueryTerm<Bool> { term(.deleted) }

    /// When the document expires, in milliseconds since 1970.
    public var expiration: QueryTerm<Int64?> { term(.expiration) }

    /// The ID of the revision.
    public var revisionID: QueryTerm<String> { term(.revisionID) }

    private func term<Value>(_ property: MetaProperty) -> QueryTerm<Value> {
        guard let name = source.sourceName else {
            let error = StoreError.invalidQuery("only a document has an ID, a sequence and so on")
            return QueryTerm(.literal(.missing), coding, problem ?? error)
        }
        return QueryTerm(.meta(property, source: name), coding, problem)
    }
}
