internal import StorePlatform

/// An open file, closed on deinitialization.
package final class OpenFile: Sendable {
    /// The path for messages.
    package let path: String
    private let descriptor: Int32

    /// Takes ownership of an open descriptor.
    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a file for reading, following symbolic links, without blocking. `open`
    ///
    /// Throws the system's error, or `.invalidParameter` if it is not a regular file.
    package convenience init(reading path: String) throws {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.failure("\(path) cannot be read") }
        self.init(descriptor, path: path)
        guard try status().entry == .file else {
            throw StoreError(.invalidParameter, "\(path) is not a file; specify a file")
        }
    }

    /// Opens a file to lock it, and creates it, empty, if it does not exist. `open`
    package convenience init(locking path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileSystem.failure("\(path) cannot be opened") }
        self.init(descriptor, path: path)
    }

    /// Its metadata. `fstat`
    package func status() throws -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileSystem.failure("\(path) cannot be read")
        }
        return FileStatus(status)
    }

    /// Fills a buffer, or reads to the end of the file; returns how many bytes were read. `pread`
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let part = pread(
                descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled,
                off_t(clamping: offset) + off_t(filled))
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw FileSystem.failure("\(path) cannot be read") }
            if part == 0 { break }
            filled += part
        }
        return filled
    }

    /// Appends to the bytes written before. `write`
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try FileSystem.write(bytes, descriptor, path)
    }

    /// Removes write permission for all users; read permissions stay. `fchmod`
    package func makeReadOnly() throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(descriptor, status.st_mode & 0o444) == 0
        else { throw FileSystem.failure("\(path) cannot be made read-only") }
    }

    /// Copies the owner, if this process may, and the permissions of another file. `fchmod`
    package func takePermissions(of other: OpenFile) throws {
        var status = stat()
        guard fstat(other.descriptor, &status) == 0 else {
            throw FileSystem.failure("\(other.path) cannot be read")
        }
        // Only root may change a file's owner; for other users the owner is the same already.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        guard fchmod(descriptor, status.st_mode & 0o777) == 0 else {
            throw FileSystem.failure("the permissions of \(path) cannot be set")
        }
    }

    /// Sets its modification time to now; false if this process may not. `futimens`
    package func touch() -> Bool { futimens(descriptor, nil) == 0 }

    /// Waits until its bytes are on disk. `fsync`; on Apple platforms `F_FULLFSYNC`
    package func sync() throws {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw FileSystem.failure("\(path) cannot be synced") }
    }

    /// Locks it on behalf of this object, without waiting. `flock`
    package func lock(_ lock: FileLock) throws -> FileLock.Outcome {
        try lock.take(descriptor, path, waits: false)
    }

    /// Ends its lock. Closing it does, too, unless another thread starts a program at that time,
    /// which has the file open until it runs. `flock`
    package func unlock() { _ = flock(descriptor, LOCK_UN) }
}
