import DocumentStore
import Foundation
import OONIStore

/// OONIStore compared with the relational schema of OONI Probe, with the same data.
enum ProbeWorkloads {
    private static let data = ProbeData.shared

    static func groups() -> [[Workload]] {
        [
            pair("list of 100 with aggregates", data.list(100), { try $0.list(100) }) {
                store, snapshot in
                try store.results.page(in: snapshot).results.reduce(0) { $0 + sum($1) }
            },
            pair("latest", data.list(1), { try $0.list(1) }) { store, snapshot in
                try store.results.latest(in: snapshot).map(sum) ?? -1
            },
            pair("not viewed", data.notViewed, { try $0.notViewed() }) { store, snapshot in
                try store.results.notViewedCount(in: snapshot)
            },
            pair("missing upload", data.missingUpload, { try $0.missingUpload() }) {
                store, snapshot in
                try store.results.missingUploadCount(in: snapshot)
            },
            pair("list of not uploaded", data.notUploaded, { try $0.notUploaded() }) {
                store, snapshot in
                try store.measurements.notUploaded(in: snapshot).reduce(0) {
                    $0 + ProbeData.sum(start: $1.startTime.milliseconds)
                }
            },
            pair("statistics", data.statistics, { try $0.statistics() }) { store, snapshot in
                let found = try store.statistics(
                    at: OONIStore.Instant(milliseconds: ProbeData.now).date, zone: .gmt,
                    in: snapshot)
                return found.today + found.thisWeek + found.thisMonth + found.total
                    + found.networks + found.countries.count
            },
            events(), lives(), deletions(), imports(),
        ]
    }

    private static func pair(
        _ name: String, _ expected: @autoclosure @escaping () -> Int,
        _ original: @escaping (ProbeOriginal) throws -> Int,
        _ own: @escaping (OONIStore, Snapshot) throws -> Int
    ) -> [Workload] {
        let baseline = "ooni: \(name): original"
        return [
            Workload(baseline, isPeer: true) {
                let (file, expected) = (try ProbeFiles.get().original(), expected())
                return .init(.items(1)) { try Recount.require(original(file), expected, baseline) }
            },
            Workload("ooni: \(name)", baseline: baseline) {
                let (store, expected) = (try ProbeFiles.get().store(), expected())
                return .init(.items(1)) {
                    try Recount.require(store.read { try own(store, $0) }, expected, name)
                }
            },
        ]
    }

    private static func sum(_ result: OONIStore.TestResult) -> Int {
        ProbeData.sum(
            start: result.startTime.milliseconds, total: result.counts.measurements,
            failed: result.counts.failed, notUploaded: result.counts.notUploaded)
    }

    /// Each event in a transaction of its own.
    private static func events() -> [Workload] {
        let baseline = "ooni: event of a measurement: original"
        return [
            Workload(baseline, isPeer: true) {
                let file = try ProbeFiles.get().copyOfOriginal()
                try file.begin()
                return .init(
                    .items(200),
                    // The last event is one that is not uploaded.
                    tearDown: { try Recount.require(file.uploadedCount(), 0, baseline) }
                ) {
                    let count = try (0..<200).reduce(0) { $0 + (try file.event($1)) }
                    return try Recount.require(count, 200, baseline)
                }
            },
            Workload("ooni: event of a measurement", baseline: baseline) {
                let store = try ProbeFiles.get().copyOfStore()
                let measurement = try store.write { transaction in
                    let result = try store.results.insert(
                        .init(name: "websites"), at: .init(milliseconds: ProbeData.now),
                        taskOrigin: .autorun, runID: "r", in: transaction)
                    return try store.measurements.insert(
                        .webConnectivity, of: result.id, url: ProbeData.shared.urls[1],
                        at: .init(milliseconds: ProbeData.now), in: transaction)
                }
                return .init(
                    .items(200),
                    tearDown: {
                        let last = try store.read {
                            try store.measurements.get(measurement.id, in: $0)
                        }
                        try Recount.require(last?.isMissingUpload, true, baseline)
                    }
                ) {
                    let count = try (0..<200).reduce(0) { count, number in
                        let isUploaded = number % 2 == 0
                        let written = try store.write {
                            try store.measurements.update(measurement.id, in: $0) {
                                $0.isDone = true
                                $0.isUploaded = isUploaded
                            }
                        }
                        return count + (written.isUploaded == isUploaded ? 1 : 0)
                    }
                    return try Recount.require(count, 200, baseline)
                }
            },
        ]
    }

