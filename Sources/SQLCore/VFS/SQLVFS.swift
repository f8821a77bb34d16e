internal import CSQLite
internal import StorePlatform

/// A virtual file system that stands between SQLite and another one, the system's if none is named.
///
/// ```swift
/// final class Quiet: SQLVFS, @unchecked Sendable {
///     override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
///         NeverSyncedFile(opening)
///     }
/// }
/// try Quiet(name: "quiet").register()
/// let context = try SQLContext(path: "file:x.db?vfs=quiet", flags: [.readWrite, .create, .uri])
/// ```
/// Its methods are called on every thread that uses a connection: a subclass takes care of its own
/// state. Once registered it is kept for the life of the process, since SQLite does not say when
/// the last connection has let go of it.
open class SQLVFS: @unchecked Sendable {
    /// The name that connections ask for.
    public let name: String

    /// The VFS that does the work.
    let base: UnsafeMutablePointer<sqlite3_vfs>
    /// What SQLite is given.
    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let isKept = Locked(false)

    /// Makes a VFS over another one. `sqlite3_vfs_find`
    ///
    /// Throws `.notFound` if there is none of the name `baseName`.
    public init(name: String, over baseName: String? = nil) throws {
        try requireName(name)
        // Settings of the library come before the first call of it, which the next one may be.
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

    /// Lets connections ask for it. `sqlite3_vfs_register`
    ///
    /// Throws `.misuse` if another VFS has the name. With `asDefault`, connections that ask for no
    /// VFS get it.
    public func register(asDefault: Bool = false) throws {
        let named = sqlite3_vfs_find(name)
        guard named == nil || named == vfs else {
            throw SQLError(code: .misuse, message: "there is a VFS \(name) already")
        }
        isKept.withLock { isKept in
            if !isKept { _ = Unmanaged.passRetained(self) }
            isKept = true
        }
        let code = sqlite3_vfs_register(vfs, asDefault ? 1 : 0)
        guard code == SQLITE_OK else {
            throw SQLError(handle: nil, code: code)
        }
    }

    /// No connection can ask for it any more; those that are open go on. `sqlite3_vfs_unregister`
    public func unregister() {
        sqlite3_vfs_unregister(vfs)
    }

    /// The name of the VFS for connections that ask for none; empty if there is none.
    package static var defaultName: String {
        _ = StatementJournal.isSetUp
        return sqlite3_vfs_find(nil)?.pointee.zName.map { String(cString: $0) } ?? ""
    }

    /// Makes a registered VFS the one for connections that ask for none.
    ///
    /// To unregister the default is not enough to have the one before it back: the latest VFS that
    /// was registered meanwhile comes next in SQLite's list.
    package static func makeDefault(_ name: String) {
        guard let vfs = sqlite3_vfs_find(name) else { return }
        sqlite3_vfs_register(vfs, 1)
    }

    /// Makes the Swift side of a file that the base has opened.
    ///
    /// What it throws is the result of opening: the file is closed again.
    open func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        SQLFile(opening)
    }

    /// Deletes a file. `xDelete`
    open func delete(path: UnsafePointer<CChar>, syncDirectory: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: base.pointee.xDelete(base, path, syncDirectory))
    }

    /// Gives 1 if the file can be accessed as `flags`, `SQLITE_ACCESS_…`, say. `xAccess`
    open func access(
        path: UnsafePointer<CChar>, flags: Int32, _ result: inout Int32
    ) -> SQLResultCode {
        SQLResultCode(rawValue: base.pointee.xAccess(base, path, flags, &result))
    }
}

extension SQLVFS {
    /// Opens the base's file behind the record, and puts the Swift object before it. `xOpen`
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
            // The kind is among the flags that were asked for, and not always among those given.
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
    /// `SQLITE_NOTFOUND`
    public static let notFound = SQLResultCode(rawValue: SQLITE_NOTFOUND)
}

/// What SQLite notes in order to undo one statement of a transaction: the pages as they were.
enum StatementJournal {
    /// Beyond this it goes to a temporary file, which costs two calls of the system for each page.
    ///
    /// SQLite says 64 KB, which one document with some indexes and triggers exceeds. It must be
    /// less than 128 KB: SQLite takes this for the size of a piece of memory, and writes a larger
    /// one to the file only in part (`seekAndWriteFd`), which it then takes for a full disk.
    static let bytesInMemory: Int32 = 120 << 10

    /// Whether the process has the setting: it is one of the library, not of a connection, and
    /// cannot be made where others have used the library before. `SQLITE_CONFIG_STMTJRNL_SPILL`
    ///
    /// Apple's frameworks have, and it would be logged there as an error.
    static let isSetUp: Bool = {
        #if canImport(Darwin)
            return false
        #else
            return shim_config_int(SQLITE_CONFIG_STMTJRNL_SPILL, bytesInMemory) == SQLITE_OK
        #endif
    }()
}
