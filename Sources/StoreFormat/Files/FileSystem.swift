internal import StorePlatform

/// The system calls that the engine makes itself.
package enum FileSystem {
    /// The kind of file at a path.
    package enum Kind {
        case nothing, file, directory, other
    }

    /// The kind of file at `path`, following symbolic links. `stat`
    package static func kind(_ path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
    }

    /// The size of a file in bytes; 0 if it does not exist. `stat`
    package static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Identifies a file independently of its path: device and inode.
    package struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// The identity of the file at `path`, following symbolic links; nil if it does not exist.
    /// `stat`
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Whether this process may read a file or list a directory. `access`
    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether this process may list a directory and open its entries. `access`
    package static func isSearchable(_ directory: String) -> Bool {
        access(directory, R_OK | X_OK) == 0
    }

    /// Whether this process may write a file, or create files in a directory. `access`
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Whether this process's user owns the file or is root. `geteuid`
    package static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return geteuid() == 0 || stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// The path with symbolic links resolved; the path itself if nothing exists there. `realpath`
    package static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates a directory; false if that failed, for example because the path exists. `mkdir`
    package static func createDirectory(
        _ path: String, _ permissions: FilePermissions = .anyDirectory
    ) -> Bool { mkdir(path, permissions.bits) == 0 }

    /// Removes a directory if it is empty. `rmdir`
    package static func removeEmptyDirectory(_ path: String) { _ = rmdir(path) }

    /// Whether a directory has no entries. `readdir`
    package static func isEmptyDirectory(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            // An entry may be shorter than its type: only read the bytes of the name.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { return false }
        }
        return true
    }

    /// The working directory with a trailing slash; empty if it no longer exists. `getcwd`
    package static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path) + "/"
    }

    /// The message of `errno` for the system call that has just failed. `strerror`
    package static var lastError: String { String(cString: strerror(errno)) }
}

/// Metadata of a file, read without opening it.
package struct FileStatus {
    package let entry: FileSystem.Entry
    /// In bytes.
    package let size: Int
    /// When it was last modified, in milliseconds since 1970.
    package let modified: Int64

    init(_ status: stat) {
        entry = FileSystem.entry(status)
        size = Int(status.st_size)
        let time = status.modification
        let (milliseconds, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1000)
        modified =
            isTooLarge
            ? (time.tv_sec < 0 ? .min : .max)
            : milliseconds.addingSaturated(Int64(time.tv_nsec) / 1_000_000)
    }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}

/// The permission bits of a file or directory: the nine bits of `chmod`.
package struct FilePermissions: Sendable {
    let bits: mode_t

    init(bits: mode_t) { self.bits = bits & 0o777 }

    init(_ status: stat) { self.init(bits: status.st_mode) }

    /// The permissions of the file at `path`, following symbolic links; nil if it does not exist.
    /// `stat`
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Full access to a directory for all users, less the process's umask.
    package static let anyDirectory = FilePermissions(bits: 0o777)
    /// Read and write access to a file for all users, less the process's umask.
    package static let anyFile = FilePermissions(bits: 0o666)

    /// Full access to a directory for its owner alone.
    package static let ownersDirectory = FilePermissions(bits: 0o700)
    /// Read and write access to a file for its owner alone.
    package static let ownersFile = FilePermissions(bits: 0o600)

    /// The same, with all rights for the owner, who has to fill the directory.
    package var forNewDirectory: FilePermissions { FilePermissions(bits: bits | 0o700) }
    /// The same, with write access for the owner, who has to fill the file.
    package var forNewFile: FilePermissions { FilePermissions(bits: bits & 0o666 | 0o600) }
}
