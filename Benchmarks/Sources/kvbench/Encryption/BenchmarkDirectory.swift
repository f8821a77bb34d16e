import Foundation

/// A directory of a workload's own, in memory, removed when it goes.
final class BenchmarkDirectory {
    let path: String

    init() throws {
        path = StoreData.directory + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
