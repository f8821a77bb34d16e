import DocumentStore
import Foundation

/// Opening and closing an existing file.
enum StoreOpenings {
    private static let count = 30

    static func groups() -> [[Workload]] {
        [
            group("for reading", .readOnly, isUsed: false),
            group("for writing", .readWrite, isUsed: false),
            group("for reading, read one record", .readOnly, isUsed: true),
            savings,
        ]
    }

    /// The first write also looks up which sequences are in use.
    private static var savings: [Workload] {
        let name = "store: open, save one record, and close"
        let baseline = name + ": C"
        return [
            workload(baseline) { path, _ in
                let file = try BaselineFile(path)
                try file.transaction { try file.update(count: 1, shift: 0) }
                return true
            },
            workload(name + ": engine") { path, data in
                try saveOne(path, data, StoreData.options(.readWrite))
            }.beside(baseline),
            workload(name + ": engine, with maintenance") { path, data in
                try saveOne(path, data, DataFileOptions(access: .readWrite))
            }.beside(baseline),
        ]
    }

    private static func saveOne(
        _ path: String, _ data: StoreData, _ options: DataFileOptions
    ) throws -> Bool {
        let file = try DataFile(path: path, options: options)
        defer { file.close() }
        let number = Int(data.sample[0])
        return try file.write { transaction in
            let record = try StoreWorkloads.store.get(data.keys[number], in: transaction)
            guard let record else { return false }
            var update = data.inserts[number]
            update.expectation = .revision(of: record)
            try StoreWorkloads.put(update, transaction)
            return true
        }
    }

    private static func group(
        _ what: String, _ access: DataFileOptions.Access, isUsed: Bool
    ) -> [Workload] {
        let name = "store: open \(what), and close"
        let baseline = name + ": C"
        // A file opened for reading has no maintenance.
        let usual =
            access == .readOnly
            ? []
            : [
                workload(name + ": engine, with maintenance") { path, _ in
                    try DataFile(path: path, options: DataFileOptions(access: access)).close()
                    return true
                }.beside(baseline)
            ]
        return [
            workload(baseline) { path, data in
                let file = try BaselineFile(path, isReadOnly: access == .readOnly)
                if isUsed { return file.get([0]) == data.ages[0] }
                // SQLite opens the file on first use.
                return file.dataVersion > 0
            },
            workload(name + ": engine") { path, data in
                let file = try DataFile(path: path, options: StoreData.options(access))
                defer { file.close() }
                guard isUsed else { return true }
                return try file.read { snapshot in
                    let record = try StoreWorkloads.store.get(data.keys[0], in: snapshot)
                    let age = record?.body?.withUnsafeBytes { StoreWorkloads.age($0, data) }
                    return age == data.ages[0]
                }
            }.beside(baseline),
        ] + usual
    }

    private static func workload(
        _ name: String, _ open: @escaping (String, StoreData) throws -> Bool
    ) -> Workload {
        Workload(name) {
            let data = try StoreData.get()
            let path = "\(StoreData.directory)/\(UUID().uuidString).cblite2"
            try FileManager.default.copyItem(atPath: StoreData.path(.filled), toPath: path)
            return Workload.Prepared(.items(count)) {
                for _ in 0..<count {
                    guard try open(path, data) else {
                        throw BenchmarkError(message: "\(name): a wrong age")
                    }
                }
                return count
            }
        }
    }
}
