internal import StorePlatform

extension FileSystem {
    /// `EEXIST`
    package static var alreadyExists: Int { Int(EEXIST) }

    /// Moves a file or directory; what is at the target stays, but for an empty directory. `rename`
    package static func move(_ source: String, to target: String) throws {
        guard entry(target) == .nothing else { throw exists(target) }
        guard rename(source, target) == 0 else {
            let code = errno
            if code == EEXIST || code == ENOTEMPTY || code == ENOTDIR { throw exists(target) }
            errno = code
            throw failure("\(source) cannot be renamed to \(target)")
        }
    }

    /// The error of a target that is there already.
    package static func exists(_ path: String) -> StoreError {
        StoreError(
            domain: .posix, code: alreadyExists,
            "\(path) exists already; choose another place, or delete it first")
    }

    /// Makes a directory, and throws the error of the system if that fails. `mkdir`
    ///
    /// - Parameter shown: the path that the error names: that of the directory if it is nil.
    package static func requireNewDirectory(
        _ path: String, _ permissions: FilePermissions = .anyDirectory, shown: String? = nil
    ) throws {
        guard createDirectory(path, permissions) else {
            throw failure("the directory \(shown ?? path) cannot be made")
        }
    }

    /// Waits until a directory's entries are on the disk: those that were made, moved or removed.
    /// `fsync`
    package static func syncDirectory(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("\(path) cannot be opened") }
        defer { close(descriptor) }
        // Some file systems do not know how to sync a directory, and need not.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw failure("\(path) cannot be synced")
        }
    }

    /// Copies a file, synced; a link is an error. `open`
    package static func copyFile(_ source: String, to target: String) throws {
        try copyFile(source, in: AT_FDCWD, source, to: target)
    }

    /// Copies the file of a name in an open directory; `shown` is its path. `openat`
    ///
    /// Nothing is left at the target if it fails.
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
        guard output >= 0 else { throw failure("\(target) cannot be made") }
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

    /// Writes all bytes. `write`
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
