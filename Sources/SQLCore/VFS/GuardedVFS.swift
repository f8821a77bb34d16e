import CSQLite
internal import StorePlatform

/// VFSs that forward all calls to another VFS, except for files that `FileGuard` refuses.
///
/// The files are those of the other VFS, so a guard has a cost only when a file is opened or
/// deleted.
enum GuardedVFS {
    private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

    private struct Guards {
        /// The guards by their base VFS.
        var byBase: [VFS: VFS] = [:]
        /// All guarded VFSs: these guards, and the VFSs of `SQLVFS`.
        var guarded: Set<VFS> = []
    }

    private static let guards = Locked(Guards())

    /// The name of the guarded VFS to open in place of `name`, or in place of the default VFS.
    static func name(for name: String?) -> String? {
        guard let base = sqlite3_vfs_find(name) else { return name }
        return over(base).pointee.zName.map { String(cString: $0) } ?? name
    }

    /// The guard of a VFS, created if needed; the VFS itself if it is guarded.
    static func over(
        _ base: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        guards.withLock { guards in
            if guards.guarded.contains(base) { return base }
            if let existing = guards.byBase[base] { return existing }
            let name = "guarded-\(base.pointee.zName.map { String(cString: $0) } ?? "")"
            let vfs = makeVFS(name: name, over: base)
            vfs.pointee.szOsFile = base.pointee.szOsFile
            addGuard(to: vfs)
            // SQLite looks the VFS up again by its name, for example for VACUUM.
            sqlite3_vfs_register(vfs, 0)
            guards.byBase[base] = vfs
            guards.guarded.insert(vfs)
            return vfs
        }
    }

    /// The base VFS of a guard; any other VFS is returned unchanged.
    static func unguarded(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        guards.withLock { guards in guards.byBase.first { $0.value == vfs }?.key ?? vfs }
    }

    /// Adds a VFS whose files come from a guarded VFS.
    static func add(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        guards.withLock { _ = $0.guarded.insert(vfs) }
    }

    /// Removes a VFS that is freed.
    static func remove(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        guards.withLock { _ = $0.guarded.remove(vfs) }
    }

    private static func addGuard(to vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        vfs.pointee.xOpen = { vfs, name, file, flags, granted in
            guard let base = baseVFS(of: vfs) else { return SQLITE_CANTOPEN }
            if let name, let code = FileGuard.refuseOpening(name, flags) {
                file?.pointee.pMethods = nil
                return code
            }
            return base.pointee.xOpen(base, name, file, flags, granted)
        }
        vfs.pointee.xDelete = { vfs, path, syncDirectory in
            guard let path, let base = baseVFS(of: vfs) else { return SQLITE_IOERR }
            return FileGuard.refuseDeleting(String(cString: path))
                ?? base.pointee.xDelete(base, path, syncDirectory)
        }
        vfs.pointee.xAccess = { vfs, path, flags, result in
            guard let base = baseVFS(of: vfs) else { return SQLITE_IOERR }
            return base.pointee.xAccess(base, path, flags, result)
        }
    }
}
