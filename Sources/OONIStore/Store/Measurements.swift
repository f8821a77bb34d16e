public import DocumentStore

extension OONIStore {
    /// The measurements of a store: the collection `ooni.measurements`.
    ///
    /// Each change of a measurement updates the counts of its result in the same transaction. The
    /// measurements of a result are one range of keys, so reading them does not depend on the size
    /// of the store.
    ///
    /// ```swift
    /// let shown = try probe.read { try probe.measurements.all(of: resultID, in: $0) }
    /// for one in shown { show(one.url?.url ?? "", one.measurement.outcome ?? .ok) }
    /// ```
    ///
    /// A measurement is inserted (``insert(_:of:url:at:in:)``), changed (``update(_:in:_:)``),
    /// uploaded (``OONIStore/uploadMissing(_:)``) and deleted with its result (`results.delete`) or
    /// alone.
    public struct Measurements: Sendable {
        let store: Collections
        var entities: Entities<Measurement> { store.measurements }
    }
}

extension OONIStore.Measurements {
    /// The collection `ooni.measurements`, for ``OONIStore/observe(of:_:)`` and queries.
    public var collection: DocumentCollection { entities.collection }

    /// A measurement; one lookup by key.
    ///
    /// - Parameters:
    ///   - id: the result and the number.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the measurement; nil if there is none of this ID.
    /// - Throws: a `StoreError`, or a `DecodingError` for a document that cannot be read.
    public func get(
        _ id: OONIStore.Measurement.ID, in snapshot: Snapshot
    ) throws -> OONIStore.Measurement? {
        try entities.get(id.key, in: snapshot)
    }

    /// Inserts a measurement: the start of a test with one input.
    ///
    /// The store assigns its number and adds it to the counts of the result in the same
    /// transaction. If the result has an expiration, it applies to the measurement, too. The new
    /// measurement is not done; ``update(_:in:_:)`` changes that.
    ///
    /// ```swift
    /// let measurement = try probe.write { transaction in
    ///     try probe.measurements.insert(
    ///         .webConnectivity, of: resultID, url: "https://ooni.org/", at: startTime,
    ///         in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - testName: the test.
    ///   - result: the result that the measurement belongs to.
    ///   - url: the address of the tested website, which is registered if the store does not have
    ///     it; nil for a test without input.
    ///   - startTime: when the measurement starts.
    ///   - transaction: the transaction in which it is written.
    /// - Returns: the inserted measurement with its ID.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/unknownResult`` if the result does not
    ///   exist, for example because it was deleted.
    public func insert(
        _ testName: OONIStore.TestName, of result: OONIStore.TestResult.ID, url: String? = nil,
        at startTime: OONIStore.Instant, in transaction: Transaction
    ) throws -> OONIStore.Measurement {
        var owner = try OONIStore.Results(store: store).requireDocument(result, in: transaction)
        let number = try store.identifiers.take(kind: .measurements, in: transaction)
        var measurement = OONIStore.Measurement(
            id: try .checked(result, number), testName: testName, startTime: startTime)
        measurement.url = url
        if let url {
            _ = try OONIStore.Urls(store: store).register(OONIStore.Url(url), in: transaction)
        }
        try put(measurement, in: transaction)
        if let timestamp = owner.value.expirationDate {
            try entities.setExpiration(timestamp, of: measurement.id.key, in: transaction)
        }
        owner.value.counts.add(measurement)
        try store.results.save(owner, in: transaction)
        return measurement
    }

    /// Changes a measurement and updates the counts of its result.
    ///
    /// The ID does not change, even if `change` assigns it, and only performance tests have
    /// `testKeys`. Properties of the stored document that this version does not know are retained.
    /// A measurement that `change` leaves equal is not written.
    ///
    /// ```swift
    /// try probe.write { transaction in
    ///     try probe.measurements.update(measurementID, in: transaction) {
    ///         $0.isDone = true
    ///         $0.isFailed = true
    ///         $0.failureMessage = "generic_timeout_error"
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: the ID of the measurement.
    ///   - transaction: the transaction in which it is written.
    ///   - change: modifies the stored measurement.
    /// - Returns: the changed measurement.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/unknownMeasurement``,
    ///   ``OONIStoreError/Code/unknownResult``, or ``OONIStoreError/Code/unknownUrl`` for another
    ///   address that the store does not have; and errors of `change`.
    @discardableResult
    public func update(
        _ id: OONIStore.Measurement.ID, in transaction: Transaction,
        _ change: (inout OONIStore.Measurement) throws -> Void
    ) throws -> OONIStore.Measurement {
        guard var document = try entities.document(id.key, in: transaction) else {
            throw Self.unknown(id)
        }
        let old = document.value
        var new = old
        try change(&new)
        // The closure may have assigned another measurement.
        new.id = old.id
        if !new.testName.isPerformance { new.testKeys = nil }
        guard new != old else { return old }
        document.value = new
        if let url = new.url, url != old.url {
            _ = try OONIStore.Urls(store: store).require(url, in: transaction)
        }
        try entities.save(document, in: transaction)
        try recount(old, new, in: transaction)
        return new
    }

