import ArgumentParser
import CBaseline
import DocumentStore
import SampleData

/// A task measured in a new process, on a file that is not in the system's cache: each opens the
/// file and closes it again.
enum ColdTask: String, CaseIterable, ExpressibleByArgument {
    case open, get, scan, query

    /// The number of people that `get` looks up.
    private static let count = 100
    private static let state = "TX"

    var name: String {
        switch self {
        case .open: "cold: open, and close"
        case .get: "cold: open, get 100 at random and read 1 property"
        case .scan: "cold: open, enumerate unsorted, body and 1 property"
        case .query: "cold: open, query: scan state = ?"
        }
    }

    /// The numbers of the people that `get` looks up.
    static func numbers(people: Int) -> [Int] {
        var random = SeededGenerator(seed: 5)
        return (0..<count).map { _ in random.below(people) }
    }

    /// The expected result; for a query, the baseline scans the bodies and counts them.
    func expected(_ data: StoreData, isBaseline: Bool) -> Int {
        switch self {
        case .open: 1
        case .get: Self.numbers(people: data.ages.count).reduce(0) { $0 + data.ages[$1] }
        case .scan: data.ageSum
        case .query where isBaseline: data.ages.count
        case .query: data.persons.count { $0.contact.address.state == Self.state }
        }
    }

    /// Runs the task with the engine, with default options.
    func run(_ path: String, people: Int) throws -> Int {
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        defer { file.close() }
        switch self {
        case .open: return 1
        case .get:
            let keys = Self.numbers(people: people).map(ScaleFile.key)
            return try file.read { snapshot in
                try keys.reduce(0) {
                    $0 + Int(try StoreWorkloads.people.get($1, in: snapshot)?["age"]?.int ?? -1)
                }
            }
        case .scan: return try file.read(ages)
        case .query: return try file.read(ofState)
        }
    }

    private func ages(_ snapshot: Snapshot) throws -> Int {
        var options = RecordEnumerator.Options()
        options.order = .unsorted
        var sum = 0
        let age = Int32(snapshot.sharedKeys.index(of: "age") ?? -1)
        try StoreWorkloads.store.records(options, in: snapshot).forEachRow { row in
            sum += row.withBody { Int(baseline_age($0.baseAddress, Int64($0.count), age)) }
            return true
        }
        return sum
    }

    private func ofState(_ snapshot: Snapshot) throws -> Int {
        let query = try Query("SELECT COUNT(*) FROM _ WHERE contact.address.state = $state")
        let rows = try query.rows(in: snapshot, ["state": .string(Self.state)])
        return Int(try rows.next()?[0].int ?? -1)
    }
}