    /// The writes of an app for a measurement: it starts, progresses twice, ends, and is uploaded.
    /// Each event is an item.
    private static func lives() -> [Workload] {
        let baseline = "ooni: life of a measurement, an event: original"
        return [
            Workload(baseline, isPeer: true) {
                let file = try ProbeFiles.get().copyOfOriginal()
                try file.begin()
                var number = 0
                return .init(
                    .items(200),
                    tearDown: { try Recount.require(file.uploadedCount(), number, baseline) }
                ) {
                    for _ in 0..<40 {
                        try file.life(number)
                        number += 1
                    }
                    return 200
                }
            },
            Workload("ooni: life of a measurement, an event", baseline: baseline) {
                let store = try ProbeFiles.get().copyOfStore()
                var number = 0
                let result = try store.write {
                    try store.results.insert(
                        .init(name: "websites"), at: .init(milliseconds: ProbeData.now),
                        taskOrigin: .autorun, runID: "r", in: $0
                    ).id
                }
                return .init(
                    .items(200),
                    tearDown: {
                        let counts = try store.read {
                            try store.results.get(result, in: $0)?.counts
                        }
                        try Recount.require(
                            [counts?.done, counts?.notUploaded], [number, 0], baseline)
                    }
                ) {
                    for _ in 0..<40 {
                        try live(result, store)
                        number += 1
                    }
                    return 200
                }
            },
        ]
    }

    private static func live(_ result: OONIStore.TestResult.ID, _ store: OONIStore) throws {
        let id = try store.write {
            try store.measurements.insert(
                .webConnectivity, of: result, url: ProbeData.shared.urls[1],
                at: .init(milliseconds: ProbeData.now), in: $0
            ).id
        }
        func event(_ change: (inout OONIStore.Measurement) -> Void) throws {
            _ = try store.write { try store.measurements.update(id, in: $0, change) }
        }
        try event { $0.reportID = "20260818T000000Z_webconnectivity_DE_1000" }
        try event { $0.runtimeSeconds = 1.5 }
        try event { $0.isDone = true }
        try event { $0.isUploaded = true }
    }

    /// Imports the whole database of the original into a new store in memory.
    private static func imports() -> [Workload] {
        [
            Workload("ooni: import of all") {
                let path = try ProbeFiles.get().originalPath
                return .init(.items(1)) {
                    let store = try OONIStore.inMemory()
                    let report = try store.importProbe(path: path)
                    let found = try store.read { snapshot in
                        try [
                            store.results.totals(in: snapshot).results,
                            store.measurements.doneCount(
                                after: .init(milliseconds: 0), in: snapshot),
                            report.problems.count { $0.isLeftOut },
                        ]
                    }
                    let expected = [ProbeData.resultCount, data.measurementCount, 0]
                    return try Recount.require(found, expected, "ooni: import of all")[0]
                }
            }
        ]
    }

