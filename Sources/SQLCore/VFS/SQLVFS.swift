internal import CSQLite
internal import StorePlatform

/// A virtual file system (VFS) layered over another one, by default the system's.
///
/// ```swift
/// final class MeasuringVFS: SQLVFS, @unchecked Sendable {
///     override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
///         opening.kind == .wal ? WALFile(opening) : SQLFile(opening)
///     }
/// }
/// final class WALFile: SQLFile {
///     var bytesWritten = 0
///     override func write(
///         _ bytes: UnsafeRawBufferPointer, at offset: Int64
///     ) -> SQLResultCode {
///         bytesWritten += bytes.count
///         return super.write(bytes, at: offset)
///     }
/// }
/// try MeasuringVFS(name: "measuring").register()
/// let context = try SQLContext(
///     path: databasePath, configuration: .custom(vfs: "measuring"))
/// ```
/// A VFS creates a ``SQLFile`` for each file that SQLite opens. Both forward all calls that are not
/// overridden to the VFS below, so a subclass contains only what it changes: encryption,
/// measurement, or faults for a test.
///
/// Its methods are called on every thread that uses a connection; a subclass must synchronize its
/// own state. Once registered it is retained for the lifetime of the process, since SQLite does not
/// report when the last connection has released it. See <doc:FileSystems>.
open class SQLVFS: @unchecked Sendable {
    /// The name by which connections select it, in ``SQLiteConfiguration/custom(vfs:setUp:)`` or as
    /// `?vfs=` of a URI.
    public let name: String

    /// The VFS to which calls are forwarded.
    let base: UnsafeMutablePointer<sqlite3_vfs>
    /// The struct that is registered with SQLite.
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let isRetained = Locked(false)

    /// Creates a VFS over another one. `sqlite3_vfs_find`
    ///
    /// It has no effect before ``register(asDefault:)``.
    ///
    /// - Parameters:
    ///   - name: The name of the new VFS.
    ///   - baseName: The name of the VFS to which calls are forwarded; nil for the default.
    /// - Throws: ``SQLError``: `.notFound` if no VFS is named `baseName`, `.misuse` for an empty
    ///   name.
    public init(name: String, over baseName: String? = nil) throws {
        try requireName(name)
        // Global settings must precede the first call of SQLite, which can be the next one.
        _ = StatementJournal.isSetUp
        guard let base = sqlite3_vfs_find(baseName) else {
            throw SQLError(
                code: .notFound, message: "there is no VFS \(baseName ?? "at all")")
        }
        self.name = name
        self.base = GuardedVFS.over(base)
        vfs = makeVFS(name: name, over: self.base)
        vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        GuardedVFS.add(vfs)
    }

    deinit {
        GuardedVFS.remove(vfs)
        freeVFS(vfs)
    }

    /// Registers the VFS, so that connections can select it by its name. `sqlite3_vfs_register`
    ///
    /// Registering it again is permitted, for example to make it the default.
    ///
    /// ```swift
    /// let vfs = try SQLVFS(name: "layer")
    /// try vfs.register(asDefault: true)
    /// let context = try SQLContext(path: databasePath)
    /// let name = try context.vfsName()  // layer
    /// ```
    /// - Parameter asDefault: Whether connections that do not specify a VFS use it (default:
    ///   false).
    /// - Throws: ``SQLError``: `.misuse` if another VFS has the name.
    public func register(asDefault: Bool = false) throws {
        let named = sqlite3_vfs_find(name)
        guard named == nil || named == vfs else {
            throw SQLError(code: .misuse, message: "a VFS named \(name) is registered already")
        }
        isRetained.withLock { isRetained in
            if !isRetained { _ = Unmanaged.passRetained(self) }
            isRetained = true
        }
        let code = sqlite3_vfs_register(vfs, asDefault ? 1 : 0)
        guard code == SQLITE_OK else {
            throw SQLError(handle: nil, code: code)
        }
    }

    /// Unregisters the VFS. Open connections continue to use it. `sqlite3_vfs_unregister`
    ///
    /// New connections cannot select it any more. If it was the default, another registered VFS
    /// becomes the default.
    public func unregister() {
        sqlite3_vfs_unregister(vfs)
    }

