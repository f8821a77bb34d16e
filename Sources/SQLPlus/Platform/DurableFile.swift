internal import SQLCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The few calls of the system with which a file takes another one's place.
enum DurableFile {
    /// Removes a file, if there is one. `unlink`
    static func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    /// Puts a file in the place of another one, which it replaces at one moment, also if the power
    /// fails. No connection may have the file open. `fsync`, `rename`
    static func replace(_ path: String, with draft: String) throws {
        try copyPermissions(from: path, to: draft)
        try sync(draft)
        guard rename(draft, path) == 0 else { throw failure(path) }
        try sync(folder(of: path))
    }

    private static func copyPermissions(from path: String, to draft: String) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path) }
        guard chmod(draft, status.st_mode & 0o7777) == 0 else { throw failure(draft) }
        // Only the owner and root may; for others it is their own file already.
        _ = chown(draft, status.st_uid, status.st_gid)
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func sync(_ path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failure(path) }
        defer { _ = close(file) }
        #if canImport(Darwin)
            guard fcntl(file, F_FULLFSYNC) == 0 || fsync(file) == 0 else { throw failure(path) }
        #else
            guard fsync(file) == 0 else { throw failure(path) }
        #endif
    }

    private static func failure(_ path: String) -> SQLError {
        SQLError(code: .inputOutput, message: "\(path): \(String(cString: strerror(errno)))")
    }
}
