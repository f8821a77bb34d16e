internal import StorePlatform

/// The few calls of the system with which a file takes another one's place.
package enum DurableFile {
    /// Removes a file, if there is one. `unlink`
    package static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    /// The file that a path leads to, through links; the path itself if they are not followed.
    /// `realpath`
    ///
    /// Throws also if it has other names, under which it would stay as it is.
    package static func sole(_ path: String, followsLinks: Bool) throws -> String {
        let found = try followsLinks ? target(of: path) : path
        var status = stat()
        guard lstat(found, &status) == 0 else { throw failure(path) }
        guard status.st_nlink <= 1 else {
            throw SQLError(
                code: .cannotOpen,
                message: "\(path) has \(status.st_nlink) names (hard links), and would stay as it "
                    + "is under the others; remove those, or copy it")
        }
        return found
    }

    private static func target(of path: String) throws -> String {
        guard let found = realpath(path, nil) else { throw failure(path, .cannotOpen) }
        defer { free(found) }
        return String(cString: found)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Makes an empty file that only its owner can read. `O_EXCL`
    package static func makePrivate(_ path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure(path) }
        _ = close(file)
    }

    /// Makes an empty file that those may read and write who may do so with another one, if there
    /// is none yet; false if it made none. What keeps it from being made is told by who writes to
    /// it. `open`
    package static func makeLike(_ model: String, _ path: String) -> Bool {
        var status = stat()
        guard !path.isEmpty, path != ":memory:", !path.hasPrefix("file:"),
            stat(model, &status) == 0
        else { return false }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = open(path, flags, status.st_mode & 0o666 | 0o600)
        if file >= 0 { _ = close(file) }
        return file >= 0
    }

    /// Removes a file in which nothing stands. `unlink`
    package static func removeIfEmpty(_ path: String) {
        var status = stat()
        if lstat(path, &status) == 0, status.st_size == 0 { _ = unlink(path) }
    }

    /// Puts a file in the place of another one, which it replaces at one moment, also if the power
    /// fails. No connection may have the file open. `fsync`, `rename`
    ///
    /// - Parameter whenGone: called if the replaced file has no name any more, also after a loss of
    ///   power.
    ///
    /// Throws `EncryptionError.converted` if the file is replaced, and only that this lasts is not
    /// known; for any other error it is as it was.
    package static func replace(
        _ path: String, with draft: String, whenGone: () -> Void
    ) throws {
        // Opened before: once the file is replaced nothing may fail but waiting.
        let directory = try descriptor(directory(of: path))
        defer { _ = close(directory) }
        try copyPermissions(from: path, to: draft)
        try sync(draft)
        // By its path alone: opening and closing the file would drop SQLite's locks on it.
        var old = stat()
        let isKnown = stat(path, &old) == 0
        guard rename(draft, path) == 0 else { throw failure(path) }
        // Some file systems do not know how to sync a directory, and need not.
        guard fsync(directory) == 0 else {
            if errno == EINVAL || errno == ENOTSUP { return }
            throw EncryptionError.unsynced(failure(path))
        }
        if isKnown, old.st_nlink <= 1 { whenGone() }
    }

    private static func copyPermissions(from path: String, to draft: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        // Only the owner and root may; for others it is their own file already.
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
