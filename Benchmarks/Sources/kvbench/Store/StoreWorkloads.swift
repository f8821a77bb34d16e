import CBaseline
import DocumentStore

/// The store, in groups of workloads with one baseline.
enum StoreWorkloads {
    static let store = KeyStore(.default)
    static let people = DocumentCollection(.default)
    static let typedPeople = people.of(StorePerson.self)

    static func groups() -> [[Workload]] {
        StoreInsertions.groups() + StoreReadings.groups() + StoreWalks.groups()
            + StoreChanges.groups() + StoreOpenings.groups() + StoreObservations.groups()
            + FunctionWorkloads.groups() + IndexWorkloads.groups() + IndexSearches.groups()
            + QueryWorkloads.groups() + ProbeWorkloads.groups() + ServerWorkloads.groups()
    }

    /// The property `age` of a record's body, read like in the baseline.
    static func age(_ body: UnsafeRawBufferPointer, _ data: StoreData) -> Int {
        Int(baseline_age(body.baseAddress, Int64(body.count), data.ageKey))
    }

    static func put(_ update: RecordUpdate, _ transaction: Transaction) throws {
        guard case .saved = try store.put(update, in: transaction) else {
            throw BenchmarkError(message: "\(update.key) was not saved")
        }
    }
}
