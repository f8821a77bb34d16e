import Foundation
import StandardBenchmarks

/// The workloads of LevelDB's db_bench, on databases with as many pairs as the selected size.
enum KeyValueWorkloads {
    private static let data = KeyValueData(entries: StoreData.count)

    static func groups() -> [[Workload]] {
        Durability.allCases.reversed().flatMap { durability in
            KeyValueWorkload.all(durability).map { workload in
                group(workload, durability, "db_bench: \(workload), \(durability)")
            }
        }
    }

    private static func group(
        _ workload: KeyValueWorkload, _ durability: Durability, _ title: String
    ) -> [Workload] {
        KeyValueEngine.allCases.map { engine in
            .standard(
                title, engine.rawValue, beside: KeyValueEngine.plain.rawValue,
                isOwn: engine == .raw
            ) {
                try prepare(workload, engine, durability, title)
            }
        }
    }

    private static func prepare(
        _ workload: KeyValueWorkload, _ engine: KeyValueEngine, _ durability: Durability,
        _ title: String
    ) throws -> Workload.Prepared {
        let latencies = LatencyCollector()
        let operations = workload.operations(entries: data.entries, durability)
        let pass = KeyValuePass(
            workload, data, operations: operations, series: StandardWorkloads.series(title),
            latencies: latencies)
        let file = KeyValueFile(engine, durability, template: try template(workload, engine))
        if workload.file == .filled { try file.openTemplate() }
        var prepared = Workload.Prepared(.items(operations)) {
            if workload.file != .filled { try file.openNew() }
            pass.prepare()
        } tearDown: {
            try pass.finish(file.connection)
            if workload.file != .filled { try file.close() }
        } pass: {
            try pass.run(file.connection)
        }
        prepared.latencies = latencies
        prepared.path = { file.directory }
        if workload.file != .filled { prepared.removeFile = file.remove }
        return prepared
    }

    /// The directory of a filled database, if the workload needs one.
    private static func template(
        _ workload: KeyValueWorkload, _ engine: KeyValueEngine
    ) throws -> String? {
        guard workload.file != .empty else { return nil }
        return try StandardWorkloads.directory("db_bench-\(engine)") { directory in
            let database = try engine.open(directory, .normal)
            try data.fill(database.connect())
            try database.close()
        }
    }
}

/// The open database of a workload.
private final class KeyValueFile {
    private let engine: KeyValueEngine
    private let durability: Durability
    private let template: String?
    private var database: (any KeyValueDatabase)?
    private var open: (any KeyValueConnection)?
    private(set) var directory: String?

    init(_ engine: KeyValueEngine, _ durability: Durability, template: String?) {
        (self.engine, self.durability, self.template) = (engine, durability, template)
    }

    var connection: any KeyValueConnection {
        get throws {
            guard let open else { throw BenchmarkError(message: "the database is closed") }
            return open
        }
    }

    func openTemplate() throws {
        directory = template
        try connect()
    }

    /// Opens a copy of the template, or an empty database.
    func openNew() throws {
        let path = "\(StoreData.diskDirectory)/\(UUID().uuidString)"
        if let template {
            try FileManager.default.copyItem(atPath: template, toPath: path)
            try DatabaseFile.flush(path)
        } else {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        directory = path
        try connect()
    }

    private func connect() throws {
        guard let directory else { return }
        let opened = try engine.open(directory, durability)
        open = try opened.connect()
        database = opened
    }

    func close() throws {
        open = nil
        try database?.close()
        database = nil
    }

    func remove() throws {
        if let directory { try FileManager.default.removeItem(atPath: directory) }
        directory = nil
    }
}
