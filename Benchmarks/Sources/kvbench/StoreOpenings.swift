import DataFileCore
import Foundation

/// An existing file that is opened and closed again.
enum StoreOpenings {
    private static let count = 100

    static func groups() -> [[Workload]] {
        [
            group("for reading", .readOnly, isUsed: false),
            group("for writing", .readWrite, isUsed: false),
            group("for reading, read one record", .readOnly, isUsed: true),
        ]
    }

    private static func group(
        _ what: String, _ access: DataFileOptions.Access, isUsed: Bool
    ) -> [Workload] {
        let name = "store: open \(what), and close"
        let floor = name + ": C"
        let expected = { (data: StoreData) in isUsed ? data.ages[0] : 1 }
        return [
            workload(floor, floor: nil) { path, data in
                let file = try FloorFile(path, isReadOnly: access == .readOnly)
                // What is not read is not opened.
                guard isUsed else { return file.dataVersion > 0 ? expected(data) : -1 }
                return file.get([0])
            },
            workload(name + ": engine", floor: floor) { path, data in
                let file = try DataFile(path: path, options: StoreData.options(access))
                defer { file.close() }
                guard isUsed else { return expected(data) }
                return try file.read { snapshot in
                    let record = try StoreWorkloads.store.get(data.keys[0], in: snapshot)
                    return record?.body?.withUnsafeBytes { StoreWorkloads.age($0, data) } ?? -1
                }
            },
        ].map { make in make(expected) }
    }

    private static func workload(
        _ name: String, floor: String?, _ open: @escaping (String, StoreData) throws -> Int
    ) -> ((@escaping (StoreData) -> Int) -> Workload) {
        { expected in
            Workload(name, floor: floor) {
                let data = try StoreData.get()
                let path = "\(StoreData.folder)/\(UUID().uuidString).cblite2"
                try FileManager.default.copyItem(
                    atPath: StoreData.path(.filled), toPath: path)
                return Workload.Prepared(.items(count)) {
                    for _ in 0..<count {
                        let result = try open(path, data)
                        guard result == expected(data) else {
                            throw BenchmarkError(message: "\(name): \(result)")
                        }
                    }
                    return 1
                }
            }
        }
    }
}
