import Foundation

/// A workload's own directory, in memory, removed when the object is released.
final class BenchmarkDirectory {
    let path: String

    init() throws {
        path = StoreData.directory + "/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
