import CSQLite

/// A `sqlite3_vfs` that calls the Swift object in its `pAppData`, and forwards the other calls to
/// `base`.
private struct VFSRecord {
    var vfs: sqlite3_vfs
    let base: UnsafeMutablePointer<sqlite3_vfs>
}

/// Creates the struct that is registered with SQLite; the struct owns its name.
func makeVFS(
    name: String, over base: UnsafeMutablePointer<sqlite3_vfs>
) -> UnsafeMutablePointer<sqlite3_vfs> {
    let record = UnsafeMutablePointer<VFSRecord>.allocate(capacity: 1)
    record.initialize(to: VFSRecord(vfs: sqlite3_vfs(), base: base))
    let vfs = UnsafeMutableRawPointer(record).assumingMemoryBound(to: sqlite3_vfs.self)
    // Version 3 adds the replacement of system calls, which belong to the base.
    vfs.pointee.iVersion = min(base.pointee.iVersion, 2)
    vfs.pointee.szOsFile = Int32(SQLFileRecord.size) + base.pointee.szOsFile
    vfs.pointee.mxPathname = base.pointee.mxPathname
    vfs.pointee.zName = copy(of: name)
    addFiles(to: vfs)
    addSystem(to: vfs)
    addLibraries(to: vfs)
    return vfs
}

/// Frees a struct that is no longer registered.
func freeVFS(_ vfs: UnsafeMutablePointer<sqlite3_vfs>) {
    vfs.pointee.zName.deallocate()
    UnsafeMutableRawPointer(vfs).assumingMemoryBound(to: VFSRecord.self).deallocate()
}

private func copy(of name: String) -> UnsafePointer<CChar> {
    let bytes = Array(name.utf8CString)
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    memory.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(memory)
}

/// The VFS to which one of this library forwards.
func baseVFS(
    of vfs: UnsafeMutablePointer<sqlite3_vfs>?
) -> UnsafeMutablePointer<sqlite3_vfs>? {
    UnsafeMutableRawPointer(vfs)?.assumingMemoryBound(to: VFSRecord.self).pointee.base
}

private func object(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> SQLVFS? {
    guard let data = vfs?.pointee.pAppData else { return nil }
    return Unmanaged<SQLVFS>.fromOpaque(data).takeUnretainedValue()
}

private func addFiles(to vfs: UnsafeMutablePointer<sqlite3_vfs>) {
    vfs.pointee.xOpen = { vfs, name, file, flags, granted in
        guard let file, let object = object(of: vfs) else { return SQLITE_CANTOPEN }
        return object.open(name, file, flags, granted)
    }
    vfs.pointee.xDelete = { vfs, path, syncDirectory in
        guard let path, let object = object(of: vfs) else { return SQLITE_IOERR }
        return object.delete(path: path, syncDirectory: syncDirectory).rawValue
    }
    vfs.pointee.xAccess = { vfs, path, flags, result in
        guard let path, let result, let object = object(of: vfs) else { return SQLITE_IOERR }
        return object.access(path: path, flags: flags, &result.pointee).rawValue
    }
    vfs.pointee.xFullPathname = { vfs, path, count, result in
        guard let base = baseVFS(of: vfs) else { return SQLITE_CANTOPEN }
        return base.pointee.xFullPathname(base, path, count, result)
    }
}

private func addSystem(to vfs: UnsafeMutablePointer<sqlite3_vfs>) {
    vfs.pointee.xRandomness = { vfs, count, bytes in
        guard let base = baseVFS(of: vfs) else { return 0 }
        return base.pointee.xRandomness(base, count, bytes)
    }
    vfs.pointee.xSleep = { vfs, microseconds in
        guard let base = baseVFS(of: vfs) else { return 0 }
        return base.pointee.xSleep(base, microseconds)
    }
    vfs.pointee.xCurrentTime = { vfs, result in
        guard let base = baseVFS(of: vfs) else { return SQLITE_ERROR }
        return base.pointee.xCurrentTime(base, result)
    }
    vfs.pointee.xGetLastError = { vfs, count, text in
        guard let base = baseVFS(of: vfs) else { return 0 }
        return base.pointee.xGetLastError?(base, count, text) ?? 0
    }
    guard baseVFS(of: vfs)?.pointee.xCurrentTimeInt64 != nil else { return }
    vfs.pointee.xCurrentTimeInt64 = { vfs, result in
        guard let base = baseVFS(of: vfs) else { return SQLITE_ERROR }
        return base.pointee.xCurrentTimeInt64(base, result)
    }
}

private func addLibraries(to vfs: UnsafeMutablePointer<sqlite3_vfs>) {
    guard baseVFS(of: vfs)?.pointee.xDlOpen != nil else { return }
    vfs.pointee.xDlOpen = { vfs, path in
        guard let base = baseVFS(of: vfs) else { return nil }
        return base.pointee.xDlOpen(base, path)
    }
    vfs.pointee.xDlError = { vfs, count, text in
        guard let base = baseVFS(of: vfs) else { return }
        base.pointee.xDlError(base, count, text)
    }
    vfs.pointee.xDlSym = { vfs, library, name in
        guard let base = baseVFS(of: vfs) else { return nil }
        return base.pointee.xDlSym(base, library, name)
    }
    vfs.pointee.xDlClose = { vfs, library in
        guard let base = baseVFS(of: vfs) else { return }
        base.pointee.xDlClose(base, library)
    }
}
