import DocumentStore

/// Records and documents that are inserted into an empty file.
enum StoreInsertions {
    static func groups() -> [[Workload]] {
        let few = StoreData.count / 10
        return [
            group("one transaction", StoreData.count, batch: StoreData.count),
            group("a transaction per 1,000", StoreData.count, batch: 1000),
            group("a transaction each", few, batch: 1),
            group("a transaction per 1,000", StoreData.count, batch: 1000, isOnDisk: true),
            group("a transaction each", few, batch: 1, isOnDisk: true),
        ]
    }

    private static func group(
        _ what: String, _ count: Int, batch: Int, isOnDisk: Bool = false
    ) -> [Workload] {
        let name = "store: insert, \(what), \(isOnDisk ? "disk" : "tmpfs")"
        let baseline = name + ": C"
        let workload = { (name: String) in
            StoreWorkload(
                name: name, items: count, template: .empty, isFresh: true, isOnDisk: isOnDisk,
                result: { _ in 0 }
            ).insertions(count)
        }
        let usual =
            [
                workload(baseline).baseline { file, _ in
                    try file.insert(count, batch: batch)
                    return count
                },
                workload(name + ": records").engine(baseline: baseline) { file, data in
                    try inBatches(file, count, batch) { number, transaction in
                        try StoreWorkloads.put(data.inserts[number], transaction)
                    }
                },
                workload(name + ": documents of JSON").engine(baseline: baseline) { file, data in
                    try inBatches(file, count, batch) { number, transaction in
                        _ = try StoreWorkloads.people.save(data.keys[number], in: transaction) {
                            try $0.writeJSON(data.json[number])
                        }
                    }
                },
            ]
            + PeerWorkloads.insertions(
                workload(name), baseline: baseline, count: count, batch: batch)
        // With smaller transactions, the ways to create a body do not differ.
        return usual + (batch == count ? others(workload, name, batch: batch) : [])
    }

    /// Ways to create a body other than from JSON.
    private static func others(
        _ workload: (String) -> StoreWorkload, _ name: String, batch: Int
    ) -> [Workload] {
        let baseline = name + ": C"
        let count = workload(name).items
        return [
            workload(name + ": typed documents").engine(baseline: baseline) { file, data in
                try inBatches(file, count, batch) { number, transaction in
                    _ = try StoreWorkloads.typedPeople.save(
                        data.persons[number], id: data.keys[number], in: transaction)
                }
            },
            workload(name + ": documents that are built").engine(baseline: baseline) { file, data in
                try inBatches(file, count, batch) { number, transaction in
                    if number == 0 {
                        // The keys get the numbers that the check of the outcome expects.
                        _ = try StoreWorkloads.people.save(data.keys[0], in: transaction) {
                            try $0.writeJSON(data.json[0])
                        }
                        return
                    }
                    var document = data.persons[number].document(data.keys[number])
                    guard
                        try StoreWorkloads.people.save(&document, in: transaction).saved != nil
                    else { throw BenchmarkError(message: "\(document.id) exists already") }
                }
            },
            workload(name + ": documents, property by property").engine(baseline: baseline) {
                file, data in
                try inBatches(file, count, batch) { number, transaction in
                    _ = try StoreWorkloads.people.save(data.keys[number], in: transaction) {
                        try data.persons[number].write(to: &$0)
                    }
                }
            },
        ]
    }

    private static func inBatches(
        _ file: DataFile, _ count: Int, _ batch: Int,
        _ body: (Int, Transaction) throws -> Void
    ) throws -> Int {
        for start in stride(from: 0, to: count, by: batch) {
            try file.write { transaction in
                for number in start..<start + batch { try body(number, transaction) }
            }
        }
        return count
    }
}

extension StoreWorkload {
    /// A variant for a number of people, each in a new record.
    func insertions(_ count: Int) -> StoreWorkload {
        var workload = StoreWorkload(
            name: name, items: count, template: template, isFresh: isFresh, isOnDisk: isOnDisk,
            result: { _ in count })
        workload.outcome = {
            Outcome(count: count, ages: $0.ageSum(first: count), lastSequence: count)
        }
        return workload
    }
}
