package import StorePlatform

/// The few calls of the operating system that the engine makes itself.
package enum FileSystem {
    /// What stands at a path.
    package enum Kind {
        case nothing, file, directory, other
    }

    /// What stands at `path`, symbolic links followed. `stat`
    package static func kind(_ path: String) -> Kind {
        var status = stat()
        guard stat(path, &status) == 0 else { return .nothing }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .directory
        default: .other
        }
    }

    /// The size of a file in bytes, 0 if there is none. `stat`
    package static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// What tells a file from all others, whatever its path.
    package struct Identity: Hashable {
        private let device: UInt64
        private let number: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            number = UInt64(status.st_ino)
        }
    }

    /// The identity of the file at `path`, symbolic links followed; nil if there is none. `stat`
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }

    /// Whether this process may read a file, or list a directory. `access`
    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whether this process may look into a directory and open what is in it. `access`
    package static func isSearchable(_ directory: String) -> Bool { access(directory, R_OK | X_OK) == 0 }

    /// Whether this process may write a file, or make files in a directory. `access`
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Whether a file belongs to the user of this process, or that user is root. `geteuid`
    package static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return geteuid() == 0 || stat(path, &status) == 0 && status.st_uid == geteuid()
    }

    /// The path without symbolic links, itself if there is nothing. `realpath`
    package static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Makes a directory; false if that failed, as when something is there already. `mkdir`
    package static func createDirectory(
        _ path: String, _ permissions: FilePermissions = .anyDirectory
    ) -> Bool { mkdir(path, permissions.bits) == 0 }

    /// Removes an empty directory, if it is one. `rmdir`
    package static func removeEmptyDirectory(_ path: String) { _ = rmdir(path) }

    /// Whether a directory has no entries. `readdir`
    package static func isEmptyDirectory(_ path: String) -> Bool {
        guard let directory = opendir(path) else { return false }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            // An entry may be shorter than its type: only the bytes of the name are looked at.
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = UnsafeRawPointer(entry) + offset
            let name = String(cString: start.assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { return false }
        }
        return true
    }

    /// The working directory with a slash at its end, nothing if it is gone. `getcwd`
    package static var currentDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path) + "/"
    }

    /// What `errno` says about the call that has just failed. `strerror`
    package static var lastError: String { String(cString: strerror(errno)) }
}

/// What is known of a file without opening it.
package struct FileStatus {
    package let entry: FileSystem.Entry
    /// In bytes.
    package let size: Int
    /// When it was changed last, in milliseconds since 1970.
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

/// Who may read and write a file or directory: the nine bits of `chmod`.
package struct FilePermissions: Sendable {
    let bits: mode_t

    package init(bits: mode_t) { self.bits = bits & 0o777 }

    init(_ status: stat) { self.init(bits: status.st_mode) }

    /// Those of the file or directory at a path, links followed; nil if there is none. `stat`
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// A directory for everybody whom the process's mask does not exclude.
    package static let anyDirectory = FilePermissions(bits: 0o777)
    /// A file for everybody whom the process's mask does not exclude.
    package static let anyFile = FilePermissions(bits: 0o666)

    /// These, for a directory that is to be filled by its owner.
    package var forNewDirectory: FilePermissions { FilePermissions(bits: bits | 0o700) }
    /// These, for a file that is to be written by its owner.
    package var forNewFile: FilePermissions { FilePermissions(bits: bits & 0o666 | 0o600) }
}
