import CBaseline
import DocumentStore

/// A file of the store's format that is used through SQLite's C interface alone.
final class BaselineFile {
    /// The engine's settings of connections.
    static let pragmas = """
        PRAGMA cache_size=-10240; PRAGMA mmap_size=0; PRAGMA synchronous=normal; \
        PRAGMA journal_size_limit=5242880; PRAGMA case_sensitive_like=true; \
        PRAGMA fullfsync=on; PRAGMA secure_delete=off; PRAGMA foreign_keys=off; \
        PRAGMA recursive_triggers=off; PRAGMA trusted_schema=off
        """

    private let handle: OpaquePointer
    private let records: UnsafePointer<baseline_records>
    private let sample: [Int32]

    /// Opens a file that is filled with the usual people.
    convenience init(_ directory: String, isReadOnly: Bool = false) throws {
        let data = try StoreData.get()
        try self.init(directory, data.records, data.sample, isReadOnly: isReadOnly)
    }

    /// - Parameters:
    ///   - records: the records of which some are in the file.
    ///   - sample: the numbers of those to read or change.
    init(
        _ directory: String, _ records: UnsafePointer<baseline_records>, _ sample: [Int32],
        isReadOnly: Bool = false
    ) throws {
        guard
            let handle = baseline_store_open(
                directory + "/db.sqlite3", Self.pragmas, isReadOnly ? 1 : 0)
        else { throw BenchmarkError(message: "\(directory) cannot be opened") }
        self.handle = handle
        self.records = records
        self.sample = sample
    }

    deinit {
        baseline_store_close(handle)
    }

    private func require(_ code: Int32, _ what: String = #function) throws {
        guard code == 0 else { throw BenchmarkError(message: "the baseline failed in \(what)") }
    }

    func transaction<T>(_ body: () throws -> T) throws -> T {
        try require(baseline_begin(handle, 1))
        let result = try body()
        try require(baseline_commit(handle))
        return result
    }

    func snapshot<T>(_ body: () throws -> T) throws -> T {
        try require(baseline_begin(handle, 0))
        let result = try body()
        try require(baseline_commit(handle))
        return result
    }

    /// Outside of a transaction with a batch size, otherwise inside one.
    func insert(_ count: Int, batch: Int = 0) throws {
        try require(baseline_store_insert(handle, records, 0, Int64(count), Int64(batch)))
    }

    func get(_ numbers: [Int32], hasSnapshots: Bool = false) -> Int {
        Int(
            baseline_store_get(
                handle, records, numbers, Int64(numbers.count), hasSnapshots ? 1 : 0))
    }

    /// Sets the body of records to that of the one that is `shift` later.
    func update(count: Int = StoreData.sampleCount, shift: Int = 1) throws {
        try require(
            baseline_store_update(handle, records, sample, Int64(count), Int64(shift)))
    }

    /// Writes each record unchanged.
    func updateAll() throws {
        let all = (0..<Int32(StoreData.count)).map { $0 }
        try require(baseline_store_update(handle, records, all, Int64(all.count), 0))
    }

    func delete() throws {
        try require(baseline_store_delete(handle, records, sample, Int64(sample.count)))
    }

    func purge() throws {
        try require(baseline_store_purge(handle, records, sample, Int64(sample.count)))
    }

    func expire(at time: Int64) throws {
        try require(baseline_store_expire(handle, records, sample, Int64(sample.count), time))
    }

    func purgeExpired(at time: Int64) -> Int { Int(baseline_store_purge_expired(handle, time)) }

    func walk(
        _ order: RecordEnumerator.Order = .unsorted, _ content: RecordContent = .body,
        takesAll: Bool = false
    ) -> Int {
        let (baselineOrder, baselineContent) = (order.ofBaseline, content.ofBaseline)
        return Int(
            baseline_store_walk(
                handle, baselineOrder, baselineContent, takesAll ? 1 : 0, records.pointee.age_key))
    }

    var count: Int { Int(baseline_store_count(handle)) }
    var tombstoneCount: Int { Int(baseline_store_count_tombstones(handle)) }
    var expiringCount: Int { Int(baseline_store_count_expiring(handle)) }
    var lastSequence: Int { Int(baseline_store_last_sequence(handle)) }
    var dataVersion: Int { Int(baseline_store_data_version(handle)) }
}

extension RecordEnumerator.Order {
    fileprivate var ofBaseline: baseline_order {
        switch self {
        case .key: baseline_by_key
        case .sequence: baseline_by_sequence
        case .unsorted: baseline_unsorted
        }
    }
}

extension RecordContent {
    fileprivate var ofBaseline: baseline_content {
        switch self {
        case .metadata: baseline_metadata
        case .body: baseline_body
        case .all: baseline_all
        }
    }
}
