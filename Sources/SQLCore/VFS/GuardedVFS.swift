import CSQLite
internal import StorePlatform

/// VFSs that hand everything on to another one, but for files that `FileGuard` refuses.
///
/// The files are those of the other VFS: a guard costs nothing but when a file is opened or
/// deleted.
enum GuardedVFS {
    private typealias VFS = UnsafeMutablePointer<sqlite3_vfs>

    private struct Guards {
        /// Those that were made, by what they stand over.
        var byBase: [VFS: VFS] = [:]
        /// All that are guarded: these, and those of `SQLVFS`.
        var guarded: Set<VFS> = []
    }

    private static let guards = Locked(Guards())

    /// The name that a connection asks for which asks for `name`, or for the default VFS.
    static func name(for name: String?) -> String? {
        guard let found = sqlite3_vfs_find(name) else { return name }
        return over(found).pointee.zName.map { String(cString: $0) } ?? name
    }

    /// A VFS with a guard before it; itself if it has one.
    static func over(
        _ base: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        guards.withLock { guards in
            if guards.guarded.contains(base) { return base }
            if let made = guards.byBase[base] { return made }
            let name = "guarded-\(base.pointee.zName.map { String(cString: $0) } ?? "")"
            let made = makeVFS(name: name, over: base)
            made.pointee.szOsFile = base.pointee.szOsFile
            addGuard(to: made)
            // For those who ask for a VFS again by its name, as VACUUM does.
            sqlite3_vfs_register(made, 0)
            guards.byBase[base] = made
            guards.guarded.insert(made)
            return made
        }
    }

    /// The VFS that a guard stands before; any other one itself.
    static func unguarded(
        _ vfs: UnsafeMutablePointer<sqlite3_vfs>
    ) -> UnsafeMutablePointer<sqlite3_vfs> {
        guards.withLock { guards in guards.byBase.first { $0.value == vfs }?.key ?? vfs }
    }

    /// Notes one whose files come from a guarded VFS.
    static func add(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
        guards.withLock { _ = $0.guarded.insert(vfs) }
    }

    /// Forgets one that is freed.
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
