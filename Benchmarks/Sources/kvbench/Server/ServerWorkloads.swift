import DocumentStore
import Foundation
import SQLCore
import ServerStore

/// ServerStore compared with the relational schema of ProtonVPN, with the same servers, in the
/// current and in a much larger number; also queries of a list in memory.
enum ServerWorkloads {
    static func groups() -> [[Workload]] {
        let writing = [firstStores, sameLists, loads, newLists].flatMap { group in
            [ServerData.small, .large].map(group)
        }
        return writing
            + readings.flatMap { reading in
                [ServerData.small, .large].map(reading.workloads)
            }
    }

    private static let country = "US"
    private static let texts = ["Zürich", "united", "DE#1", "sto"]
    private static let cities = ["Frankfurt", "Los Angeles", "Tokyo", "Amsterdam"]

    private static let readings = [
        ServerReading(
            "groups", result: \.groupCount, { try $0.groups().count },
            { try $0.groups(filteredBy: [.features(.standard)], in: $1).count },
            { $0.groups(filteredBy: [.features(.standard)]).count }),
        ServerReading(
            "all by name", result: \.servers.count, { try $0.allByName().count },
            { try $0.servers(orderedBy: .nameAscending, in: $1).count },
            { $0.servers(orderedBy: .nameAscending).count }),
        ServerReading(
            "fastest of a country", result: { $0.fastest(of: country)?.endpoints.count },
            { try $0.fastest(of: country)?.endpoints.count ?? 0 },
            {
                try $0.firstServer(filteredBy: fastest, orderedBy: .fastest, in: $1)?
                    .endpoints.count ?? 0
            },
            {
                $0.firstServer(filteredBy: fastest, orderedBy: .fastest)?.endpoints.count ?? 0
            }),
        ServerReading(
            "one country", result: { $0.count { isStandard($0) && $0.exitCountryCode == country } },
            { try $0.servers(of: country).count },
            {
                try $0.servers(filteredBy: ofCountry, orderedBy: .loadAscending, in: $1).count
            },
            { $0.servers(filteredBy: ofCountry, orderedBy: .loadAscending).count }),
        search("search of a city", cities) { data in
            cities.reduce(0) { sum, city in sum + data.count { $0.city == city } }
        },
        // The results differ, so that there is nothing to compare: the original finds parts of
        // words, and does not find `Zürich`.
        search("search", texts) { _ in nil },
    ]

    private static func search(
        _ name: String, _ texts: [String], result: @escaping @Sendable (ServerData) -> Int?
    ) -> ServerReading {
        ServerReading(
            name, items: texts.count, result: result,
            { original in
                try texts.reduce(0) { try $0 + original.servers(matching: $1).count }
            },
            { store, snapshot in
                try texts.reduce(0) {
                    try $0
                        + store.servers(
                            filteredBy: [.matches($1)], orderedBy: .nameAscending, in: snapshot
                        ).count
                }
            },
            { list in
                texts.reduce(0) {
                    $0 + list.servers(filteredBy: [.matches($1)], orderedBy: .nameAscending).count
                }
            })
    }

    private static let fastest: [VPNServerFilter] = [.kind(.country(country)), .features(.p2p)]
    private static let ofCountry: [VPNServerFilter] = [
        .kind(.country(country)), .features(.standard),
    ]

    private static func isStandard(_ logical: LogicalServer) -> Bool { logical.kind == .country }
}

// Writes. The original uses records; the variant without them shows their cost.
extension ServerWorkloads {
    private static let originally = ": original"
    private static let byStatements = ": original, by statements"

