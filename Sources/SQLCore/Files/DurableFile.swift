internal import StorePlatform

/// Creates, removes and atomically replaces files with system calls.
package enum DurableFile {
    /// Removes a file, if it exists. `unlink`
    package static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    /// Resolves the symbolic links of a path; returns the path unchanged if links are not followed.
    /// `realpath`
    ///
    /// Throws if the file has other hard links, through which it would remain unchanged.
    package static func sole(_ path: String, followsLinks: Bool) throws -> String {
        let file = try followsLinks ? target(of: path) : path
        var status = stat()
        guard lstat(file, &status) == 0 else { throw failure(path) }
        guard status.st_nlink <= 1 else {
            throw SQLError(
                code: .cannotOpen,
                message: "\(path) has \(status.st_nlink) names (hard links), and would remain "
                    + "unchanged under the others; remove those, or copy the file")
        }
        return file
    }

    private static func target(of path: String) throws -> String {
        guard let target = realpath(path, nil) else { throw failure(path, .cannotOpen) }
        defer { free(target) }
        return String(cString: target)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates an empty file that only its owner can read. `O_EXCL`
    package static func createPrivate(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path) }
        _ = close(file)
    }

    /// Creates an empty file with the read and write permissions of another one, if it does not
    /// exist yet; false if it was not created. The reason is reported when the file is written.
    /// `open`
    package static func createLike(_ model: String, _ path: String) -> Bool {
        var status = stat()
        guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:"),
            stat(model, &status) == 0
        else { return false }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = open(path, flags, status.st_mode & 0o666 | 0o600)
        if file >= 0 { _ = close(file) }
        return file >= 0
    }

    /// Removes a file if it is empty. `unlink`
    package static func removeIfEmpty(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size == 0 { _ = unlink(path) }
    }

    /// Replaces a file by another one, atomically and durably, even if the power fails. No
    /// connection may have the file open. `fsync`, `rename`
    ///
    /// - Parameter whenGone: Called if the replaced file has no other name, which then also holds
    ///   after a loss of power.
    ///
    /// Throws `EncryptionError.converted` if the file is replaced but the directory could not be
    /// synced; after any other error the file is unchanged.
    package static func replace(
        _ path: String, with draft: String, whenGone: () -> Void
    ) throws {
        // Opened first: after the file is replaced, nothing but the sync may fail.
        let directory = try descriptor(directory(of: path))
        defer { _ = close(directory) }
        try copyPermissions(from: path, to: draft)
        try sync(draft)
        // By its path, since opening and closing the file would release SQLite's locks on it.
        var old = stat()
        let isKnown = stat(path, &old) == 0
        guard rename(draft, path) == 0 else { throw failure(path) }
        // Some file systems cannot sync a directory, and do not need to.
        guard fsync(directory) == 0 else {
            if errno == EINVAL || errno == ENOTSUP { return }
            throw EncryptionError.unsynced(failure(path))
        }
        if isKnown, old.st_nlink <= 1 { whenGone() }
    }

    private static func copyPermissions(from path: String, to draft: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        // Only the owner and root may do so; for others the file is their own already.
        _ = chown(draft, status.st_uid, status.st_gid)
        guard chmod(draft, status.st_mode & 0o7777) == 0 else { throw failure(draft) }
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func descriptor(_ path: String) throws -> Int32 {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        return file
    }

    private static func sync(_ path: String) throws {
        let file = try descriptor(path)
        defer { _ = close(file) }
        guard syncToDisk(file) else { throw failure(path) }
    }

    private static func failure(
        _ path: String, _ code: SQLResultCode = .inputOutput
    ) -> SQLError {
        let reason = String(cString: strerror(errno))
        return SQLError(code: code, message: "\(path): \(reason)")
    }
}
