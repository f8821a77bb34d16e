public import SQLCore
internal import StorePlatform
internal import Synchronization

/// A file system that counts SQLite's operations on files, and fails as planned.
///
/// Each call of a ``FaultOperation`` is a point; points are numbered in one sequence from 1, so
/// that a workload can be run once to count them, and then once for each with that point failing:
/// ``FaultSweep`` does so. Used by hand, it fails at a point, or at an operation:
///
/// ```swift
/// let vfs = try FaultVFS.registered()
/// let context = try vfs.open(testDirectory("a.db"))
/// try context.exec(sql: "CREATE TABLE t (a)")
/// vfs.fail(.sync)
/// let error = #expect(throws: SQLError.self) {
///     try context.exec(sql: "INSERT INTO t VALUES (1)")
/// }
/// #expect(error?.code == .syncFailed)
/// vfs.heal()
/// try context.exec(sql: "INSERT INTO t VALUES (1)")
/// ```
///
/// A connection uses it by its name, or by the location of its file (``watch(_:)``). It can be used
/// from all threads; the points of several threads are numbered in order of their occurrence. An
/// instance stays registered until it is unregistered.
public final class FaultVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: all state is protected by a lock.

    let state = Locked(FaultState())
    private let shadow = Locked<ShadowDisk?>(nil)
    private static let serial = Atomic(0)

    /// Registers an instance with a name of its own, over the system's file system.
    ///
    /// - Returns: the file system, with no planned fault.
    /// - Throws: an `SQLError` if SQLite cannot register it.
    public static func registered() throws -> FaultVFS {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        // Not over the default file system, which may route to this one.
        let vfs = try FaultVFS(name: "fault-\(number)", over: "unix")
        try vfs.register()
        return vfs
    }

    /// Opens a database with it, and creates the database if it does not exist.
    ///
    /// - Parameter path: the path of the database. It is part of a URI: it must not contain `?`,
    ///   `#` or `%`.
    /// - Returns: the connection.
    /// - Throws: an `SQLError`, also for a planned fault of ``FaultOperation/open``.
    public func open(_ path: String) throws -> SQLContext {
        try SQLContext(path: "file:\(path)?vfs=\(name)", flags: [.readWrite, .create, .uri])
    }

    /// Creates the Swift object of a file, and counts the point `open`. SQLite calls it.
    override public func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        let location = FaultLocation(kind: opening.kind, path: opening.path)
        if let failure = failure(of: .open, location) {
            throw SQLError(code: failure.code, message: "a fault")
        }
        state.withLock {
            $0.kinds.insert(location.kind)
            $0.openPaths.append(location.path)
        }
        let file = FaultFile(opening, self)
        withShadow { $0.opened(file) }
        return file
    }

    /// Deletes a file, and counts the point `delete`. SQLite calls it as `xDelete`.
    override public func delete(
        path: UnsafePointer<CChar>, syncDirectory: Int32
    ) -> SQLResultCode {
        delete(String(cString: path), syncDirectory: syncDirectory) {
            super.delete(path: path, syncDirectory: $0)
        }
    }

    /// Returns whether a file can be accessed, and counts the point `access`. SQLite calls it as
    /// `xAccess`.
    override public func access(
        path: UnsafePointer<CChar>, flags: Int32, _ result: inout Int32
    ) -> SQLResultCode {
        failure(of: .access, FaultLocation(path: String(cString: path)))?.code
            ?? super.access(path: path, flags: flags, &result)
    }
}

extension FaultVFS {
    /// Counts a call; returns how it fails, or nil if it does not.
    func failure(
        of operation: FaultOperation, _ location: FaultLocation, bytes: Int = 0
    ) -> FaultState.Failure? {
        state.withLock { $0.note(operation, location, bytes: bytes) }
    }

    /// Counts a deletion, and performs it unless it fails.
    ///
    /// - Parameter body: deletes the file, and syncs its directory if requested.
    func delete(
        _ path: String, syncDirectory: Int32, _ body: (Int32) -> SQLResultCode
    ) -> SQLResultCode {
        if let failure = failure(of: .delete, FaultLocation(path: path)) { return failure.code }
        let code = body(state.withLock { $0.skipsSyncs } ? 0 : syncDirectory)
        if code == .ok { withShadow { $0.deleted(path, isDurable: syncDirectory != 0) } }
        return code
    }

    /// Reserves space for the growth of a file; false if there is not enough.
    func takeSpace(_ growth: Int64, _ location: FaultLocation) -> Bool {
        state.withLock { state in
            guard let left = state.spaceLeft else { return true }
            guard growth <= left else {
                state.record(.write, location, .full)
                return false
            }
            state.spaceLeft = left - growth
            return true
        }
    }

    func closed(_ path: String?) {
        state.withLock { state in
            guard let index = state.openPaths.firstIndex(of: path) else { return }
            state.openPaths.remove(at: index)
        }
    }

    /// Updates the shadow disk, if there is one.
    func withShadow(_ body: (inout ShadowDisk) -> Void) {
        shadow.withLock { shadow in
            guard var disk = shadow.take() else { return }
            body(&disk)
            shadow = disk
        }
    }

    func setShadow(_ disk: ShadowDisk?) {
        shadow.withLock { $0 = disk }
    }

    func currentShadow() -> ShadowDisk? {
        shadow.withLock { $0 }
    }
}
