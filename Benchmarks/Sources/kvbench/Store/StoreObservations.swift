import Dispatch
import DocumentStore
import Synchronization

/// The cost of observing changes.
enum StoreObservations {
    private static let pollCount = 10_000
    private static let saveCount = 2000

    static func groups() -> [[Workload]] {
        [polls, saves(saveCount, batch: 1), saves(StoreData.count, batch: StoreData.count)]
    }

    /// A check for commits of other connections, which each snapshot makes.
    private static var polls: [Workload] {
        let name = "store: look for commits of others"
        let baseline = name + ": C, data_version"
        let workload = { (name: String) in
            StoreWorkload(name: name, items: pollCount) { _ in pollCount }
        }
        return [
            workload(baseline).baseline { file, _ in
                (0..<pollCount).reduce(0) { sum, _ in sum + (file.dataVersion > 0 ? 1 : 0) }
            },
            workload(name + ": C, in a snapshot").baseline { file, _ in
                try (0..<pollCount).reduce(0) { sum, _ in
                    try sum + file.snapshot { file.dataVersion > 0 ? 1 : 0 }
                }
            }.beside(baseline),
            workload(name + ": an empty snapshot").engine(baseline: name + ": C, in a snapshot") {
                file, _ in
                try (0..<pollCount).reduce(0) { sum, _ in try sum + file.read { _ in 1 } }
            },
        ]
    }

    /// Observed saves are compared with the same without an observer, and those with C.
    private static func saves(_ count: Int, batch: Int) -> [Workload] {
        let name = "store: save \(batch == 1 ? "in a transaction each" : "\(count) at once")"
        let (baseline, unobserved) = (name + ": C", name + ", unobserved")
        let workload = { (name: String) in
            StoreWorkload(
                name: name, items: count, template: .empty, isFresh: true,
                result: { _ in count },
                outcome: { .init(count: count, ages: $0.ageSum(first: count), lastSequence: count) }
            )
        }
        let pass = { (file: DataFile, data: StoreData) in
            for start in stride(from: 0, to: count, by: batch) {
                try file.write { transaction in
                    for number in start..<start + batch {
                        try StoreWorkloads.put(data.inserts[number], transaction)
                    }
                }
            }
            return count
        }
        let observed = workload(name + ", observed")
        return [
            workload(baseline).baseline { file, _ in
                try file.insert(count, batch: batch)
                return count
            },
            workload(unobserved).engine(baseline: baseline, pass),
            observed.workload(baseline: unobserved) { path in
                let file = try DataFile(path: path, options: StoreData.options(.readWrite))
                let observer = try Observer(file, count: count)
                return StoreWorkload.Opened(beside: observer) {
                    try pass(file, $0)
                } close: {
                    defer { file.close() }
                    try observer.requireAll(observed.name)
                }
            },
        ]
    }
}

/// An observer of all changes, each of another key.
private final class Observer {
    private let observed: ObservedChanges
    private let task: Task<Void, Never>

    init(_ file: DataFile, count: Int) throws {
        let stream = try file.changes(of: StoreWorkloads.store)
        let observed = ObservedChanges(count)
        self.observed = observed
        task = Task {
            for await event in stream {
                // With very many changes, an event contains only the sequences.
                let count = event.isComplete ? event.changes.count : event.sequences?.count
                observed.add(count ?? 0)
            }
        }
    }

    deinit {
        task.cancel()
    }

    /// Waits until all changes were observed.
    func requireAll(_ name: String) throws {
        guard observed.all.wait(timeout: .now() + 10) == .success else {
            throw BenchmarkError(message: "\(name): an observer was not notified of all changes")
        }
        try Recount.require(observed.count, observed.expected, name)
    }

    private final class ObservedChanges: Sendable {
        let expected: Int
        /// Signalled when the expected number of changes was observed.
        let all = DispatchSemaphore(value: 0)
        private let sum = Mutex(0)

        init(_ expected: Int) {
            self.expected = expected
        }

        var count: Int { sum.withLock { $0 } }

        func add(_ count: Int) {
            let isAll = sum.withLock { sum in
                let before = sum
                sum += count
                return before < expected && sum >= expected
            }
            if isAll { all.signal() }
        }
    }
}