    private static func deletions() -> [Workload] {
        let baseline = "ooni: delete 250 measurements: original"
        return [
            Workload(baseline, isPeer: true) {
                let file = try ProbeFiles.get().copyOfOriginal()
                return .init(
                    .items(1), setUp: { try file.insertLarge() },
                    tearDown: { try Recount.require(file.extraCount(), 0, baseline) }
                ) {
                    try Recount.require(file.deleteLarge(), 250, baseline)
                }
            },
            Workload("ooni: delete 250 measurements", baseline: baseline) {
                let store = try ProbeFiles.get().copyOfStore()
                var id = OONIStore.TestResult.ID(0)
                return .init(
                    .items(1),
                    setUp: {
                        id = try store.write { transaction in
                            let result = try store.results.insert(
                                .init(name: "websites"), at: .init(milliseconds: ProbeData.now),
                                networkID: .init(1), in: transaction)
                            for number in 0..<250 {
                                _ = try store.measurements.insert(
                                    .webConnectivity, of: result.id,
                                    url: ProbeData.shared.urls[number],
                                    at: .init(milliseconds: ProbeData.now), in: transaction)
                            }
                            return result.id
                        }
                    },
                    tearDown: {
                        let found = try store.read { snapshot in
                            try [
                                store.results.totals(in: snapshot).results,
                                store.measurements.all(of: id, in: snapshot).count,
                            ]
                        }
                        try Recount.require(found, [ProbeData.resultCount, 0], baseline)
                    },
                    pass: {
                        let gone = try store.write { try store.results.delete([id], in: $0) }
                        return try Recount.require(gone.measurements.count, 250, baseline)
                    })
            },
        ]
    }
}

/// The initial files of both, filled once.
final class ProbeFiles: Sendable {
    private static let made = Result { try ProbeFiles() }

    static func get() throws -> ProbeFiles { try made.get() }

    let originalPath = StoreData.directory + "/probe.db"
    private let storePath = StoreData.directory + "/probe.cblite2"

    private init() throws {
        try FileManager.default.createDirectory(
            atPath: StoreData.directory, withIntermediateDirectories: true)
        try ProbeOriginal(path: originalPath, isNew: true).close()
        let store = try OONIStore(path: storePath)
        let data = ProbeData.shared
        try store.write { transaction in
            let networks = try data.networks.map {
                try store.networks.register(
                    .init(
                        name: $0.name, asn: $0.asn, countryCode: $0.country,
                        type: .init(rawValue: $0.type)), in: transaction
                ).id
            }
            try store.urls.register(
                data.urls.map { OONIStore.Url($0, category: .news) }, in: transaction)
            for item in data.results { try Self.insert(item, networks, store, transaction) }
        }
        try store.file.optimize()
        store.file.close()
    }

    private static func insert(
        _ item: ProbeData.Result, _ networks: [OONIStore.Network.ID], _ store: OONIStore,
        _ transaction: Transaction
    ) throws {
        let result = try store.results.insert(
            .init(name: item.descriptor), at: .init(milliseconds: item.startTime),
            taskOrigin: .init(rawValue: item.origin), runID: item.run,
            networkID: networks[item.network], in: transaction)
        for item in item.measurements {
            let measurement = try store.measurements.insert(
                .init(rawValue: item.testName), of: result.id,
                url: item.url.map { ProbeData.shared.urls[$0] },
                at: .init(milliseconds: item.startTime), in: transaction)
            try store.measurements.update(measurement.id, in: transaction) {
                $0.isDone = true
                $0.runtimeSeconds = 1.5
                $0.reportID = "20260818T000000Z_webconnectivity_DE_1000"
                $0.isFailed = item.isFailed
                $0.isAnomaly = item.isAnomaly
                $0.isUploaded = item.isUploaded
            }
        }
        try store.results.update(result.id, in: transaction) {
            ($0.dataUsageUpKiB, $0.dataUsageDownKiB) = (100, 200)
        }
        try store.results.markAsDone(result.id, in: transaction)
        if item.isViewed { try store.results.markAsViewed(result.id, in: transaction) }
    }

    func original() throws -> ProbeOriginal { try ProbeOriginal(path: originalPath) }

    func store() throws -> OONIStore { try OONIStore(path: storePath) }

    /// A copy for workloads that write, so that others do not see the changes.
    func copyOfOriginal() throws -> ProbeOriginal {
        try ProbeOriginal(path: Self.copy(of: originalPath))
    }

    func copyOfStore() throws -> OONIStore { try OONIStore(path: Self.copy(of: storePath)) }

    private static func copy(of path: String) throws -> String {
        let copy = "\(StoreData.directory)/\(UUID().uuidString).cblite2"
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }
}
