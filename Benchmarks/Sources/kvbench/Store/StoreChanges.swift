import DocumentStore

/// A twentieth of the records, at random, changed or removed in one transaction.
enum StoreChanges {
    static func groups() -> [[Workload]] {
        [updates, deletions, purges, expirations, expiredPurges]
    }

    private static func workload(
        _ name: String, template: StoreData.Template = .filled,
        _ outcome: @escaping (StoreData) -> StoreWorkload.Outcome
    ) -> StoreWorkload {
        StoreWorkload(
            name: name, items: StoreData.sampleCount, template: template, isFresh: true,
            result: { _ in StoreData.sampleCount }, outcome: outcome)
    }

    /// Calls `body` with the number and key of each record.
    private static func forSample(
        _ file: DataFile, _ data: StoreData, _ body: (Int, String, Transaction) throws -> Void
    ) throws -> Int {
        try file.write { transaction in
            for number in data.sample {
                try body(Int(number), data.keys[Int(number)], transaction)
            }
        }
        return data.sample.count
    }

    private static var updates: [Workload] {
        let name = "store: read at random, change, save"
        let baseline = name + ": C"
        let outcome = { (data: StoreData) in
            StoreWorkload.Outcome(
                count: StoreData.count, ages: data.shiftedAgeSum,
                lastSequence: StoreData.count + StoreData.sampleCount)
        }
        return [
            workload(baseline, outcome).baseline { file, data in
                try file.transaction { try file.update() }
                return data.sample.count
            },
            workload(name + ": records", outcome).engine(baseline: baseline) { file, data in
                try forSample(file, data) { number, key, transaction in
                    guard let record = try StoreWorkloads.store.get(key, in: transaction) else {
                        throw BenchmarkError(message: "\(key) is missing")
                    }
                    let next = data.inserts[(number + 1) % StoreData.count]
                    let update = RecordUpdate(
                        key, version: next.version, body: next.body,
                        expecting: .revision(of: record))
                    try StoreWorkloads.put(update, transaction)
                }
            },
            workload(name + ": documents", outcome).engine(baseline: baseline) { file, data in
                try changeDocuments(file, data) { properties, age, encoder in
                    var changed = MutableFleeceDictionary(properties)
                    changed["age"] = .int(Int64(age))
                    try encoder.write(changed)
                }
            },
            workload(name + ": documents, only if unchanged", outcome).engine(baseline: baseline) {
                file, data in
                try forSample(file, data) { number, key, transaction in
                    let people = StoreWorkloads.people
                    guard var person = try people.get(key, in: transaction)?.mutableCopy() else {
                        throw BenchmarkError(message: "\(key) is missing")
                    }
                    person["age"] = .int(Int64(data.ages[(number + 1) % StoreData.count]))
                    guard try people.save(&person, in: transaction).saved != nil else {
                        throw BenchmarkError(message: "\(key) has been changed")
                    }
                }
            },
            workload(name + ": typed documents", outcome).engine(baseline: baseline) { file, data in
                try forSample(file, data) { number, key, transaction in
                    let people = StoreWorkloads.typedPeople
                    guard var person = try people.get(key, in: transaction) else {
                        throw BenchmarkError(message: "\(key) is missing")
                    }
                    person.age = data.ages[(number + 1) % StoreData.count]
                    guard try people.save(&person, in: transaction).saved != nil else {
                        throw BenchmarkError(message: "\(key) has been changed")
                    }
                }
            },
            workload(name + ": documents, pair by pair", outcome).engine(baseline: baseline) {
                try changeDocuments($0, $1, writePairs)
            },
        ] + PeerWorkloads.updates(workload(name, outcome), baseline: baseline)
    }

