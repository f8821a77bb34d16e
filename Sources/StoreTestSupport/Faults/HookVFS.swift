public import SQLCore
internal import StorePlatform
internal import Synchronization

/// A file system that asks a closure before each call: it may look, act, or fail the call.
public final class HookVFS: SQLVFS, @unchecked Sendable {
    // Unchecked as its superclass: the closure is behind a lock.

    /// What SQLite is about to do.
    public enum Operation: Sendable {
        /// A call of SQLite's.
        case open, read, write, sync, truncate, lock
    }

    /// A call; the result is how it fails, nil if it does not.
    public typealias Hook = @Sendable (Operation, SQLFileKind) -> SQLResultCode?

    private let hook = Locked<Hook?>(nil)
    private static let serial = Atomic(0)

    /// Registers one under a name of its own.
    public static func registered() throws -> HookVFS {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let vfs = try HookVFS(name: "hook-\(number)")
        try vfs.register()
        return vfs
    }

    /// Asks `body` from now on, nil for nobody.
    public func onCall(_ body: Hook?) {
        hook.withLock { $0 = body }
    }

    /// Fails all calls of these kinds from now on.
    public func fail(_ operations: [Operation], of kind: SQLFileKind, with code: SQLResultCode) {
        onCall { operations.contains($0) && $1 == kind ? code : nil }
    }

    fileprivate func ask(_ operation: Operation, _ kind: SQLFileKind) -> SQLResultCode? {
        // Called outside the lock: the closure may wait for something, or set another one.
        let body = hook.withLock { $0 }
        return body?(operation, kind)
    }

    /// Asks before a file is opened, and before each call of it.
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
