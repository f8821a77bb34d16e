import Foundation

/// Calls `use` with a new directory, which is removed afterwards.
func withDirectory<T>(_ use: (String) throws -> T) throws -> T {
    let directory = FileManager.default.temporaryDirectory.path + "/standard-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    return try use(directory)
}