    /// Stores a list in an empty file.
    private static func firstStores(_ data: ServerData) -> [Workload] {
        let name = "servers: first store, \(data.name)"
        func original(
            _ how: String, _ upsert: @escaping (ServerOriginal, [VPNServer]) throws -> Int
        ) -> Workload {
            Workload(
                name + how, baseline: how == originally ? nil : name + originally, isPeer: true
            ) {
                var path = ""
                var file: ServerOriginal?
                return .init(
                    .items(1),
                    setUp: {
                        path = try ServerFiles.newPath()
                        file = try ServerOriginal(path: path)
                    },
                    tearDown: {
                        try Recount.require(file?.allByName().count, data.servers.count, name)
                        try file?.close()
                        ServerFiles.remove(path)
                    },
                    pass: {
                        let count = try file.map { try upsert($0, data.servers) }
                        return try Recount.require(count, data.servers.count, name + how) ?? 0
                    })
            }
        }
        let statements = original(byStatements) { try $0.upsertByStatements($1) }
        return [original(originally) { try $0.upsert($1) }] + (data.isLarge ? [] : [statements]) + [
            Workload(name, baseline: name + originally) {
                var path = ""
                var store: ServerStore?
                return .init(
                    .items(1),
                    setUp: {
                        path = try ServerFiles.newPath()
                        store = try ServerStore(path: path, names: ServerFiles.names)
                    },
                    tearDown: {
                        let found = try store?.currentList().serverCount
                        try Recount.require(found, data.servers.count, name)
                        store?.file.close()
                        ServerFiles.remove(path)
                    },
                    pass: {
                        let change = try store?.write { transaction in
                            try store?.replaceList(data.servers, in: transaction)
                        }
                        guard change?.added.count == data.servers.count else {
                            throw BenchmarkError(message: "\(name): not all servers are new")
                        }
                        return data.servers.count
                    })
            }
        ]
    }

    /// Stores a list that is already stored.
    private static func sameLists(_ data: ServerData) -> [Workload] {
        let name = "servers: same list again, \(data.name)"
        func original(
            _ how: String, _ upsert: @escaping (ServerOriginal, [VPNServer]) throws -> Int
        ) -> Workload {
            Workload(
                name + how, baseline: how == originally ? nil : name + originally, isPeer: true
            ) {
                let file = try ServerFiles.original(data)
                return .init(.items(1)) { try upsert(file, data.servers) }
            }
        }
        let originals = [
            original(originally) { try $0.upsert($1) },
            original(byStatements) { try $0.upsertByStatements($1) },
        ]
        return (data.isLarge ? [] : originals) + [
            Workload(name, baseline: data.isLarge ? nil : name + originally) {
                let path = try ServerFiles.newPath()
                // Without maintenance, which the store would do later.
                let store = try ServerFiles.store(data, path, StoreData.options(.create))
                // Another connection, whose data version changes when something was written.
                let other = try SQLContext(path: path + DatabaseFile.main)
                let version = { try other.selectValue(sql: "PRAGMA data_version") }
                let before = try version()
                return .init(
                    .items(1),
                    tearDown: { try Recount.require(version(), before, name + ": is written") }
                ) {
                    let change = try store.write { try store.replaceList(data.servers, in: $0) }
                    guard change.isEmpty, change.unchanged == data.servers.count else {
                        throw BenchmarkError(message: "\(name): a server was changed")
                    }
                    return change.unchanged
                }
            }
        ]
    }

    /// Stores the loads of all servers, different ones each time.
    private static func loads(_ data: ServerData) -> [Workload] {
        let name = "servers: all loads, \(data.name)"
        func workload(
            _ name: String, baseline: String? = nil, isPeer: Bool = true,
            _ update: @escaping () throws -> ([ContinuousServerProperties]) throws -> Int
        ) -> Workload {
            Workload(name, baseline: baseline, isPeer: isPeer) {
                let update = try update()
                var round = 0
                return .init(.items(1)) {
                    round += 1
                    let count = try update(data.loads[round % 2])
                    guard count == data.servers.count else {
                        throw BenchmarkError(message: "\(name): \(count) have changed")
                    }
                    return count
                }
            }
        }
        return [
            workload(name + originally) {
                let file = try ServerFiles.original(data)
                return { try file.upsert($0) }
            },
            workload(name + byStatements, baseline: name + originally) {
                let file = try ServerFiles.original(data)
                return { try file.upsertByStatements($0) }
            },
            workload(name, baseline: name + originally, isPeer: false) {
                let store = try ServerFiles.store(data)
                return { loads in
                    try store.write { try store.update(loads: loads, in: $0) }.updated
                }
            },
        ]
    }

