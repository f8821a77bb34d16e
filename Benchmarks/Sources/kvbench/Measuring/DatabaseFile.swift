import Foundation

/// The files of a database in its directory.
enum DatabaseFile {
    static let main = "/db.sqlite3"
    static let wal = main + "-wal"

    /// The total bytes of all files in the directory of a database, and below, except for files
    /// that a closed database does not have.
    static func size(_ directory: String) -> Int {
        ProcessMemory.sizeOfDirectory(directory) - ProcessMemory.size(of: directory + wal)
            - ProcessMemory.size(of: directory + main + "-shm")
    }

    /// Writes the system's cache of all files in a directory, and below, to the disk: otherwise the
    /// first commit of a pass could have to wait for what was written before it.
    static func flush(_ directory: String) throws {
        let files = FileManager.default.enumerator(atPath: directory)
        while let file = files?.nextObject() as? String {
            let descriptor = open("\(directory)/\(file)", O_RDONLY)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else {
                throw BenchmarkError(
                    message: "\(directory)/\(file) cannot be written; check the free space")
            }
        }
    }

    /// Writes the system's cache of the files to the disk, and drops them from the cache if the
    /// system supports it.
    static func dropFromCache(_ directory: String) throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let descriptor = open("\(directory)/\(file)", O_RDONLY)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else {
                throw BenchmarkError(
                    message: "\(directory)/\(file) cannot be written; check the free space")
            }
            #if os(Linux)
                posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
            #endif
        }
    }
}
