public import SQLCore
internal import StorePlatform
internal import Synchronization

/// A file system that calls a closure before each operation, which may observe, act, or fail the
/// operation.
///
/// Use it to do something at a certain point of another component's work, such as writing with a
/// second connection while the first one syncs. ``FaultVFS`` counts points and fails at each of
/// them.
///
/// ```swift
/// let vfs = try HookVFS.registered()
/// defer { vfs.unregister() }
/// let context = try SQLContext(
///     path: "file:\(testDirectory("a.db"))?vfs=\(vfs.name)",
///     flags: [.readWrite, .create, .uri])
/// vfs.onCall { operation, kind in
///     if operation == .sync { show("SQLite syncs \(kind)") }
///     return nil
/// }
/// try context.exec(sql: "CREATE TABLE t (a)")
/// ```
public final class HookVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: the closure is protected by a lock.

    /// The operation that SQLite is about to perform.
    public enum Operation: Sendable {
        /// An operation of a file: opening, reading, writing, syncing, truncating or locking it.
        case open, read, write, sync, truncate, lock
    }

    /// Called before an operation, with the kind of its file; returns how it fails, or nil to
    /// perform it.
    ///
    /// It is called on the thread of the connection and without a lock, so it may wait, use other
    /// connections, or set another closure. It must not use the connection that calls it.
    public typealias Hook = @Sendable (Operation, SQLFileKind) -> SQLResultCode?

    private let hook = Locked<Hook?>(nil)
    private static let serial = Atomic(0)

    /// Registers an instance with a name of its own, over the default file system.
    ///
    /// - Returns: the file system, without a closure.
    /// - Throws: an `SQLError` if SQLite cannot register it.
    public static func registered() throws -> HookVFS {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let vfs = try HookVFS(name: "hook-\(number)")
        try vfs.register()
        return vfs
    }

    /// Sets the closure to call from now on; nil for none.
    ///
    /// - Parameter body: replaces the previous closure, also for files that are open.
    public func onCall(_ body: Hook?) {
        hook.withLock { $0 = body }
    }

    /// Makes all operations of these kinds fail from now on.
    ///
    /// ```swift
    /// let vfs = try HookVFS.registered()
    /// vfs.fail([.write, .sync], of: .wal, with: .inputOutput)
    /// vfs.onCall(nil)  // no longer
    /// ```
    ///
    /// - Parameters:
    ///   - operations: the operations.
    ///   - kind: the kind of the files.
    ///   - code: the code returned to SQLite.
    public func fail(_ operations: [Operation], of kind: SQLFileKind, with code: SQLResultCode) {
        onCall { operations.contains($0) && $1 == kind ? code : nil }
    }

    fileprivate func ask(_ operation: Operation, _ kind: SQLFileKind) -> SQLResultCode? {
        // Called without the lock: the closure may wait, or set another one.
        let body = hook.withLock { $0 }
        return body?(operation, kind)
    }

    /// Calls the hook before a file is opened, and before each operation on it. SQLite calls it.
    override public func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        if let code = ask(.open, opening.kind) { throw SQLError(code: code, message: "a fault") }
        return HookFile(opening, self)
    }
}

private final class HookFile: SQLFile {
    private let vfs: HookVFS

    init(_ opening: SQLFileOpening, _ vfs: HookVFS) {
        self.vfs = vfs
        super.init(opening)
    }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        vfs.ask(.read, kind) ?? super.read(into: buffer, at: offset)
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        vfs.ask(.write, kind) ?? super.write(bytes, at: offset)
    }

    override func sync(flags: Int32) -> SQLResultCode {
        vfs.ask(.sync, kind) ?? super.sync(flags: flags)
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        vfs.ask(.truncate, kind) ?? super.truncate(to: size)
    }

    override func lock(_ level: Int32) -> SQLResultCode {
        vfs.ask(.lock, kind) ?? super.lock(level)
    }
}
