public import DataFileCore
internal import FleeceLite

extension OONIStore.Measurements {
    /// The measurements of a result with their websites, the first one first.
    public func all(
        of result: OONIStore.Result.ID, in snapshot: Snapshot
    ) throws -> [(measurement: OONIStore.Measurement, url: OONIStore.Url?)] {
        try entities.values(prefix: OONIStore.Measurement.ID.prefix(of: result), in: snapshot)
            .sorted { ($0.startTime, $0.id) < ($1.startTime, $1.id) }
            .map {
                ($0, try $0.url.flatMap { try OONIStore.Urls(store: store).get($0, in: snapshot) })
            }
    }

    /// All measurements, by result.
    public func all(in snapshot: Snapshot) throws -> [OONIStore.Measurement] {
        try entities.all(in: snapshot)
    }

    /// The measurements that are done and not uploaded, the first one first.
    ///
    /// - Parameter result: only those of a result.
    public func notUploaded(
        of result: OONIStore.Result.ID? = nil, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement] {
        guard let result else { return try entities.values(Self.notUploaded, in: snapshot) }
        return try all(of: result, in: snapshot).map(\.measurement).filter(\.isMissingUpload)
    }

    /// How many measurements are done that began after a moment.
    public func doneCount(
        after moment: OONIStore.Instant, in snapshot: Snapshot
    ) throws -> Int {
        let parameters: QueryParameters = ["moment": .integer(moment.milliseconds)]
        return Int(try Self.doneAfter.rows(in: snapshot, parameters).next()?[0].int ?? 0)
    }

    /// The keys of performance tests: of the results of some descriptors, or of all.
    public func testKeys(
        of descriptors: Set<String>? = nil, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        let results = try OONIStore.Results(store: store).ids(
            .init(descriptors: descriptors), in: snapshot)
        var keys: [OONIStore.Measurement.ID: OONIStore.TestKeys] = [:]
        for result in results {
            keys.merge(try testKeys(of: result, in: snapshot)) { $1 }
        }
        return keys
    }

    /// The keys of a result's performance tests.
    public func testKeys(
        of result: OONIStore.Result.ID, in snapshot: Snapshot
    ) throws -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        let measurements = try entities.values(
            prefix: OONIStore.Measurement.ID.prefix(of: result), in: snapshot)
        return measurements.reduce(into: [:]) { $0[$1.id] = $1.testKeys }
    }

    // In the words of the indexes.
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
                    + "WHERE isDone = TRUE AND startTime > $moment")
        }
    }
}
