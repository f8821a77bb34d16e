public import DocumentStore

extension OONIStore {
    /// The websites of a store, each once.
    public struct Urls: Sendable {
        let store: Collections
        var entities: Entities<Url> { store.urls }
    }
}

extension OONIStore.Urls {
    /// The collection.
    public var collection: DocumentCollection { entities.collection }

    /// A website by its address; nil if the store does not have it.
    public func get(_ url: String, in snapshot: Snapshot) throws -> OONIStore.Url? {
        try entities.get(Self.key(url), in: snapshot)
    }

    /// All websites.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Url] {
        try entities.all(in: snapshot)
    }

    /// Notes a website, and what is known of it: a category or a country that the store has is
    /// replaced by another one, and never by none.
    ///
    /// - Returns: the website as it is then.
    @discardableResult
    public func register(
        _ url: OONIStore.Url, in transaction: Transaction
    ) throws -> OONIStore.Url {
        // Once more through the initializer, which knows what is not a country.
        let url = OONIStore.Url(
            url.url, category: url.category, countryCode: url.countryCode)
        let known = try get(url.url, in: transaction)
        let merged = known?.merged(with: url) ?? url
        if merged != known { try entities.replace(merged, Self.key(url.url), in: transaction) }
        return merged
    }

    /// Notes websites.
    ///
    /// - Returns: the websites as they are then, in the same order.
    @discardableResult
    public func register(
        _ urls: some Sequence<OONIStore.Url>, in transaction: Transaction
    ) throws -> [OONIStore.Url] {
        try urls.map { try register($0, in: transaction) }
    }

    func require(_ url: String, in snapshot: Snapshot) throws -> OONIStore.Url {
        guard let known = try get(url, in: snapshot) else {
            throw OONIStoreError(.unknownUrl, "there is no website \(url): register it first")
        }
        return known
    }

    /// As a document's id: the address, or its digest if it cannot be one.
    static func key(_ url: String) -> String { DocumentID.naming(url) }
}
