public import SQLCore
internal import StorePlatform
internal import Synchronization

/// A file system that calls a closure before each operation, which may observe, act, or fail the
/// operation.
public final class HookVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: the closure is protected by a lock.

    /// The operation that SQLite is about to perform.
    public enum Operation: Sendable {
        /// An operation of a file.
        case open, read, write, sync, truncate, lock
    }

    /// Called before an operation; returns how it fails, or nil to perform it.
    public typealias Hook = @Sendable (Operation, SQLFileKind) -> SQLResultCode?

    private let hook = Locked<Hook?>(nil)
    private static let serial = Atomic(0)

    /// Registers an instance with a name of its own.
    public static func registered() throws -> HookVFS {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let vfs = try HookVFS(name: "hook-\(number)")
        try vfs.register()
        return vfs
    }

    /// Sets the closure to call from now on; nil for none.
    public func onCall(_ body: Hook?) {
        hook.withLock { $0 = body }
    }

    /// Makes all operations of these kinds fail from now on.
    public func fail(_ operations: [Operation], of kind: SQLFileKind, with code: SQLResultCode) {
        onCall { operations.contains($0) && $1 == kind ? code : nil }
    }

    fileprivate func ask(_ operation: Operation, _ kind: SQLFileKind) -> SQLResultCode? {
        // Called without the lock: the closure may wait, or set another one.
        let body = hook.withLock { $0 }
        return body?(operation, kind)
    }

    /// Calls the hook before a file is opened, and before each operation on it.
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
