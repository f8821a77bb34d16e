import CBaseline

/// The baseline of `ColdTask`: in C, without the data of other baselines, which a new process would
/// have to create first.
struct ColdBaseline {
    let path: String
    let people: Int
    /// The number of the property `age`.
    let ageKey: Int32

    func run(_ task: ColdTask) throws -> Int {
        switch task {
        case .open: try opened { baseline_store_data_version($0) > 0 ? 1 : 0 }
        case .get: try opened(get)
        case .scan:
            try opened { Int(baseline_store_walk($0, baseline_unsorted, baseline_body, 0, ageKey)) }
        case .query: try countBodies()
        }
    }

    private var failure: BenchmarkError { BenchmarkError(message: "\(path) cannot be opened") }

    private func opened(_ body: (OpaquePointer) throws -> Int) throws -> Int {
        let store = baseline_store_open(path + DatabaseFile.main, BaselineFile.pragmas, 0)
        guard let store else { throw failure }
        defer { baseline_store_close(store) }
        return try body(store)
    }

    private func get(_ store: OpaquePointer) throws -> Int {
        let keys = ColdTask.numbers(people: people).map(ScaleFile.key)
        var bytes: [CChar] = []
        var offsets: [Int64] = [0]
        for key in keys {
            bytes += key.utf8.map { CChar(bitPattern: $0) }
            offsets.append(Int64(bytes.count))
        }
        guard baseline_begin(store, 0) == 0 else { throw failure }
        let numbers = keys.indices.map { Int32($0) }
        let sum = bytes.withUnsafeBufferPointer { bytes in
            offsets.withUnsafeBufferPointer { offsets in
                var records = baseline_records()
                records.count = Int64(keys.count)
                records.keys = bytes.baseAddress
                records.key_offsets = offsets.baseAddress
                records.age_key = ageKey
                return Int(baseline_store_get(store, &records, numbers, Int64(numbers.count), 0))
            }
        }
        guard baseline_commit(store) == 0 else { throw failure }
        return sum
    }

    private func countBodies() throws -> Int {
        guard let database = baseline_open(path + DatabaseFile.main) else { throw failure }
        defer { baseline_close(database) }
        guard baseline_exec(database, BaselineFile.pragmas) == 0,
            let statement = baseline_prepare(database, "SELECT body FROM kv_default")
        else { throw failure }
        defer { baseline_finalize(statement) }
        return Int(baseline_scan_blobs(statement))
    }
}
