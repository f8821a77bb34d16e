import SQLCore
import Synchronization

/// A file system that counts what is done with its files, and fails when it is told to.
final class FaultVFS: SQLVFS, @unchecked Sendable {
    /// What can be counted and made to fail.
    enum Operation: CaseIterable {
        case open, read, write, sync, truncate, lock, delete, shareMemory
    }

    struct State {
        var counts: [Operation: Int] = [:]
        var bytesWritten = 0
        var kinds: Set<SQLFileKind> = []
        /// By how many bytes files may still grow; nil for as many as they like.
        var spaceLeft: Int64?
        /// After how many more calls of each operation they fail, and how.
        var faults: [Operation: (after: Int, code: SQLResultCode)] = [:]
    }

    let state = Mutex(State())

    /// Registers a VFS under a name of its own.
    static func registered() throws -> FaultVFS {
        let number = serial.wrappingAdd(1, ordering: .relaxed).newValue
        let vfs = try FaultVFS(name: "fault-\(number)")
        try vfs.register()
        return vfs
    }

    private static let serial = Atomic(0)

    /// How often an operation was asked for.
    func count(of operation: Operation) -> Int {
        state.withLock { $0.counts[operation, default: 0] }
    }

    /// Files may grow by so many bytes; nil for no limit.
    func setSpaceLeft(_ bytes: Int64?) {
        state.withLock { $0.spaceLeft = bytes }
    }

    /// An operation fails after so many more calls, until `heal()`.
    func fail(_ operation: Operation, after count: Int = 0, with code: SQLResultCode) {
        state.withLock { $0.faults[operation] = (count, code) }
    }

    /// Nothing fails any more.
    func heal() {
        state.withLock {
            $0.faults = [:]
            $0.spaceLeft = nil
        }
    }

    /// Opens a database through it.
    func open(_ path: String) throws -> SQLContext {
        try SQLContext(path: "file:\(path)?vfs=\(name)", flags: [.readWrite, .create, .uri])
    }

    /// Counts an operation; the result is how it fails, nil if it does not.
    fileprivate func note(_ operation: Operation) -> SQLResultCode? {
        state.withLock { state in
            state.counts[operation, default: 0] += 1
            guard let fault = state.faults[operation] else { return nil }
            if fault.after == 0 { return fault.code }
            state.faults[operation]?.after -= 1
            return nil
        }
    }

    /// Takes space for a file that grows; false if there is not enough.
    fileprivate func takeSpace(_ growth: Int64) -> Bool {
        state.withLock { state in
            guard let left = state.spaceLeft else { return true }
            guard growth <= left else { return false }
            state.spaceLeft = left - growth
            return true
        }
    }

    override func makeFile(_ opening: SQLFileOpening) throws -> SQLFile {
        state.withLock { _ = $0.kinds.insert(opening.kind) }
        if let code = note(.open) { throw SQLError(code: code, message: "a fault") }
        return FaultFile(opening, self)
    }

    override func delete(path: UnsafePointer<CChar>, syncFolder: Int32) -> SQLResultCode {
        note(.delete) ?? super.delete(path: path, syncFolder: syncFolder)
    }
}

private final class FaultFile: SQLFile {
    private let vfs: FaultVFS

    init(_ opening: SQLFileOpening, _ vfs: FaultVFS) {
        self.vfs = vfs
        super.init(opening)
    }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        vfs.note(.read) ?? super.read(into: buffer, at: offset)
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        if let code = vfs.note(.write) { return code }
        var length: Int64 = 0
        guard size(&length) == .ok else { return .writeFailed }
        guard vfs.takeSpace(max(0, offset + Int64(bytes.count) - length)) else { return .full }
        vfs.state.withLock { $0.bytesWritten += bytes.count }
        return super.write(bytes, at: offset)
    }

    override func sync(flags: Int32) -> SQLResultCode {
        vfs.note(.sync) ?? super.sync(flags: flags)
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        vfs.note(.truncate) ?? super.truncate(to: size)
    }

    override func lock(_ level: Int32) -> SQLResultCode {
        vfs.note(.lock) ?? super.lock(level)
    }

    override func mapSharedMemory(
        region: Int32, size: Int32, extend: Int32,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> SQLResultCode {
        vfs.note(.shareMemory)
            ?? super.mapSharedMemory(region: region, size: size, extend: extend, memory)
    }
}