    /// The additional cost of the first query of a list in memory after the loads have changed. The
    /// original does not cache a list: it reads all servers.
    private static func newLists(_ data: ServerData) -> [Workload] {
        let name = "servers: list in memory after a change of loads, \(data.name)"
        let baseline = name + ": original, all by name"
        func prepared(
            _ name: String, _ list: @escaping () throws -> (count: Int, load: Int?),
            _ update: @escaping ([ContinuousServerProperties]) throws -> Int
        ) -> Workload.Prepared {
            var loads: [ContinuousServerProperties] = data.loads[0]
            return .init(
                .items(1),
                setUp: {
                    loads = loads[0].load == data.loads[0][0].load ? data.loads[1] : data.loads[0]
                    try Recount.require(update(loads), data.servers.count, name)
                },
                pass: {
                    let list = try list()
                    try Recount.require(list.load, loads[0].load, name + ": an old load")
                    return try Recount.require(list.count, data.servers.count, name)
                })
        }
        let first = data.servers[0].id
        return [
            Workload(baseline, isPeer: true) {
                let file = try ServerFiles.original(data)
                return prepared(baseline) {
                    let all = try file.allByName()
                    return (all.count, all.first { $0.logical.id == first }?.logical.load)
                } _: {
                    try file.upsert($0)
                }
            },
            Workload(name, baseline: baseline) {
                let store = try ServerFiles.store(data)
                _ = try store.currentList()
                return prepared(name) {
                    let list = try store.currentList()
                    return (list.serverCount, list.server(first)?.logical.load)
                } _: { loads in
                    try store.write { try store.update(loads: loads, in: $0) }.updated
                }
            },
        ]
    }
}

/// A query of the original, of a store whose list is not cached, and of its list.
private struct ServerReading: Sendable {
    private let name: String
    private let items: Int
    private let result: @Sendable (ServerData) -> Int?
    private let original: @Sendable (ServerOriginal) throws -> Int
    private let own: @Sendable (ServerStore, Snapshot) throws -> Int
    private let memory: @Sendable (ServerList) -> Int

    /// The expected result, where all three are equal.
    init(
        _ name: String, items: Int = 1, result: @escaping @Sendable (ServerData) -> Int?,
        _ original: @escaping @Sendable (ServerOriginal) throws -> Int,
        _ own: @escaping @Sendable (ServerStore, Snapshot) throws -> Int,
        _ memory: @escaping @Sendable (ServerList) -> Int
    ) {
        (self.name, self.items, self.result) = (name, items, result)
        (self.original, self.own, self.memory) = (original, own, memory)
    }

    func workloads(_ data: ServerData) -> [Workload] {
        let name = "servers: \(name), \(data.name)"
        let first = workload(name + ": original", data) {
            let file = try ServerFiles.original(data)
            return { try original(file) }
        }.asPeer
        let others = [
            workload(name, data) {
                let store = try ServerFiles.store(data)
                return {
                    // A store without a cached list.
                    let other = store.with(names: store.names)
                    return try other.read { try own(other, $0) }
                }
            },
            workload(name + ": in memory", data) {
                let store = try ServerFiles.store(data)
                return { memory(try store.currentList()) }
            },
        ]
        // A ratio is meaningful only if the results are equal.
        return [first] + others.map { result(data) == nil ? $0 : $0.beside(first.name) }
    }

    private func workload(
        _ name: String, _ data: ServerData, _ prepare: @escaping () throws -> () throws -> Int
    ) -> Workload {
        Workload(name) {
            let ask = try prepare()
            let expected = result(data)
            return .init(.items(items)) {
                let answer = try ask()
                guard answer > 0, answer == expected ?? answer else {
                    throw BenchmarkError(message: "\(name): \(answer), not \(expected ?? 1)")
                }
                return answer
            }
        }
    }
}

/// New files for both sides each time, so that writes of a workload do not affect others.
private enum ServerFiles {
    static let names = CountryNames(locale: Locale(identifier: "en_US"))

    static func newPath() throws -> String {
        try FileManager.default.createDirectory(
            atPath: StoreData.directory, withIntermediateDirectories: true)
        return StoreData.directory + "/servers-\(UUID().uuidString)"
    }

    static func original(_ data: ServerData) throws -> ServerOriginal {
        let file = try ServerOriginal(path: newPath())
        _ = try file.upsert(data.servers)
        return file
    }

    static func store(
        _ data: ServerData, _ path: String? = nil,
        _ options: DataFileOptions = DataFileOptions(access: .create)
    ) throws -> ServerStore {
        let store = try ServerStore(path: path ?? newPath(), options: options, names: names)
        _ = try store.write { try store.replaceList(data.servers, in: $0) }
        return store
    }

    /// Removes a file with SQLite's auxiliary files, or a store's directory.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }
}
