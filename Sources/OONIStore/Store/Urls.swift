public import DocumentStore

extension OONIStore {
    /// The websites of a store, without duplicates: the collection `ooni.urls`.
    ///
    /// A website is registered with its first measurement, or with the descriptor that lists it.
    /// What is known about it is never replaced by less: registering an address without a category
    /// keeps the known category.
    ///
    /// ```swift
    /// try probe.write { transaction in
    ///     try probe.urls.register(.init("https://a.example/", category: .news), in: transaction)
    ///     let url = try probe.urls.register(.init("https://a.example/"), in: transaction)
    ///     show(url.category == .news)  // true
    /// }
    /// ```
    public struct Urls: Sendable {
        let store: Collections
        var entities: Entities<Url> { store.urls }
    }
}

extension OONIStore.Urls {
    /// The collection `ooni.urls`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// A website by its address; one lookup by key.
    ///
    /// - Parameters:
    ///   - url: the address, which is compared byte by byte.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the website; nil if the store does not have it.
    /// - Throws: a `StoreError`, or a `DecodingError` for a document that cannot be read.
    public func get(_ url: String, in snapshot: Snapshot) throws -> OONIStore.Url? {
        try entities.get(Self.key(url), in: snapshot)
    }

    /// All websites, by the keys of their documents. Documents that cannot be read are skipped.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Url] {
        try entities.all(in: snapshot)
    }

    /// Registers a website with what is known about it: a known category or country replaces the
    /// stored one; an unknown one does not.
    ///
    /// A website that does not change is not written.
    ///
    /// - Parameters:
    ///   - url: the website.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the stored website.
    /// - Throws: a `StoreError`.
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

    /// Registers websites, such as a list from OONI's server.
    ///
    /// ```swift
    /// let list = ["https://a.example/", "https://b.example/"].map { OONIStore.Url($0) }
    /// let urls = try probe.write { try probe.urls.register(list, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - urls: the websites; the same address may occur more than once.
    ///   - transaction: the transaction in which they are written.
    /// - Returns: the stored websites, in the same order.
    /// - Throws: a `StoreError`.
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

    /// The document's ID: the address, or its digest if the address is not a valid ID.
    static func key(_ url: String) -> String { DocumentID.naming(url) }
}
