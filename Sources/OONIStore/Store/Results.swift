public import DocumentStore

extension OONIStore {
    /// The results of a store: the collection `ooni.results`.
    ///
    /// A result is one run of a descriptor. It is inserted when the run starts
    /// (``insert(_:at:taskOrigin:runID:networkID:in:)``) and marked as done at its end. Lists are
    /// filtered by a ``ResultFilter`` and read page by page:
    ///
    /// ```swift
    /// let page = try probe.read { snapshot in
    ///     let filter = OONIStore.ResultFilter(descriptors: ["websites"])
    ///     let page = try probe.results.page(filter, limit: 50, in: snapshot)
    ///     return try probe.results.shown(page.results, in: snapshot)
    /// }
    /// ```
    ///
    /// A result contains the counts of its measurements, so that a list does not read them.
    /// Deleting results also removes their measurements and the networks that no other result uses.
    public struct Results: Sendable {
        let store: Collections
        var entities: Entities<TestResult> { store.results }
    }
}

extension OONIStore.Results {
    /// The collection `ooni.results`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// A result; one lookup by key.
    ///
    /// - Parameters:
    ///   - id: the number of the result.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the result; nil if there is none of this number.
    /// - Throws: a `StoreError`, or a `DecodingError` for a document that cannot be read.
    public func get(_ id: OONIStore.TestResult.ID, in snapshot: Snapshot) throws -> OONIStore
        .TestResult?
    {
        try entities.get(id.key, in: snapshot)
    }

    /// Inserts a result: the start of a run of a descriptor.
    ///
    /// The store assigns its number, which is not assigned again even if the result is deleted. The
    /// new result is neither done nor viewed and has no measurements; add them with
    /// ``Measurements/insert(_:of:url:at:in:)``.
    ///
    /// ```swift
    /// let runID = UUID().uuidString
    /// let results = try probe.write { transaction in
    ///     try OONIStore.DefaultCard.allCases.map { card in
    ///         try probe.results.insert(
    ///             .init(name: card.rawValue), at: startTime, runID: runID, in: transaction)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor that is run.
    ///   - startTime: when it starts.
    ///   - taskOrigin: who starts it; the user by default.
    ///   - runID: the identifier shared by all results of one tap on "Run"; nil for a single
    ///     result.
    ///   - networkID: the network, if it is already known; otherwise set it later with `update`.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the inserted result with its ID.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/unknownNetwork``; with
    ///   ``OONIStoreError/Code/unknownDescriptor`` for a revision that the store does not have, and
    ///   for a name without a key that is not one of `DefaultCard`.
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

    /// Changes a result.
    ///
    /// Properties maintained by the store do not change, even if `change` assigns them: its number,
    /// its counts, whether it is viewed and done, and when it expires. Properties of the stored
    /// document that this version does not know are retained. A result that `change` leaves equal
    /// is not written, so observers are not notified.
    ///
    /// ```swift
    /// try probe.write { transaction in
    ///     try probe.results.update(resultID, in: transaction) {
    ///         $0.dataUsageUpKiB += 12
    ///         $0.dataUsageDownKiB += 340
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the result.
    ///   - transaction: the transaction in which it is written.
    ///   - change: modifies the stored result.
    /// - Returns: the changed result.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/unknownResult``,
    ///   ``OONIStoreError/Code/unknownNetwork`` or ``OONIStoreError/Code/unknownDescriptor``, and
    ///   errors of `change`.
    @discardableResult
    public func update(
        _ id: OONIStore.TestResult.ID, in transaction: Transaction,
        _ change: (inout OONIStore.TestResult) throws -> Void
    ) throws -> OONIStore.TestResult {
        var document = try requireDocument(id, in: transaction)
        let old = document.value
        var new = old
        try change(&new)
        // The closure may have assigned another result.
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

    /// The result with a number.
    ///
    /// Throws `.unknownResult`.
    func require(
        _ id: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> OONIStore.TestResult {
        try requireDocument(id, in: snapshot).value
    }

    /// The document of a result, for modification.
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
    /// Sets when a result and its measurements expire; nil for never.
    ///
    /// They are removed as soon as that instant has passed while the file is open; measurements
    /// inserted later expire with the result. Observers are not notified of the removal of expired
    /// documents. Networks stay (``Networks/deleteUnused(in:)``), and so do files
    /// (``OONIStore/unusedFileNames(among:in:)``). ``deleteExpired(at:in:)`` removes all of it at
    /// once if it runs first: always if `DataFileOptions.maintenance` is off.
    ///
    /// ```swift
    /// let end = OONIStore.Instant(Date().addingTimeInterval(30 * 24 * 60 * 60))
    /// try probe.write { try probe.results.setExpiration(end, of: resultID, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - timestamp: when it expires; nil for never.
    ///   - id: the number of the result.
    ///   - transaction: the transaction in which it is written.
    /// - Throws: ``OONIStoreError/Code/unknownResult``.
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

    /// Removes the expired results, their measurements, and the networks that no other result uses.
    ///
    /// ```swift
    /// let deleted = try probe.write {
    ///     try probe.results.deleteExpired(at: .init(Date()), in: $0)
    /// }
    /// try removeFiles(deleted.fileNames)
    /// ```
    ///
    /// - Parameters:
    ///   - now: results that expire at this instant or before are removed.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: what was removed, with the names of the files to remove after the commit.
    /// - Throws: a `StoreError`.
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
