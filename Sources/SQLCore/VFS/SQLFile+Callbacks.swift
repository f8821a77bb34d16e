import CSQLite

/// A file as SQLite sees it: its `sqlite3_file`, the Swift object, and directly after the record
/// the file of the base VFS.
struct SQLFileRecord {
    var header: sqlite3_file
    var object: Unmanaged<SQLFile>?

    /// The offset of the base's file, aligned like memory from malloc.
    static let size = (MemoryLayout<SQLFileRecord>.size + 15) & ~15
}

extension SQLFile {
    /// The methods of a file with shared memory.
    ///
    /// Version 2 has no `xFetch`: every page is read by `read`, none from mapped memory.
    nonisolated(unsafe) private static let methods = makeMethods(version: 2)
    /// The methods of a file without shared memory.
    nonisolated(unsafe) private static let methodsWithoutSharing = makeMethods(version: 1)

    /// Whether a file was opened by a `SQLVFS`.
    static func isOwn(_ file: UnsafeMutablePointer<sqlite3_file>) -> Bool {
        let current = file.pointee.pMethods
        return current == UnsafePointer(methods) || current == UnsafePointer(methodsWithoutSharing)
    }

    /// The Swift object of a file that a `SQLVFS` opened; nil for other files.
    static func object(of file: UnsafeMutablePointer<sqlite3_file>) -> SQLFile? {
        guard isOwn(file) else { return nil }
        return UnsafeMutableRawPointer(file).assumingMemoryBound(to: SQLFileRecord.self)
            .pointee.object?.takeUnretainedValue()
    }

    /// Attaches the object to a `sqlite3_file`, which retains it until it is closed.
    func install(in file: UnsafeMutablePointer<sqlite3_file>) {
        let record = UnsafeMutableRawPointer(file).assumingMemoryBound(to: SQLFileRecord.self)
        record.pointee.object = Unmanaged.passRetained(self)
        record.pointee.header.pMethods = UnsafePointer(
            sharesMemory ? Self.methods : Self.methodsWithoutSharing)
    }

    private static func makeMethods(version: Int32) -> UnsafeMutablePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: sqlite3_io_methods())
        methods.pointee.iVersion = version
        addContents(to: methods)
        addLocks(to: methods)
        if version >= 2 { addSharedMemory(to: methods) }
        return methods
    }

    private static func addContents(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xClose = { closeFile($0) }
        methods.pointee.xRead = { file, buffer, count, offset in
            withFile(file) {
                $0.read(
                    into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)),
                    at: offset)
            }
        }
        methods.pointee.xWrite = { file, bytes, count, offset in
            withFile(file) {
                $0.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
            }
        }
        methods.pointee.xTruncate = { file, size in withFile(file) { $0.truncate(to: size) } }
        methods.pointee.xSync = { file, flags in withFile(file) { $0.sync(flags: flags) } }
        methods.pointee.xFileSize = { file, size in
            guard let size else { return SQLITE_IOERR }
            return withFile(file) { $0.size(&size.pointee) }
        }
    }

    private static func addLocks(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xLock = { file, level in withFile(file) { $0.lock(level) } }
        methods.pointee.xUnlock = { file, level in withFile(file) { $0.unlock(level) } }
        methods.pointee.xCheckReservedLock = { file, result in
            guard let result else { return SQLITE_IOERR }
            return withFile(file) { $0.checkReservedLock(&result.pointee) }
        }
        methods.pointee.xFileControl = { file, request, argument in
            withFile(file) { $0.dispatch(request, argument) }
        }
        methods.pointee.xSectorSize = { file in
            withObject(file, missing: 512) { $0.sectorSize }
        }
        methods.pointee.xDeviceCharacteristics = { file in
            withObject(file, missing: 0) { $0.deviceCharacteristics }
        }
    }

    private static func addSharedMemory(to methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xShmMap = { file, region, size, extend, memory in
            guard let memory else { return SQLITE_IOERR }
            return withFile(file) {
                $0.mapSharedMemory(region: region, size: size, extend: extend, memory)
            }
        }
        methods.pointee.xShmLock = { file, offset, count, flags in
            withFile(file) { $0.lockSharedMemory(offset: offset, count: count, flags: flags) }
        }
        methods.pointee.xShmBarrier = { file in
            withObject(file, missing: ()) { $0.sharedMemoryBarrier() }
        }
        methods.pointee.xShmUnmap = { file, delete in
            withFile(file) { $0.unmapSharedMemory(delete: delete) }
        }
    }
}

/// Calls `body` with the Swift object of a file, without retaining it.
@inline(__always)
private func withObject<Result>(
    _ file: UnsafeMutablePointer<sqlite3_file>?, missing: Result, _ body: (SQLFile) -> Result
) -> Result {
    let record = UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: SQLFileRecord.self)
    guard let object = record?.pointee.object else { return missing }
    return object._withUnsafeGuaranteedRef(body)
}

@inline(__always)
private func withFile(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (SQLFile) -> SQLResultCode
) -> Int32 {
    withObject(file, missing: SQLResultCode.inputOutput, body).rawValue
}

private func closeFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
    let record = UnsafeMutableRawPointer(file)?.assumingMemoryBound(to: SQLFileRecord.self)
    guard let record, let object = record.pointee.object else { return SQLITE_OK }
    record.pointee.object = nil
    record.pointee.header.pMethods = nil
    return object.takeRetainedValue().close().rawValue
}