    /// The measurement with an ID.
    ///
    /// Throws `.unknownMeasurement`.
    func require(
        _ id: OONIStore.Measurement.ID, in snapshot: Snapshot
    ) throws -> OONIStore.Measurement {
        guard let measurement = try get(id, in: snapshot) else { throw Self.unknown(id) }
        return measurement
    }

    private static func unknown(_ id: OONIStore.Measurement.ID) -> OONIStoreError {
        OONIStoreError(
            .unknownMeasurement,
            "there is no measurement \(id.number) of the result \(id.result); it may have been "
                + "deleted")
    }

    /// Removes one measurement, for example because its report was lost before the upload.
    ///
    /// The counts of its result are updated. Remove the files in ``Deleted/fileNames`` after the
    /// commit.
    ///
    /// - Parameters:
    ///   - id: the ID of the measurement.
    ///   - transaction: the transaction in which it is removed.
    /// - Returns: what was removed; empty if the measurement did not exist. The log file is
    ///   included if no other measurement of the result uses it.
    /// - Throws: `OONIStoreError` with ``OONIStoreError/Code/unknownResult`` if its result does not
    ///   exist.
    @discardableResult
    public func delete(
        _ id: OONIStore.Measurement.ID, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        var deleted = OONIStore.Deleted()
        guard let old = try get(id, in: transaction) else { return deleted }
        try entities.remove(id.key, in: transaction)
        try recount(old, nil, in: transaction)
        deleted.measurements = [id]
        deleted.fileNames = [old.reportFileName]
        if try !isLogNeeded(of: old.testName, id.result, in: transaction) {
            deleted.fileNames.append(old.logFileName)
        }
        return deleted
    }

    /// Removes measurements; those that do not exist are skipped.
    ///
    /// ```swift
    /// let deleted = try probe.write { try probe.measurements.delete([measurementID], in: $0) }
    /// try removeFiles(deleted.fileNames)
    /// ```
    ///
    /// - Parameters:
    ///   - ids: the IDs of the measurements.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: what was removed, as a whole.
    @discardableResult
    public func delete(
        _ ids: some Sequence<OONIStore.Measurement.ID>, in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        try ids.reduce(into: OONIStore.Deleted()) { deleted, id in
            let one = try delete(id, in: transaction)
            deleted.measurements += one.measurements
            deleted.fileNames += one.fileNames
        }
    }

    /// Whether a measurement of a result uses the log file of a test.
    func isLogNeeded(
        of test: OONIStore.TestName, _ result: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> Bool {
        let prefix = OONIStore.Measurement.ID.prefix(of: result)
        return try entities.contains(prefix: prefix, in: snapshot) { other in
            // A measurement whose test is unknown may use the file.
            guard let name = other?["testName"]?.string else { return true }
            return OONIStore.TestName(rawValue: name).inFileName == test.inFileName
        }
    }

    /// The IDs of the measurements with some numbers, as in file names.
    ///
    /// Reads the keys of all measurements once, without their bodies.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of measurements.
    ///   - snapshot: the snapshot in which they are searched for.
    /// - Returns: the IDs by number; numbers without a measurement are missing.
    public func ids(
        of numbers: Set<Int64>, in snapshot: Snapshot
    ) throws -> [Int64: OONIStore.Measurement.ID] {
        guard !numbers.isEmpty else { return [:] }
        return try entities.keys(in: snapshot).reduce(into: [:]) { ids, key in
            guard let id = OONIStore.Measurement.ID(key: key), numbers.contains(id.number) else {
                return
            }
            ids[id.number] = id
        }
    }

    func put(_ measurement: OONIStore.Measurement, in transaction: Transaction) throws {
        try entities.put(measurement, measurement.id.key, in: transaction)
    }

    private func recount(
        _ old: OONIStore.Measurement, _ new: OONIStore.Measurement?, in transaction: Transaction
    ) throws {
        var result = try OONIStore.Results(store: store)
            .requireDocument(old.id.result, in: transaction)
        let before = result.value.counts
        result.value.counts.add(old, -1)
        if let new { result.value.counts.add(new) }
        guard result.value.counts != before else { return }
        try store.results.save(result, in: transaction)
    }
}

extension OONIStore.Measurement.ID {
    /// The document's ID: the IDs of one result form one range.
    var key: String { Self.prefix(of: result) + Identifiers.key(number) }

    /// The measurement of a document's ID; nil for other strings.
    init?(key: String) {
        let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let result = OONIStore.TestResult.ID(key: parts[0]),
            let number = Identifiers.number(ofKey: parts[1])
        else { return nil }
        self.init(result, number)
    }

    /// The prefix of the IDs of a result's measurements.
    static func prefix(of result: OONIStore.TestResult.ID) -> String { result.key + "/" }

    static func checked(_ result: OONIStore.TestResult.ID, _ number: Int64) throws -> Self {
        Self(result, try Identifiers.checked(number))
    }
}
