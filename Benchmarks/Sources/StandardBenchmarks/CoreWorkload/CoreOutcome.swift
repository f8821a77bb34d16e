/// What a pass must have written.
struct CoreOutcome {
    /// A field of a record.
    private struct Location: Hashable {
        let key: String
        let field: Int
    }

    /// The largest number of records that are compared.
    private static let sample = 500

    /// The inserted records, with later changes.
    private(set) var inserted: [FieldRecord] = []
    /// The last values that each thread wrote: one of them must be stored.
    private var values: [Location: [String]] = [:]
    private var order: [Location] = []

    /// Replays the operations of each thread.
    init(_ threads: [[CoreOperation]]) {
        for operations in threads {
            var last: [Location: String] = [:]
            for operation in operations {
                switch operation {
                case .update(let key, let field, let value), .modify(let key, let field, let value):
                    last[Location(key: key, field: field)] = value
                case .insert(let record): inserted.append(record)
                case .read, .scan: break
                }
            }
            for (location, value) in last { values[location, default: []].append(value) }
        }
        order = values.keys.sorted { ($0.key, $0.field) < ($1.key, $1.field) }
    }

    /// Throws if the database does not have what was written.
    ///
    /// - Parameter records: the number of records before the pass.
    func check(_ connection: any RecordConnection, records: Int) throws {
        let count = try connection.count()
        guard count == records + inserted.count else {
            throw StandardError("\(count) records, not \(records + inserted.count)")
        }
        for record in inserted.prefix(Self.sample) {
            guard try connection.fields(of: record.key) == record.fields else {
                throw StandardError("the inserted record \(record.key) differs")
            }
        }
        for location in order.prefix(Self.sample) {
            let stored = try connection.fields(of: location.key)?[location.field]
            guard let stored, values[location]?.contains(stored) == true else {
                throw StandardError("field \(location.field) of \(location.key) differs")
            }
        }
    }
}
