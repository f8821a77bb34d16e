#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif
internal import Synchronization

extension System {
    /// What others than the owner may do with files that are made of what a command reads; those
    /// who may not read a database may not read an export of it either.
    private static let permissionsOfOthers = Mutex<mode_t>(0o077)

    /// Lets new files be read only by those who may read a database: its folder and the file in it.
    /// `stat`
    static func restrictNewFiles(to folder: String) {
        var (outer, inner) = (stat(), stat())
        guard stat(folder, &outer) == 0, stat("\(folder)/db.sqlite3", &inner) == 0 else { return }
        // Who may not search the folder reads nothing in it.
        let readers = inner.st_mode & 0o044 & (outer.st_mode & 0o011) << 2
        permissionsOfOthers.withLock { $0 &= readers | readers >> 1 | readers >> 2 }
    }

    /// Lets new files be read only by those who may read a file that this process reads. `stat`
    static func restrictNewFiles(toFile path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let readers = status.st_mode & 0o044
        permissionsOfOthers.withLock { $0 &= readers | readers >> 1 | readers >> 2 }
    }

    /// The permissions of a new file or folder, of which the process's mask takes away more.
    static func permissions(_ all: mode_t) -> mode_t {
        all & (0o700 | permissionsOfOthers.withLock { $0 })
    }

    /// Runs `body`, and lets what it makes be read by no more than those. `umask`
    static func restrictingNewFiles<T>(_ body: () throws -> T) rethrows -> T {
        let before = umask(0o077)
        _ = umask(before | ~permissions(0o777) & 0o077)
        defer { _ = umask(before) }
        return try body()
    }
}
