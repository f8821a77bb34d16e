@testable import StandardBenchmarks

/// Records in a dictionary, with one fault.
final class FaultyRecords: RecordDatabase, RecordConnection {
    enum Fault {
        case lostUpdate, shortScan, shortRecord
    }

    private let fault: Fault?
    private var records: [String: [String]]

    init(_ fault: Fault?, count: Int) {
        self.fault = fault
        records = Dictionary(
            uniqueKeysWithValues: (0..<count).map(FieldRecord.init(number:)).map {
                ($0.key, $0.fields)
            })
    }

    func connect() -> any RecordConnection { self }

    func close() {}

    func insert(_ new: [FieldRecord]) {
        for record in new { records[record.key] = record.fields }
    }

    func read(_ key: String) -> Int? {
        records[key].map { _ in fault == .shortRecord ? 999 : FieldRecord.size }
    }

    func update(_ key: String, field: Int, to value: String) -> Bool {
        guard records[key] != nil else { return false }
        if fault != .lostUpdate { records[key]?[field] = value }
        return true
    }

    func modify(_ key: String, field: Int, to value: String) -> Int? {
        update(key, field: field, to: value) ? read(key) : nil
    }

    func scan(from key: String, limit: Int) -> (count: Int, bytes: Int) {
        let count = min(records.keys.count { $0 >= key }, limit)
        let found = fault == .shortScan ? max(count - 1, 0) : count
        return (found, found * FieldRecord.size)
    }

    func delete(_ keys: [String]) {
        for key in keys { records[key] = nil }
    }

    func fields(of key: String) -> [String]? { records[key] }

    func count() -> Int { records.count }
}
