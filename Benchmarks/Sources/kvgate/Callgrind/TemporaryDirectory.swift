import BenchmarkGate
import Foundation

/// A directory for the files of a run. The paths of all are of one length, since a longer path can
/// cost more instructions.
struct TemporaryDirectory {
    let path: String

    /// - Parameter isInMemory: on a file system in memory, if the machine has one; programs may not
    ///   be allowed to be run there.
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
            throw GateError("\(path) cannot be made: \(error.localizedDescription)")
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
