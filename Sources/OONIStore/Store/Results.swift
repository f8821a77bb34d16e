public import DocumentStore

extension OONIStore {
    /// The results of a store.
    public struct Results: Sendable {
        let store: Collections
        var entities: Entities<TestResult> { store.results }
    }
}

extension OONIStore.Results {
    /// The collection.
    public var collection: DocumentCollection { entities.collection }

    /// A result; nil if there is none of this number.
    public func get(_ id: OONIStore.TestResult.ID, in snapshot: Snapshot) throws -> OONIStore
        .TestResult?
    {
        try entities.get(id.key, in: snapshot)
    }

    /// Begins a result.
    ///
    /// - Parameters:
    ///   - descriptor: what is run.
    ///   - startTime: when it begins.
    ///   - taskOrigin: who begins it.
    ///   - runID: what all results of one tap on "Run" have in common.
    ///   - networkID: the network, if it is known yet.
    ///
    /// Throws `.unknownNetwork`; `.unknownDescriptor` for a revision that the store does not have,
    /// and for a name alone that is not one of `DefaultCard`.
    public func insert(
        _ descriptor: OONIStore.DescriptorReference, at startTime: OONIStore.Instant,
        taskOrigin: OONIStore.TaskOrigin = .ooniRun, runID: String? = nil,
        networkID: OONIStore.Network.ID? = nil, in transaction: Transaction
    ) throws -> OONIStore.TestResult {
        let descriptor = descriptor.named
        try requireReferences(descriptor, networkID, in: transaction)
        let number = try store.identifiers.take(kind: .results, in: transaction)
        var result = OONIStore.TestResult(
            id: try .checked(number), descriptor: descriptor, startTime: startTime)
        (result.taskOrigin, result.runID, result.networkID) = (taskOrigin, runID, networkID)
        try put(result, in: transaction)
        return result
    }

    /// Changes a result. What the store keeps itself stays: its number, its counts, and whether it
    /// is viewed and done, and when it expires.
    ///
    /// - Returns: the result as it is then.
    ///
    /// Throws `.unknownResult`, `.unknownNetwork`, `.unknownDescriptor`, and what `change` throws.
    @discardableResult
    public func update(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction,
        _ change: (inout OONIStore.TestResult) throws -> Void
    ) throws -> OONIStore.TestResult {
        var document = try requireDocument(id, in: transaction)
        let old = document.value
        var new = old
        try change(&new)
        // A change may have put another result in its place.
        (new.id, new.counts) = (old.id, old.counts)
        (new.isViewed, new.isDone) = (old.isViewed, old.isDone)
        new.expirationDate = old.expirationDate
        new.descriptor = new.descriptor.named
        guard new != old else { return old }
        if new.networkID != old.networkID || new.descriptor != old.descriptor {
            try requireReferences(new.descriptor, new.networkID, in: transaction)
        }
        document.value = new
        try entities.save(document, in: transaction)
        return new
    }

    /// The result of a number.
    ///
    /// Throws `.unknownResult`.
    func require(
        _ id: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> OONIStore.TestResult {
        try requireDocument(id, in: snapshot).value
    }

    /// The same, to be changed.
    func requireDocument(
        _ id: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> TypedDocument<OONIStore.TestResult> {
        guard let document = try entities.document(id.key, in: snapshot) else {
            throw OONIStoreError(
                .unknownResult, "there is no result \(id); it may have been deleted")
        }
        return document
    }

    func put(_ result: OONIStore.TestResult, in transaction: Transaction) throws {
        try entities.put(result, result.id.key, in: transaction)
    }

    private func requireReferences(
        _ descriptor: OONIStore.DescriptorReference, _ network: OONIStore.Network.ID?,
        in snapshot: Snapshot
    ) throws {
        if let network {
            _ = try OONIStore.Networks(store: store).require(network, in: snapshot)
        }
        guard let key = descriptor.key else {
            guard let name = descriptor.name, OONIStore.DefaultCard(rawValue: name) != nil else {
                throw OONIStoreError(
                    .unknownDescriptor,
                    "a result is of a default card by its name, or of a link by its number and "
                        + "revision, not of \(descriptor.name.map { "\"\($0)\"" } ?? "nothing")")
            }
            return
        }
        guard try OONIStore.Descriptors(store: store).get(key, in: snapshot) != nil else {
            throw OONIStoreError(
                .unknownDescriptor,
                "there is no descriptor \(key.runID) with revision \(key.revision): save it before "
                    + "its results")
        }
    }
}

extension OONIStore.Results {
    /// Says when a result and its measurements go by themselves, as soon as that moment has passed
    /// while the file is open; nil for never. Measurements that come later go with them.
    ///
    /// What goes by itself says nothing to anybody. Networks stay (`networks.deleteUnused`), and so
    /// do files (`unusedFileNames`). `deleteExpired` does all of it at once, if it comes first:
    /// always where `DataFileOptions.maintenance` is off.
    ///
    /// Throws `.unknownResult`.
    public func setExpiration(
        _ timestamp: OONIStore.Instant?, of id: OONIStore.TestResult.ID, in transaction: Transaction
    ) throws {
        var document = try requireDocument(id, in: transaction)
        document.value.expirationDate = timestamp
        try entities.save(document, in: transaction)
        try store.results.setExpiration(timestamp, of: id.key, in: transaction)
        let prefix = OONIStore.Measurement.ID.prefix(of: id)
        for key in try store.measurements.keys(prefix: prefix, in: transaction) {
            try store.measurements.setExpiration(timestamp, of: key, in: transaction)
        }
    }

    /// Removes the results whose moment has passed, as `delete` does.
    ///
    /// Throws as `delete` does.
    public func deleteExpired(
        at now: OONIStore.Instant, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let rows = try Self.expired.rows(in: transaction, ["now": .integer(now.milliseconds)])
        let keys = try rows.all().compactMap { $0[0].string }
        return try delete(keys.compactMap(OONIStore.TestResult.ID.init(key:)), in: transaction)
    }

    private static var expired: Query {
        get throws {
            try Query(
                "SELECT META(r).id FROM ooni.results AS r "
                    + "WHERE r.expirationDate <= $now ORDER BY META(r).id")
        }
    }
}
