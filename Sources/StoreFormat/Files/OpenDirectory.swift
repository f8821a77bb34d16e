internal import StorePlatform

/// A directory that is open, and closed when this goes.
///
/// What is done in it goes by its descriptor and never through a symbolic link, so that no part of
/// the way to a file can be swapped for one.
package final class OpenDirectory: Sendable {
    package let path: String
    private let descriptor: Int32

    /// Nil if there is nothing at `path`. `open`
    ///
    /// Throws `.unsupported` for what is not a directory, or the error of the system.
    package init?(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if descriptor >= 0 { return }
        switch errno {
        case ENOENT: return nil
        case ELOOP, ENOTDIR, EMLINK:
            throw StoreError(
                .unsupported, "\(path) is no directory but a link or file; put the directory there")
        default: throw FileSystem.failure("\(path) cannot be opened")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What tells it from all others; nil if the system does not say. `fstat`
    package var identity: FileSystem.Identity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileSystem.Identity(status) : nil
    }

    /// Locks it for this object. `flock`
    package func lock(_ lock: FileLock, waits: Bool) throws -> FileLock.Outcome {
        try lock.take(descriptor, path, waits: waits)
    }

    /// Gives the lock back before the directory is closed. `flock`
    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Makes a file that is not there yet. `openat`
    package func make(
        _ name: String, _ permissions: FilePermissions = .anyFile
    ) throws -> OpenFile {
        let path = "\(path)/\(name)"
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = openat(descriptor, name, flags, permissions.bits)
        guard file >= 0 else { throw FileSystem.failure("\(path) cannot be made") }
        return OpenFile(file, path: path)
    }

    /// Opens a file to be read; nil if there is none. `openat`
    ///
    /// Throws `.unsupported` for a link or device, or the error of the system.
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
            .unsupported, "\(path) is a link, directory or device, which is not read; put a file there"
        )
    }

    /// What is known of an entry; nil if there is none. `fstatat`
    package func status(_ name: String) -> FileStatus? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return FileStatus(status)
    }

    /// Gives a file another name, in the place of what has it. `renameat`
    package func rename(_ name: String, to newName: String) throws {
        guard renameat(descriptor, name, descriptor, newName) == 0 else {
            throw FileSystem.failure("\(path)/\(name) cannot be renamed to \(newName)")
        }
    }

    /// Removes a file; one that is gone already is no error. `unlinkat`
    package func remove(_ name: String) throws {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw FileSystem.failure("\(path)/\(name) cannot be removed")
        }
    }

    /// Waits until its entries are on the disk. `fsync`
    package func sync() throws {
        // Some file systems do not know how to sync a directory, and need not.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw FileSystem.failure("\(path) cannot be synced")
        }
    }

    /// The names of its entries, in no order. `readdir`
    package func names() throws -> [String] {
        var names: [String] = []
        try forEachName { names.append($0) }
        return names
    }

    /// Calls `body` with the name of each entry. `readdir`
    package func forEachName(_ body: (String) throws -> Void) throws {
        // Another one than ours, since it has a place of its own in the list.
        let list = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard list >= 0 else { throw FileSystem.failure("\(path) cannot be listed") }
        try FileSystem.withEntries(of: list, path) { name, _ in try body(name) }
    }
}

/// A lock on an open file or directory, which ends when that is closed, or its process. `flock`
///
/// It binds only those who ask for it.
package enum FileLock {
    case shared, exclusive

    package enum Outcome {
        case locked
        /// Somebody else has it.
        case busy
        /// The file system has no locks.
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
