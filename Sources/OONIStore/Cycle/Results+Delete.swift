public import DocumentStore

extension OONIStore.Results {
    /// Removes results, their measurements, and the networks that no other result uses.
    ///
    /// Unknown numbers are ignored. Documents that cannot be read are removed, too; the names of
    /// their files are then unknown and are not returned. The documents are purged: they leave no
    /// tombstones.
    ///
    /// ```swift
    /// let deleted = try probe.write { try probe.results.delete([resultID], in: $0) }
    /// try removeFiles(deleted.fileNames)
    /// ```
    ///
    /// - Parameters:
    ///   - ids: the numbers of the results.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: what was removed. Remove the files in ``Deleted/fileNames`` after the commit.
    /// - Throws: a `StoreError`.
    public func delete(
        _ ids: some Sequence<OONIStore.TestResult.ID>, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        var deleted = OONIStore.Deleted()
        var networks: Set<OONIStore.Network.ID> = []
        for id in ids {
            guard let document = try collection.get(id.key, in: transaction) else { continue }
            if let network = document["networkID"]?.int { networks.insert(.init(network)) }
            try OONIStore.Measurements(store: store).deleteAll(of: id, &deleted, in: transaction)
            try entities.remove(id.key, in: transaction)
            deleted.results.append(id)
        }
        for network in networks.sorted() where try isUnused(network, in: transaction) {
            guard try store.networks.remove(network.key, in: transaction) else { continue }
            deleted.networks.append(network)
        }
        return deleted
    }

    /// Removes the results that match a filter, their measurements, and the networks that no other
    /// result uses.
    ///
    /// ```swift
    /// let filter = OONIStore.ResultFilter(startTime: .day(of: Date(), in: .current))
    /// let deleted = try probe.write { try probe.results.delete(filter, in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - filter: the filter; ``ResultFilter/all`` removes all results.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: what was removed. Remove the files in ``Deleted/fileNames`` after the commit.
    public func delete(
        _ filter: OONIStore.ResultFilter, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        try delete(ids(filter, in: transaction), in: transaction)
    }

    /// The numbers of the results that match a filter, newest first, including those of documents
    /// that cannot be read.
    ///
    /// It does not decode the documents; for whole results use ``page(_:after:limit:in:)``.
    ///
    /// - Parameters:
    ///   - filter: the filter; all results by default.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the numbers.
    public func ids(
        _ filter: OONIStore.ResultFilter = .all, in snapshot: Snapshot
    ) throws -> [OONIStore.TestResult.ID] {
        var parameters = QueryParameters()
        let conditions = try filter.conditions(&parameters)
        let query = try Query(
            "SELECT META(r).id FROM ooni.results AS r \(conditions.asWhere) "
                + "ORDER BY r.startTime DESC, r.id DESC")
        return try query.rows(in: snapshot, parameters).all()
            .compactMap { $0[0].string.flatMap { .init(key: $0) } }
    }

    private func isUnused(
        _ network: OONIStore.Network.ID, in snapshot: Snapshot
    ) throws -> Bool {
        try Self.ofNetwork.rows(in: snapshot, ["network": .integer(network.number)]).next() == nil
    }

    private static var ofNetwork: Query {
        get throws {
            try Query(
                "SELECT r.id FROM ooni.results AS r WHERE r.networkID = $network "
                    + "ORDER BY r.startTime DESC LIMIT 1")
        }
    }
}

extension OONIStore.Measurements {
    /// Removes all measurements of a result without updating its counts.
    func deleteAll(
        of result: OONIStore.TestResult.ID, _ deleted: inout OONIStore.Deleted,
        in transaction: Transaction
    ) throws {
        var logs: Set<String> = []
        var keys: [String] = []
        let prefix = OONIStore.Measurement.ID.prefix(of: result)
        try entities.forEach(prefix: prefix, in: transaction) { key, measurement in
            keys.append(key)
            if let id = OONIStore.Measurement.ID(key: key) { deleted.measurements.append(id) }
            guard case .success(let measurement) = measurement else { return }
            deleted.fileNames.append(measurement.reportFileName)
            if logs.insert(measurement.logFileName).inserted {
                deleted.fileNames.append(measurement.logFileName)
            }
        }
        for key in keys { try entities.remove(key, in: transaction) }
    }
}

extension OONIStore.Descriptors {
    /// Removes all revisions of a link and all its results.
    ///
    /// - Parameters:
    ///   - runID: the number of the link, or of a default card.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: the removed results, measurements and networks. Remove the files in
    ///   ``Deleted/fileNames`` after the commit.
    /// - Throws: a `StoreError`. A link that the store does not have is not an error.
    public func delete(
        _ runID: String, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let card = OONIStore.DefaultCard(runID: runID)?.rawValue
        let keys = Set([runID] + (card.map { [$0] } ?? []))
        let deleted = try OONIStore.Results(store: store).delete(
            OONIStore.ResultFilter(descriptors: keys), in: transaction)
        try deleteKeepingResults(runID, in: transaction)
        return deleted
    }

    /// Removes all revisions of a link but not its results. Until a descriptor of the link is saved
    /// again, the results are shown with a placeholder: see ``descriptor(of:in:)``.
    ///
    /// ```swift
    /// try probe.write { try probe.descriptors.deleteKeepingResults("10004", in: $0) }
    /// ```
    ///
    /// - Parameters:
    ///   - runID: the number of the link.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: the removed revisions, lowest first; empty if the store does not have the link.
    @discardableResult
    public func deleteKeepingResults(
        _ runID: String, in transaction: Transaction
    ) throws -> [OONIStore.TestDescriptor.Key] {
        let keys = try revisions(runID, in: transaction).map(\.key)
        for key in keys { try entities.remove(key.documentID, in: transaction) }
        return keys
    }
}
