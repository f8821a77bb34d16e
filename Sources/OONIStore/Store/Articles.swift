public import DocumentStore

extension OONIStore {
    /// The articles of OONI's news in a store: the collection `ooni.articles`.
    ///
    /// The list comes from OONI's server as a whole. The app fetches it, replaces the stored one,
    /// and observes it:
    ///
    /// ```swift
    /// let article = OONIStore.Article(
    ///     url: "https://ooni.org/post/1", title: "A post", source: .blog, time: startTime)
    /// try await probe.write { try probe.articles.refresh([article], in: $0) }
    /// for try await list in probe.observe({ try probe.articles.all(in: $0) }) { show(list) }
    /// ```
    ///
    /// It is cheap to create and has no state: get it from ``OONIStore/articles`` for each call.
    public struct Articles: Sendable {
        let store: Collections
        var entities: Entities<Article> { store.articles }
    }
}

extension OONIStore.Articles {
    /// The collection `ooni.articles`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// All articles, newest first; of those of the same time, by address in descending order.
    ///
    /// Reads the whole collection. Documents that cannot be read are skipped;
    /// ``OONIStore/verify(in:)`` reports them.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Article] {
        try entities.all(in: snapshot).sorted { ($0.time, $0.url) > ($1.time, $1.url) }
    }

    /// Replaces the store's articles: other articles are removed, and unchanged ones are not
    /// written.
    ///
    /// Of two with the same address, the last one is used. If nothing has changed, nothing is
    /// written and observers are not notified.
    ///
    /// - Parameters:
    ///   - articles: the complete list.
    ///   - transaction: the transaction in which they are written.
    /// - Returns: whether anything changed.
    /// - Throws: a `StoreError`.
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
