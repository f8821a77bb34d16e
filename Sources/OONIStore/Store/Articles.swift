public import DataFileCore

extension OONIStore {
    /// OONI's news in a store.
    public struct Articles: Sendable {
        let store: Collections
        var entities: Entities<Article> { store.articles }
    }
}

extension OONIStore.Articles {
    /// The collection.
    public var collection: Collection { entities.collection }

    /// All articles, the newest first.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Article] {
        try entities.all(in: snapshot).sorted { ($0.time, $0.url) > ($1.time, $1.url) }
    }

    /// Makes the store's articles these: others are removed, and those that are as they were are
    /// not written. Of two with the same address the last one counts.
    ///
    /// - Returns: whether anything has changed.
    @discardableResult
    public func refresh(
        _ articles: some Sequence<OONIStore.Article>, in transaction: Transaction
    ) throws -> Bool {
        let old = Self.byKey(try all(in: transaction))
        let new = Self.byKey(articles)
        for (key, article) in new where old[key] != article {
            try entities.put(article, key, in: transaction)
        }
        for key in old.keys where new[key] == nil {
            try entities.remove(key, in: transaction)
        }
        return old != new
    }

    private static func byKey(
        _ articles: some Sequence<OONIStore.Article>
    ) -> [String: OONIStore.Article] {
        articles.reduce(into: [:]) { $0[OONIStore.Urls.key($1.url)] = $1 }
    }
}