    private static func changeDocuments(
        _ file: DataFile, _ data: StoreData,
        _ write: (FleeceDictionary, Int, inout FleeceEncoder) throws -> Void
    ) throws -> Int {
        try forSample(file, data) { number, key, transaction in
            let old = try StoreWorkloads.people.get(key, in: transaction)
            guard let properties = old?.properties else {
                throw BenchmarkError(message: "\(key) is missing")
            }
            let age = data.ages[(number + 1) % StoreData.count]
            _ = try StoreWorkloads.people.save(key, in: transaction) { encoder in
                try write(properties, age, &encoder)
            }
        }
    }

    private static func writePairs(
        _ properties: FleeceDictionary, _ age: Int, _ encoder: inout FleeceEncoder
    ) throws {
        encoder.beginDictionary()
        for (key, value) in properties {
            try encoder.writeKey(key)
            if key == "age" { encoder.writeInt(age) } else { try encoder.write(value) }
        }
        try encoder.endDictionary()
    }

    private static func purged(_ data: StoreData) -> StoreWorkload.Outcome {
        .init(
            count: StoreData.count - StoreData.sampleCount,
            ages: data.ageSum - data.sampleAgeSum, lastSequence: StoreData.count)
    }

    private static func deleted(_ data: StoreData) -> StoreWorkload.Outcome {
        var outcome = purged(data)
        outcome.lastSequence += StoreData.sampleCount
        outcome.tombstones = StoreData.sampleCount
        return outcome
    }

    private static var deletions: [Workload] {
        let name = "store: delete at random"
        let baseline = name + ": C"
        return [
            workload(baseline, deleted).baseline { file, data in
                try file.transaction { try file.delete() }
                return data.sample.count
            },
            workload(name + ": records", deleted).engine(baseline: baseline) { file, data in
                try forSample(file, data) { number, key, transaction in
                    let update = RecordUpdate(
                        key, version: data.inserts[number].version, body: nil, flags: .deleted,
                        expecting: .revision(sequence: Int64(number + 1), subsequence: 0))
                    try StoreWorkloads.put(update, transaction)
                }
            },
            workload(name + ": documents", deleted).engine(baseline: baseline) { file, data in
                try forSample(file, data) { _, key, transaction in
                    _ = try StoreWorkloads.people.delete(key, in: transaction)
                }
            },
        ]
    }

    private static var purges: [Workload] {
        let name = "store: purge at random"
        let baseline = name + ": C"
        return [
            workload(baseline, purged).baseline { file, data in
                try file.transaction { try file.purge() }
                return data.sample.count
            },
            workload(name + ": records", purged).engine(baseline: baseline) { file, data in
                try forSample(file, data) { _, key, transaction in
                    try StoreWorkloads.store.purge(key, in: transaction)
                }
            },
        ]
    }

    private static var expirations: [Workload] {
        let name = "store: set expirations at random"
        let baseline = name + ": C"
        let outcome = { (data: StoreData) in
            StoreWorkload.Outcome(
                count: StoreData.count, ages: data.ageSum, lastSequence: StoreData.count,
                expiring: StoreData.sampleCount)
        }
        return [
            workload(baseline, outcome).baseline { file, data in
                try file.transaction { try file.expire(at: StoreData.expiration) }
                return data.sample.count
            },
            workload(name + ": records", outcome).engine(baseline: baseline) { file, data in
                try forSample(file, data) { _, key, transaction in
                    try StoreWorkloads.store.setExpiration(
                        StoreData.expiration, of: key, in: transaction)
                }
            },
        ]
    }

    private static var expiredPurges: [Workload] {
        let name = "store: purge what has expired"
        let baseline = name + ": C"
        return [
            workload(baseline, template: .expiring, purged).baseline { file, _ in
                try file.transaction { file.purgeExpired(at: StoreData.expiration) }
            },
            workload(name + ": records", template: .expiring, purged)
                .engine(baseline: baseline) { file, _ in
                    try file.write { transaction in
                        try StoreWorkloads.store.purgeExpired(
                            at: StoreData.expiration, in: transaction)
                    }
                },
        ]
    }
}