    /// The name of the default VFS; empty if there is none.
    package static var defaultName: String {
        _ = StatementJournal.isSetUp
        return sqlite3_vfs_find(nil)?.pointee.zName.map { String(cString: $0) } ?? ""
    }

    /// Makes a registered VFS the default.
    ///
    /// Unregistering the default does not restore the previous one: the next in SQLite's list is
    /// the VFS that was registered last.
    package static func makeDefault(_ name: String) {
        guard let vfs = sqlite3_vfs_find(name) else { return }
        sqlite3_vfs_register(vfs, 1)
    }

    /// Creates the Swift object of a file that the base VFS has opened.
    ///
    /// If it throws, the file is closed, and opening fails with the code of the error.
    ///
    /// - Parameter opening: The file of the base VFS, and what it is opened for.
    /// - Returns: The object that receives the calls of SQLite for this file.
    open func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        SQLFile(opening)
    }

    /// Deletes a file. `xDelete`
    ///
    /// SQLite deletes a journal or a WAL by it, never the database itself.
    ///
    /// - Parameters:
    ///   - path: The path, as a C string.
    ///   - syncDirectory: Not 0 if the directory must be flushed to disk afterwards.
    open func delete(path: UnsafePointer<CChar>, syncDirectory: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: base.pointee.xDelete(base, path, syncDirectory))
    }

    /// Stores 1 in `result` if the file exists or has the access that `flags`, `SQLITE_ACCESS_…`,
    /// specify; else 0. `xAccess`
    open func access(
        path: UnsafePointer<CChar>, flags: Int32, _ result: inout Int32
    ) -> SQLResultCode {
        SQLResultCode(rawValue: base.pointee.xAccess(base, path, flags, &result))
    }
}

extension SQLVFS {
    /// Opens the base's file after the record, and attaches the Swift object to it. `xOpen`
    func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ granted: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let record = UnsafeMutableRawPointer(file)
        record.initializeMemory(
            as: SQLFileRecord.self, repeating: SQLFileRecord(header: sqlite3_file(), object: nil),
            count: 1)
        let real = (record + SQLFileRecord.size).assumingMemoryBound(to: sqlite3_file.self)
        real.pointee.pMethods = nil
        var given = flags
        let code = base.pointee.xOpen(base, name, real, flags, &given)
        guard code == SQLITE_OK, real.pointee.pMethods != nil else {
            _ = real.pointee.pMethods?.pointee.xClose(real)
            return code == SQLITE_OK ? SQLITE_CANTOPEN : code
        }
        granted?.pointee = given
        do {
            // The requested flags contain the kind; the granted flags do not always do so.
            let access = flags & ~SQLITE_OPEN_READONLY | given & SQLITE_OPEN_READONLY
            try makeFile(SQLFileOpening(base: real, name: name, flags: access)).install(in: file)
            return SQLITE_OK
        } catch {
            _ = real.pointee.pMethods?.pointee.xClose(real)
            let failure = SQLFailure(error)
            return failure.code == .error ? SQLITE_CANTOPEN : failure.code.rawValue
        }
    }
}

extension SQLResultCode {
    /// `SQLITE_NOTFOUND`: an unknown file-control request, or a VFS that does not exist.
    public static let notFound = SQLResultCode(rawValue: SQLITE_NOTFOUND)
}

/// SQLite's statement journal: the original pages, with which it can undo one statement of a
/// transaction.
enum StatementJournal {
    /// The size above which it spills to a temporary file, at two system calls for each page.
    ///
    /// SQLite's default is 64 KB, which one document with some indexes and triggers exceeds. The
    /// value must be less than 128 KB: SQLite also uses it as its chunk size, and writes a larger
    /// chunk only in part (`seekAndWriteFd`), which it then reports as a full disk.
    static let bytesInMemory: Int32 = 120 << 10

    /// Whether the setting is applied. It is global, and cannot be changed after SQLite has been
    /// initialized. `SQLITE_CONFIG_STMTJRNL_SPILL`
    ///
    /// Apple's frameworks initialize SQLite earlier, where it would log an error.
    static let isSetUp: Bool = {
        #if canImport(Darwin)
            return false
        #else
            return shim_config_int(SQLITE_CONFIG_STMTJRNL_SPILL, bytesInMemory) == SQLITE_OK
        #endif
    }()
}
