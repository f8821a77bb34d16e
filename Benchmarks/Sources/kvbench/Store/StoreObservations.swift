import DataFileCore

/// What it costs that changes are told of.
enum StoreObservations {
    private static let pollCount = 10_000
    private static let saveCount = 2000

    static func groups() -> [[Workload]] {
        [polls, saves(saveCount, batch: 1), saves(StoreData.count, batch: StoreData.count)]
    }

    /// A look whether others have committed, which each snapshot takes.
    private static var polls: [Workload] {
        let name = "store: look for commits of others"
        let floor = name + ": C, data_version"
        let workload = { (name: String) in
            StoreWorkload(name: name, items: pollCount) { _ in pollCount }
        }
        return [
            workload(floor).floor { file, _ in
                (0..<pollCount).reduce(0) { sum, _ in sum + (file.dataVersion > 0 ? 1 : 0) }
            },
            workload(name + ": C, in a snapshot").floor { file, _ in
                try (0..<pollCount).reduce(0) { sum, _ in
                    try sum + file.snapshot { file.dataVersion > 0 ? 1 : 0 }
                }
            }.beside(floor),
            workload(name + ": an empty snapshot").engine(floor: floor) { file, _ in
                try (0..<pollCount).reduce(0) { sum, _ in try sum + file.read { _ in 1 } }
            },
        ]
    }

    /// The floor is the same without an observer.
    private static func saves(_ count: Int, batch: Int) -> [Workload] {
        let name = "store: save \(batch == 1 ? "in a transaction each" : "\(count) at once")"
        let floor = name + ", unobserved"
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
        return [
            workload(floor).engine(floor: nil, pass),
            workload(name + ", observed").engine(floor: floor, beside: Observer.init, pass),
        ]
    }
}

/// Somebody who hears of all changes.
private final class Observer {
    private let task: Task<Int, Never>

    init(_ file: DataFile) throws {
        let stream = try file.changes(of: StoreWorkloads.store)
        task = Task {
            var count = 0
            for await event in stream { count += event.changes.count }
            return count
        }
    }

    deinit {
        task.cancel()
    }
}
