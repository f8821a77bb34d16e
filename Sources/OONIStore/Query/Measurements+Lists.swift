public import DocumentStore

extension OONIStore {
    /// A measurement with its website, as shown on the screen of a result.
    ///
    /// ``Measurements/all(of:in:)`` returns them, read in one snapshot.
    public struct ShownMeasurement: Hashable, Sendable, Identifiable {
        /// The measurement.
        public let measurement: Measurement
        /// The website that was tested; nil for a test without input, and for an address that the
        /// store does not have.
        public let url: Url?

        /// The ID of the measurement.
        public var id: Measurement.ID { measurement.id }
    }
}

extension OONIStore.Measurements {
    /// The measurements of a result with their websites, oldest first.
    ///
    /// Reads one range of keys, and each website by its key. Documents that cannot be read are
    /// skipped.
    ///
    /// ```swift
    /// let shown = try probe.read { try probe.measurements.all(of: resultID, in: $0) }
    /// let news = shown.filter { $0.url?.category == .news }
    /// ```
    ///
    /// - Parameters:
    ///   - result: the number of the result.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the measurements; empty if the result does not exist.
    /// - Throws: a `StoreError`, or a `DecodingError` for a website that cannot be read.
    public func all(
        of result: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> [OONIStore.ShownMeasurement] {
        try entities.values(prefix: OONIStore.Measurement.ID.prefix(of: result), in: snapshot)
            .sorted { ($0.startTime, $0.id) < ($1.startTime, $1.id) }
            .map { measurement in
                let url = try measurement.url.flatMap {
                    try OONIStore.Urls(store: store).get($0, in: snapshot)
                }
                return OONIStore.ShownMeasurement(measurement: measurement, url: url)
            }
    }

    /// All measurements, grouped by result.
    ///
    /// Reads the whole collection, which can be large: prefer ``all(of:in:)`` or a query. Documents
    /// that cannot be read are skipped.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Measurement] {
        try entities.all(in: snapshot)
    }

    /// The measurements that are done and not uploaded, oldest first.
    ///
    /// Without a result it reads an index of just these measurements;
    /// ``OONIStore/uploadMissing(_:)`` uploads them.
    ///
    /// ```swift
    /// let waiting = try probe.read { try probe.measurements.notUploaded(in: $0) }
    /// let reports = waiting.map(\.reportFileName)
    /// ```
    ///
    /// - Parameters:
    ///   - result: restricts them to one result; nil for all (default).
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the measurements. Documents that cannot be read are skipped.
    public func notUploaded(
        of result: OONIStore.TestResult.ID? = nil, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement] {
        guard let result else { return try entities.values(Self.notUploaded, in: snapshot) }
        return try all(of: result, in: snapshot).map(\.measurement).filter(\.isMissingUpload)
    }

    /// The number of done measurements that started after an instant.
    ///
    /// It counts in an index of the times of done measurements and reads no documents.
    ///
    /// - Parameters:
    ///   - timestamp: the instant; measurements that started exactly then are not counted.
    ///   - snapshot: the snapshot in which they are counted.
    /// - Returns: the number.
    public func doneCount(
        after timestamp: OONIStore.Instant, in snapshot: Snapshot
    ) throws -> Int {
        let parameters: QueryParameters = ["timestamp": .integer(timestamp.milliseconds)]
        return Int(try Self.doneAfter.rows(in: snapshot, parameters).next()?[0].int ?? 0)
    }

    /// The speeds of performance tests, of the results of some descriptors or of all results.
    ///
    /// Measurements without speeds are skipped without decoding them; without descriptors, all
    /// measurements are read.
    ///
    /// ```swift
    /// let keys = try probe.read {
    ///     try probe.measurements.testKeys(of: ["performance"], in: $0)
    /// }
    /// let downloads = keys.values.compactMap(\.summary?.download)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptors: names of default cards, and numbers of links; nil for all results
    ///     (default).
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the speeds by measurement.
    /// - Throws: a `StoreError`, or a `DecodingError` for speeds that cannot be read.
    public func testKeys(
        of descriptors: Set<String>? = nil, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        guard let descriptors else { return try testKeys(prefix: nil, in: snapshot) }
        let results = try OONIStore.Results(store: store).ids(
            .init(descriptors: descriptors), in: snapshot)
        return try results.reduce(into: [:]) { keys, result in
            keys.merge(try testKeys(of: result, in: snapshot)) { $1 }
        }
    }

    /// The speeds of a result's performance tests. Reads the measurements of that result only.
    ///
    /// - Parameters:
    ///   - result: the number of the result.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the speeds by measurement; empty for a result without performance tests.
    public func testKeys(
        of result: OONIStore.TestResult.ID, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        try testKeys(prefix: OONIStore.Measurement.ID.prefix(of: result), in: snapshot)
    }

    /// Most measurements do not have keys, which is found without decoding them.
    private func testKeys(
        prefix: String?, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        let decoder = FleeceRowDecoder()
        var keys: [OONIStore.Measurement.ID: OONIStore.TestKeys] = [:]
        try entities.forEachDocument(prefix: prefix, in: snapshot) { document in
            guard let id = OONIStore.Measurement.ID(key: document.id),
                let value = document["testKeys"], !value.isNull
            else { return }
            keys[id] = try decoder.decode(OONIStore.TestKeys.self, from: value)
        }
        return keys
    }

    // These conditions match those of the partial indexes.
    private static var notUploaded: Query {
        get throws {
            try Query(
                "SELECT m FROM ooni.measurements AS m "
                    + "WHERE isDone = TRUE AND isUploaded = FALSE ORDER BY startTime, id.number")
        }
    }

    private static var doneAfter: Query {
        get throws {
            try Query(
                "SELECT COUNT(*) FROM ooni.measurements "
                    + "WHERE isDone = TRUE AND startTime > $timestamp")
        }
    }
}
