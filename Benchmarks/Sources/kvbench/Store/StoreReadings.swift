import DocumentStore

/// Reading records by their keys.
enum StoreReadings {
    private static let manyCount = 1000

    static func groups() -> [[Workload]] {
        [gets, snapshots, many, counts]
    }

    private static func workload(_ name: String, _ items: Int = StoreData.sampleCount)
        -> StoreWorkload
    {
        StoreWorkload(name: name, items: items, result: \.sampleAgeSum)
    }

    private static func age(_ record: Record?, _ data: StoreData) -> Int {
        record?.body?.withUnsafeBytes { StoreWorkloads.age($0, data) } ?? -1
    }

    private static var gets: [Workload] {
        let name = "store: get at random and read 1 property"
        let baseline = name + ": C"
        return [
            workload(baseline).baseline { file, data in
                try file.snapshot { file.get(data.sample) }
            },
            workload(name + ": records").engine(baseline: baseline) { file, data in
                try file.read { snapshot in
                    try data.sample.reduce(0) {
                        let key = data.keys[Int($1)]
                        let record = try StoreWorkloads.store.get(key, in: snapshot)
                        return $0 + age(record, data)
                    }
                }
            },
            workload(name + ": documents").engine(baseline: baseline) { file, data in
                try file.read { snapshot in
                    try data.sample.reduce(0) {
                        let key = data.keys[Int($1)]
                        let document = try StoreWorkloads.people.get(key, in: snapshot)
                        return $0 + Int(document?["age"]?.int ?? -1)
                    }
                }
            },
            workload(name + ": typed values, whole").engine(baseline: baseline) { file, data in
                try file.read { snapshot in
                    try data.sample.reduce(0) {
                        let key = data.keys[Int($1)]
                        let person = try StoreWorkloads.typedPeople.value(key, in: snapshot)
                        return $0 + (person?.age ?? -1)
                    }
                }
            },
            workload(name + ": documents, all properties").engine(baseline: baseline) {
                file, data in
                try file.read { snapshot in
                    try data.sample.reduce(0) {
                        let key = data.keys[Int($1)]
                        guard let document = try StoreWorkloads.people.get(key, in: snapshot)
                        else { return $0 - 1 }
                        return $0 + StorePerson(document).age
                    }
                }
            },
        ] + PeerWorkloads.gets(workload(name), baseline: baseline)
    }

    private static var snapshots: [Workload] {
        let name = "store: get with a snapshot each"
        let baseline = name + ": C"
        return [
            workload(baseline).baseline { file, data in file.get(data.sample, hasSnapshots: true) },
            workload(name + ": records").engine(baseline: baseline) { file, data in
                try data.sample.reduce(0) { sum, number in
                    let key = data.keys[Int(number)]
                    return sum
                        + age(try file.read { try StoreWorkloads.store.get(key, in: $0) }, data)
                }
            },
        ]
    }

    private static var many: [Workload] {
        let name = "store: get 1,000 keys"
        let baseline = name + ": C, one by one"
        let workload = { (name: String) in
            StoreWorkload(name: name, items: manyCount) { data in
                data.sample.prefix(manyCount).reduce(0) { $0 + data.ages[Int($1)] }
            }
        }
        return [
            workload(baseline).baseline { file, data in
                try file.snapshot { file.get(Array(data.sample.prefix(manyCount))) }
            },
            workload(name + ": one by one").engine(baseline: baseline) { file, data in
                try file.read { snapshot in
                    try data.sample.prefix(manyCount).reduce(0) {
                        let key = data.keys[Int($1)]
                        let record = try StoreWorkloads.store.get(key, in: snapshot)
                        return $0 + age(record, data)
                    }
                }
            },
            workload(name + ": one call").engine(baseline: baseline) { file, data in
                let keys = data.sample.prefix(manyCount).map { data.keys[Int($0)] }
                return try file.read { snapshot in
                    try StoreWorkloads.store.get(keys, in: snapshot)
                        .reduce(0) { $0 + age($1, data) }
                }
            },
        ]
    }

    private static var counts: [Workload] {
        let name = "store: count of all, in one"
        let baseline = name + ": C"
        let workload = { (name: String) in
            StoreWorkload(name: name, items: 1) { _ in StoreData.count }
        }
        return [
            workload(baseline).baseline { file, _ in file.count },
            workload(name + ": engine").engine(baseline: baseline) { file, _ in
                try file.read { try StoreWorkloads.store.count(in: $0).live }
            },
        ]
    }
}
