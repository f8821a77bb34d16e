internal import StorePlatform

/// An open directory, closed on deinitialization.
///
/// All operations use its descriptor and never follow a symbolic link, so that no component of a
/// path can be swapped for a link.
package final class OpenDirectory: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Opens a directory; nil if nothing exists at `path`. `open`
    ///
    /// Throws `.unsupported` if it is not a directory, or the system's error.
    package init?(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { return }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR, EMLINK:
            throw StoreError(
                .unsupported, "\(path) is a link or file, not a directory; put the directory there")
        default: throw FileSystem.failure("\(path) cannot be opened")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Identifies the directory independently of its path; nil if that fails. `fstat`
    package var identity: FileSystem.Identity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileSystem.Identity(status) : nil
    }

    /// Locks the directory on behalf of this object. `flock`
    package func lock(_ lock: FileLock, waits: Bool) throws -> FileLock.Outcome {
        try lock.take(descriptor, path, waits: waits)
    }

    /// Releases the lock before the directory is closed. `flock`
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Creates a file; one that exists is an error. `openat`
    package func make(
        _ name: String, _ permissions: FilePermissions = .anyFile
    ) throws -> OpenFile {
        let path = "\(path)/\(name)"
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, name, flags, permissions.bits)
        guard file >= 0 else { throw FileSystem.failure("\(path) cannot be created") }
        return OpenFile(file, path: path)
    }

    /// Opens a file for reading; nil if it does not exist. `openat`
    ///
    /// Throws `.unsupported` for a link or device, or the system's error.
    package func file(_ name: String) throws -> OpenFile? {
        let path = "\(path)/\(name)"
        let descriptor = openat(
            descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            let error = FileSystem.failure("\(path) cannot be read")
            throw status(name)?.entry == .file ? error : Self.noFile(path)
        }
        let file = OpenFile(descriptor, path: path)
        guard try file.status().entry == .file else { throw Self.noFile(path) }
        return file
    }

    private static func noFile(_ path: String) -> StoreError {
        StoreError(
            .unsupported,
            "\(path) is a link, directory or device, which is not read; put a file there"
        )
    }

    /// The metadata of an entry; nil if it does not exist. `fstatat`
    package func status(_ name: String) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    /// Renames a file, replacing any file of the new name. `renameat`
    package func rename(_ name: String, to newName: String) throws {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw FileSystem.failure("\(path)/\(name) cannot be renamed to \(newName)")
        }
    }

    /// Removes a file; one that does not exist is not an error. `unlinkat`
    package func remove(_ name: String) throws {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw FileSystem.failure("\(path)/\(name) cannot be removed")
        }
    }

    /// Waits until the directory's entries are on disk. `fsync`
    package func sync() throws {
        // Some file systems do not support syncing a directory, and do not need it.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw FileSystem.failure("\(path) cannot be synced")
        }
    }

    /// The names of its entries, in no particular order. `readdir`
    package func names() throws -> [String] {
        var names: [String] = []
        try forEachName { names.append($0) }
        return names
    }

    /// Calls `body` with the name of each entry. `readdir`
    package func forEachName(_ body: (String) throws -> Void) throws {
        // A separate descriptor, since a descriptor has one position in the listing.
        let list = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard list >= 0 else { throw FileSystem.failure("\(path) cannot be listed") }
        try FileSystem.withEntries(of: list, path) { name, _ in try body(name) }
    }
}

/// A lock on an open file or directory, released when it is closed or the process ends. `flock`
///
/// The lock is advisory: it only affects callers that request it, too.
package enum FileLock {
    case shared, exclusive

    package enum Outcome {
        case locked
        /// Another process or object holds a conflicting lock.
        case busy
        /// The file system does not support locks.
        case impossible
    }

    func take(
        _ descriptor: Int32, _ path: String, waits: Bool
    ) throws -> Outcome {
        let operation = (self == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        while flock(descriptor, operation) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .busy
            case ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL, ENOSYS: return .impossible
            default: throw FileSystem.failure("\(path) cannot be locked")
            }
        }
        return .locked
    }
}
