internal import StorePlatform

extension FileSystem {
    /// `EEXIST`
    package static var alreadyExists: Int { Int(EEXIST) }

    /// Renames a file or directory; an existing target is kept, unless it is an empty directory.
    /// `rename`
    package static func move(_ source: String, to target: String) throws {
        guard entry(target) == .nothing else { throw exists(target) }
        guard rename(source, target) == 0 else {
            let code = errno
            if code == EEXIST || code == ENOTEMPTY || code == ENOTDIR { throw exists(target) }
            errno = code
            throw failure("\(source) cannot be renamed to \(target)")
        }
    }

    /// The error for a target that already exists.
    package static func exists(_ path: String) -> StoreError {
        StoreError(
            domain: .posix, code: alreadyExists,
            "\(path) exists already; choose another path, or delete it first")
    }

    /// Creates a directory. `mkdir`
    ///
    /// Throws the system's error if that fails.
    ///
    /// - Parameter shown: the path for the error message; nil for the path of the directory.
    package static func requireNewDirectory(
        _ path: String, _ permissions: FilePermissions = .anyDirectory, shown: String? = nil
    ) throws {
        guard createDirectory(path, permissions) else {
            throw failure("the directory \(shown ?? path) cannot be created")
        }
    }

    /// Waits until the directory's entries are on disk, so that created, renamed and removed
    /// entries survive a power failure. `fsync`
    package static func syncDirectory(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) cannot be opened") }
        defer { close(descriptor) }
        // Some file systems do not support syncing a directory, and do not need it.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw failure("\(path) cannot be synced")
        }
    }

    /// Copies a file and syncs the copy; a symbolic link is an error. `open`
    package static func copyFile(_ source: String, to target: String) throws {
        try copyFile(source, in: AT_FDCWD, source, to: target)
    }

    /// Copies a file by name from an open directory; `shown` is its path for messages. `openat`
    ///
    /// If it fails, the target does not exist.
    static func copyFile(
        _ name: String, in directory: Int32, _ shown: String, to target: String
    ) throws {
        let input = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard input >= 0 else {
            if errno == ENOENT { return }
            throw failure("\(shown) cannot be read")
        }
        defer { close(input) }
        var status = stat()
        guard fstat(input, &status) == 0 else { throw failure("\(shown) cannot be read") }
        guard entry(status) == .file else {
            throw StoreError(.unsupported, "\(shown) is not a file, and is not copied")
        }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw failure("\(target) cannot be created") }
        defer { close(output) }
        do {
            try copyBytes(from: input, shown, to: output, target)
            guard fchmod(output, status.st_mode & 0o777) == 0, fsync(output) == 0 else {
                throw failure("\(target) cannot be written")
            }
        } catch {
            unlink(target)
            throw error
        }
    }

    private static func copyBytes(
        from input: Int32, _ source: String, to output: Int32, _ target: String
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                let count = read(input, buffer.baseAddress, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw failure("\(source) cannot be read") }
                if count == 0 { return }
                try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), output, target)
            }
        }
    }

    /// Writes all bytes, however many calls that takes. `write`
    static func write(
        _ bytes: UnsafeRawBufferPointer, _ output: Int32, _ shown: String
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            #if canImport(Glibc)
                let count = Glibc.write(output, part.baseAddress, part.count)
            #elseif canImport(Musl)
                let count = Musl.write(output, part.baseAddress, part.count)
            #else
                let count = Darwin.write(output, part.baseAddress, part.count)
            #endif
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("\(shown) cannot be written") }
            rest = rest.dropFirst(count)
        }
    }
}
