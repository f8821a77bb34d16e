public import DocumentStore

extension OONIStore {
    /// The websites of a store, without duplicates.
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

    /// Registers a website with what is known about it: a known category or country replaces the
    /// stored one; an unknown one does not.
    ///
    /// - Returns: the stored website.
    @discardableResult
    public func register(
        _ url: OONIStore.Url, in transaction: Transaction
    ) throws -> OONIStore.Url {
        // Uses the initializer again, which normalizes the country.
        let url = OONIStore.Url(
            url.url, category: url.category, countryCode: url.countryCode)
        let known = try get(url.url, in: transaction)
        let merged = known?.merged(with: url) ?? url
        if merged != known { try entities.replace(merged, Self.key(url.url), in: transaction) }
        return merged
    }

    /// Registers websites.
    ///
    /// - Returns: the stored websites, in the same order.
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

    /// The document's id: the address, or its digest if the address is not a valid id.
    static func key(_ url: String) -> String { DocumentID.naming(url) }
}
