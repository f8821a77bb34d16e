public import DocumentStore

extension OONIStore {
    /// A measurement with its website, as shown on the screen of a result.
    public struct ShownMeasurement: Hashable, Sendable, Identifiable {
        /// The measurement.
        public let measurement: Measurement
        /// The website that was tested; nil for a test without input.
        public let url: Url?

        /// The id of the measurement.
        public var id: Measurement.ID { measurement.id }
    }
}

extension OONIStore.Measurements {
    /// The measurements of a result with their websites, oldest first.
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
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Measurement] {
        try entities.all(in: snapshot)
    }

    /// The measurements that are done and not uploaded, oldest first.
    ///
    /// - Parameter result: restricts them to one result; nil for all.
    public func notUploaded(
        of result: OONIStore.TestResult.ID? = nil, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement] {
        guard let result else { return try entities.values(Self.notUploaded, in: snapshot) }
        return try all(of: result, in: snapshot).map(\.measurement).filter(\.isMissingUpload)
    }

    /// The number of done measurements that started after an instant.
    public func doneCount(
        after timestamp: OONIStore.Instant, in snapshot: Snapshot
    ) throws -> Int {
        let parameters: QueryParameters = ["timestamp": .integer(timestamp.milliseconds)]
        return Int(try Self.doneAfter.rows(in: snapshot, parameters).next()?[0].int ?? 0)
    }

    /// The keys of performance tests, of the results of some descriptors or of all results.
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

    /// The keys of a result's performance tests.
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
