public import DocumentStore

extension OONIStore {
    /// The articles of OONI's news in a store.
    public struct Articles: Sendable {
        let store: Collections
        var entities: Entities<Article> { store.articles }
    }
}

extension OONIStore.Articles {
    /// The collection.
    public var collection: DocumentCollection { entities.collection }

    /// All articles, newest first.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Article] {
        try entities.all(in: snapshot).sorted { ($0.time, $0.url) > ($1.time, $1.url) }
    }

    /// Replaces the store's articles: other articles are removed, and unchanged ones are not
    /// written. Of two with the same address, the last one is used.
    ///
    /// - Returns: whether anything changed.
    @discardableResult
    public func refresh(
        _ articles: some Sequence<OONIStore.Article>, in transaction: Transaction
    ) throws -> Bool {
        let old = Self.byAddress(try all(in: transaction))
        let new = Self.byAddress(articles)
        for (address, article) in new where old[address] != article {
            try entities.put(article, OONIStore.Urls.key(article.url), in: transaction)
        }
        for (address, article) in old where new[address] == nil {
            try entities.remove(OONIStore.Urls.key(article.url), in: transaction)
        }
        return old != new
    }

    private static func byAddress(
        _ articles: some Sequence<OONIStore.Article>
    ) -> [ExactString: OONIStore.Article] {
        articles.reduce(into: [:]) { $0[ExactString($1.url)] = $1 }
    }
}
