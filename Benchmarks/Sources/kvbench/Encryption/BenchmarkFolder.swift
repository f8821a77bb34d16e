import Foundation

/// A folder of a workload's own, in memory, removed when it goes.
final class BenchmarkFolder {
    let path: String

    init() throws {
        path = StoreData.folder + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
