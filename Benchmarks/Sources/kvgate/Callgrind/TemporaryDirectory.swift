import BenchmarkGate
import Foundation

/// A directory for the files of a run. All paths have the same length, since a longer path can cost
/// more instructions.
struct TemporaryDirectory {
    let path: String

    /// - Parameter isInMemory: whether to use a file system in memory, if the machine has one;
    ///   programs may not be executable there.
    init(inMemory isInMemory: Bool) throws {
        let memory = "/dev/shm"
        let parent =
            isInMemory && FileManager.default.isWritableFile(atPath: memory)
            ? memory : FileManager.default.temporaryDirectory.path
        path = "\(parent)/kvgate-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        } catch {
            throw GateError("\(path) cannot be created: \(error.localizedDescription)")
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
