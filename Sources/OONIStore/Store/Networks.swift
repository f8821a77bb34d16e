public import DocumentStore

extension OONIStore {
    /// The networks of a store, without duplicates: the collection `ooni.networks`.
    ///
    /// Two networks are the same if all their ``NetworkDetails`` are. A network is created when a
    /// result is first measured in it, and removed with the last result that uses it.
    ///
    /// ```swift
    /// let details = OONIStore.NetworkDetails(asn: "AS3209", countryCode: "DE", type: .mobile)
    /// try probe.write { transaction in
    ///     let network = try probe.networks.register(details, in: transaction)
    ///     try probe.results.update(resultID, in: transaction) { $0.networkID = network.id }
    /// }
    /// ```
    public struct Networks: Sendable {
        let store: Collections
        var entities: Entities<Network> { store.networks }
    }
}

extension OONIStore.Networks {
    /// The collection `ooni.networks`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// A network; one lookup by key.
    ///
    /// - Parameters:
    ///   - id: the number of the network.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the network; nil if there is none of this number.
    /// - Throws: a `StoreError`, or a `DecodingError` for a document that cannot be read.
    public func get(
        _ id: OONIStore.Network.ID, in snapshot: Snapshot
    ) throws -> OONIStore.Network? {
        try entities.get(id.key, in: snapshot)
    }

    /// The network with these details, which is created if it does not exist.
    ///
    /// It reads the networks of the same autonomous system, with a query over the collection.
    ///
    /// - Parameters:
    ///   - details: the properties of the network, which are compared byte by byte.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the existing network or the new one.
    /// - Throws: a `StoreError`.
    public func register(
        _ details: OONIStore.NetworkDetails, in transaction: Transaction
    ) throws -> OONIStore.Network {
        if let known = try find(details, in: transaction) { return known }
        let number = try store.identifiers.take(kind: .networks, in: transaction)
        let network = OONIStore.Network(id: try .checked(number), details: details)
        try put(network, in: transaction)
        return network
    }

    /// All networks, in the order of their creation.
    ///
    /// Documents that cannot be read are skipped.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Network] {
        try entities.all(in: snapshot)
    }

    /// The network that was created last, which is not necessarily the current one; nil if there is
    /// none.
    public func latest(in snapshot: Snapshot) throws -> OONIStore.Network? {
        try entities.lastKey(in: snapshot).flatMap { try entities.get($0, in: snapshot) }
    }

    /// Removes the networks that no result uses.
    ///
    /// Deleting results does so already; it is needed after results have expired, which does not
    /// remove networks.
    ///
    /// - Parameter transaction: the transaction in which they are removed.
    /// - Returns: the removed networks, in the order of their creation.
    public func deleteUnused(in transaction: Transaction) throws -> [OONIStore.Network.ID] {
        let used = try used(in: transaction)
        let unused = try all(in: transaction).map(\.id).filter { !used.contains($0) }
        for id in unused { try entities.remove(id.key, in: transaction) }
        return unused
    }

    /// The networks that results use.
    func used(in snapshot: Snapshot) throws -> Set<OONIStore.Network.ID> {
        let rows = try Self.used.rows(in: snapshot)
        var used: Set<OONIStore.Network.ID> = []
        while let row = try rows.next() {
            if let number = row[0].int { used.insert(.init(number)) }
        }
        return used
    }

    func require(
        _ id: OONIStore.Network.ID, in snapshot: Snapshot
    ) throws -> OONIStore.Network {
        guard let network = try get(id, in: snapshot) else {
            throw OONIStoreError(
                .unknownNetwork, "there is no network \(id): register it before its results")
        }
        return network
    }

    func put(_ network: OONIStore.Network, in transaction: Transaction) throws {
        try entities.put(network, network.id.key, in: transaction)
    }

    private func find(
        _ details: OONIStore.NetworkDetails, in snapshot: Snapshot
    ) throws -> OONIStore.Network? {
        let asn = details.asn.map { QueryValue.string($0) } ?? .missing
        return try entities.values(Self.ofASN, ["asn": asn], in: snapshot)
            .first { $0.details.exact == details.exact }
    }

    private static var ofASN: Query {
        get throws {
            try Query("SELECT n FROM ooni.networks AS n WHERE n.details.asn IS $asn")
        }
    }

    private static var used: Query {
        get throws {
            try Query("SELECT DISTINCT r.networkID FROM ooni.results AS r")
        }
    }
}
