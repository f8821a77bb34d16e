internal import StorePlatform

/// The directory of SQLite's temporary files, which it uses for sorting and for VACUUM.
package enum SQLiteTemporaryDirectory {
    /// The disk of temporary files is full, not that of the database.
    struct Full: Error {}

    /// The directory, if it is on another disk than `path` and that disk has less free space.
    ///
    /// SQLite does not report which disk is full, and has removed its temporary files by then.
    package static func ifFuller(thanDiskOf path: String) -> String? {
        let directory = Self.path
        guard let temporary = space(directory), let own = space(path),
            temporary.device != own.device, temporary.free < own.free
        else { return nil }
        return directory
    }

    /// Chosen by SQLite's rules; this project does not set `sqlite3_temp_directory`.
    private static var path: String {
        let variables: [String] = ["SQLITE_TMPDIR", "TMPDIR"]
        let named = variables.compactMap { (name: String) -> String? in
            getenv(name).map { String(cString: $0) }
        }
        return (named + ["/var/tmp", "/usr/tmp", "/tmp"]).first(where: isUsable) ?? "."
    }

    private static func isUsable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && access(path, W_OK | X_OK) == 0
    }

    /// The device of the file at a path, and the number of free bytes on it. `statvfs`
    private static func space(_ path: String) -> (device: UInt64, free: UInt64)? {
        var (status, disk) = (stat(), statvfs())
        guard stat(path, &status) == 0, statvfs(path, &disk) == 0 else { return nil }
        let free = UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize))
        return (
            UInt64(truncatingIfNeeded: status.st_dev), free.overflow ? .max : free.partialValue
        )
    }
}
