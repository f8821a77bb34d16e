import Foundation

/// The files of a database, as they lie in its directory.
enum DatabaseFile {
    static let main = "/db.sqlite3"
    static let wal = main + "-wal"

    /// The bytes of all files in the directory of a database, and below, but those that a closed one
    /// does not have.
    static func size(_ directory: String) -> Int {
        ProcessMemory.sizeOfDirectory(directory) - ProcessMemory.size(of: directory + wal)
            - ProcessMemory.size(of: directory + main + "-shm")
    }

    /// Writes what the system holds back to the disk, and has it forget what it has read, where
    /// the system can do that.
    static func dropFromCache(_ directory: String) throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let descriptor = open("\(directory)/\(file)", O_RDONLY)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else {
                throw BenchmarkError(
                    message: "\(directory)/\(file) cannot be written to the disk; is there room?")
            }
            #if os(Linux)
                posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            #endif
        }
    }
}
