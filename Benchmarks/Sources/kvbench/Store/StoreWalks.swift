import DocumentStore

/// Iterating over all records, in each order.
enum StoreWalks {
    private static let orders: [(RecordEnumerator.Order, String)] = [
        (.key, "by key"), (.sequence, "by sequence"), (.unsorted, "unsorted"),
    ]

    static func groups() -> [[Workload]] {
        orders.flatMap { order, name in
            [bodies(order, name), records(order, name), metadata(order, name)]
        }
    }

    private static func workload(_ name: String) -> StoreWorkload {
        StoreWorkload(
            name: name, items: StoreData.count, template: .filled, result: \.ageSum)
    }

    private static func options(
        _ order: RecordEnumerator.Order, _ content: RecordContent
    ) -> RecordEnumerator.Options {
        var options = RecordEnumerator.Options()
        options.order = order
        options.content = content
        return options
    }

    /// The body without a copy.
    private static func bodies(_ order: RecordEnumerator.Order, _ name: String) -> [Workload] {
        let name = "store: enumerate \(name), body and 1 property"
        let baseline = name + ": C"
        return [
            workload(baseline).baseline { file, _ in
                try file.snapshot { file.walk(order, .body) }
            },
            workload(name + ": forEachRow").engine(baseline: baseline) { file, data in
                var sum = 0
                try file.read { snapshot in
                    let records = try StoreWorkloads.store.records(
                        options(order, .body), in: snapshot)
                    try records.forEachRow { row in
                        sum += row.withBody { StoreWorkloads.age($0, data) }
                        return true
                    }
                }
                return sum
            },
            workload(name + ": forEachRow, FleeceDocument").engine(baseline: baseline) {
                file, _ in
                var sum = 0
                var age = FleeceKey("age")
                try file.read { snapshot in
                    let records = try StoreWorkloads.store.records(
                        options(order, .body), in: snapshot)
                    try records.forEachRow { row in
                        let document = try row.withBody {
                            try FleeceDocument(
                                trusted: [UInt8]($0), sharedKeys: row.sharedKeys)
                        }
                        sum += document.withUnsafeRoot {
                            Int($0.dictionary?.value(&age)?.int ?? -1)
                        }
                        return true
                    }
                }
                return sum
            },
        ] + PeerWorkloads.walks(workload(name), baseline: baseline, order)
    }

    /// Records that can outlive the iteration.
    private static func records(_ order: RecordEnumerator.Order, _ name: String) -> [Workload] {
        let name = "store: enumerate \(name), all columns"
        let baseline = name + ": C"
        return [
            workload(baseline).baseline { file, _ in
                try file.snapshot { file.walk(order, .all, takesAll: true) }
            },
            workload(name + ": next").engine(baseline: baseline) { file, data in
                var sum = 0
                try file.read { snapshot in
                    let records = try StoreWorkloads.store.records(
                        options(order, .all), in: snapshot)
                    while let record = try records.next() {
                        sum += record.body?.withUnsafeBytes { StoreWorkloads.age($0, data) } ?? -1
                    }
                }
                return sum
            },
        ]
    }

    private static func metadata(_ order: RecordEnumerator.Order, _ name: String) -> [Workload] {
        let name = "store: enumerate \(name), metadata"
        let baseline = name + ": C"
        let workload = { (name: String) in
            StoreWorkload(
                name: name, items: StoreData.count, template: .filled, result: \.bodySize)
        }
        return [
            workload(baseline).baseline { file, _ in
                try file.snapshot { file.walk(order, .metadata, takesAll: true) }
            },
            workload(name + ": forEachRow").engine(baseline: baseline) { file, _ in
                var sum = 0
                var others: Int64 = 0
                try file.read { snapshot in
                    let records = try StoreWorkloads.store.records(
                        options(order, .metadata), in: snapshot)
                    try records.forEachRow { row in
                        sum += row.bodySize
                        others ^= row.sequence ^ Int64(row.flags.rawValue)
                        others ^= row.withVersion { Int64($0.last ?? 0) }
                        others ^= Int64(row.key.utf8.count)
                        return true
                    }
                }
                return others == -1 ? -1 : sum
            },
            workload(name + ": next").engine(baseline: baseline) { file, _ in
                var sum = 0
                try file.read { snapshot in
                    let records = try StoreWorkloads.store.records(
                        options(order, .metadata), in: snapshot)
                    while let record = try records.next() { sum += record.bodySize }
                }
                return sum
            },
        ]
    }
}
