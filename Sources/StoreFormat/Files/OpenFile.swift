internal import StorePlatform

/// A file that is open, and closed when this goes.
package final class OpenFile: Sendable {
    /// For messages.
    package let path: String
    private let descriptor: Int32

    /// Takes over an open descriptor.
    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a file to be read, symbolic links followed; nothing is waited for. `open`
    ///
    /// Throws the error of the system, or `.invalidParameter` for what is not a file.
    package convenience init(reading path: String) throws {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.failure("\(path) cannot be read") }
        self.init(descriptor, path: path)
        guard try status().entry == .file else {
            throw StoreError(.invalidParameter, "\(path) is no file; give one")
        }
    }

    /// What is known of it. `fstat`
    package func status() throws -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileSystem.failure("\(path) cannot be read")
        }
        return FileStatus(status)
    }

    /// Reads into a buffer until it is full or the file is at its end; returns how many bytes.
    /// `pread`
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

    /// Writes after what was written before. `write`
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try FileSystem.write(bytes, descriptor, path)
    }

    /// Lets nobody write it any more; who may read it can go on doing so. `fchmod`
    package func makeReadOnly() throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0, fchmod(descriptor, status.st_mode & 0o444) == 0
        else { throw FileSystem.failure("\(path) cannot be made read-only") }
    }

    /// Gives it the owner, if this process may, and the permissions of another one. `fchmod`
    package func takePermissions(of other: OpenFile) throws {
        var status = stat()
        guard fstat(other.descriptor, &status) == 0 else {
            throw FileSystem.failure("\(other.path) cannot be read")
        }
        // Only root may give a file away; for others it is their own already.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        guard fchmod(descriptor, status.st_mode & 0o777) == 0 else {
            throw FileSystem.failure("the permissions of \(path) cannot be set")
        }
    }

    /// Makes it one that was changed just now; false if this process may not. `futimens`
    package func touch() -> Bool { futimens(descriptor, nil) == 0 }

    /// Waits until its bytes are on the disk. `fsync`; on Apple's systems `F_FULLFSYNC`
    package func sync() throws {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) == 0 else { throw FileSystem.failure("\(path) cannot be synced") }
    }

    /// Locks it for this object, without waiting. `flock`
    package func lock(_ lock: FileLock) throws -> FileLock.Outcome {
        try lock.take(descriptor, path, waits: false)
    }
}
