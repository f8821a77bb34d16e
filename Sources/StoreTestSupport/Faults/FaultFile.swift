internal import SQLCore
internal import StorePlatform

/// A file of a `FaultVFS`.
final class FaultFile: SQLFile {
    private let vfs: FaultVFS
    private let location: FaultLocation

    init(_ opening: SQLFileOpening, _ vfs: FaultVFS) {
        self.vfs = vfs
        location = FaultLocation(kind: opening.kind, path: opening.path)
        super.init(opening)
    }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        vfs.failure(of: .read, location)?.code ?? super.read(into: buffer, at: offset)
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        if let failure = vfs.failure(of: .write, location, bytes: bytes.count) {
            if failure.isTorn {
                _ = hand(UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), offset)
            }
            return failure.code
        }
        if vfs.state.withLock({ $0.spaceLeft != nil }) {
            var length: Int64 = 0
            guard super.size(&length) == .ok else { return .writeFailed }
            let growth = max(0, offset + Int64(bytes.count) - length)
            guard vfs.takeSpace(growth, location) else { return .full }
        }
        return hand(bytes, offset)
    }

    private func hand(_ bytes: UnsafeRawBufferPointer, _ offset: Int64) -> SQLResultCode {
        let code = super.write(bytes, at: offset)
        vfs.state.withLock { $0.bytesWritten += bytes.count }
        vfs.withShadow { $0.wrote(location.path, bytes, at: offset) }
        return code
    }

    override func sync(flags: Int32) -> SQLResultCode {
        if let failure = vfs.failure(of: .sync, location) { return failure.code }
        let code: SQLResultCode =
            vfs.state.withLock { $0.skipsSyncs } ? .ok : super.sync(flags: flags)
        vfs.withShadow { $0.synced(location.path) }
        return code
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        if let failure = vfs.failure(of: .truncate, location) { return failure.code }
        let code = super.truncate(to: size)
        vfs.withShadow { $0.truncated(location.path, to: size) }
        return code
    }

    override func size(_ size: inout Int64) -> SQLResultCode {
        vfs.failure(of: .size, location)?.code ?? super.size(&size)
    }

    override func lock(_ level: Int32) -> SQLResultCode {
        vfs.failure(of: .lock, location)?.code ?? super.lock(level)
    }

    override func close() -> SQLResultCode {
        vfs.closed(path)
        return super.close()
    }

    override func mapSharedMemory(
        region: Int32, size: Int32, extend: Int32,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> SQLResultCode {
        vfs.failure(of: .mapSharedMemory, location)?.code
            ?? super.mapSharedMemory(region: region, size: size, extend: extend, memory)
    }

    override func lockSharedMemory(offset: Int32, count: Int32, flags: Int32) -> SQLResultCode {
        // SQLITE_SHM_UNLOCK: releasing a lock does not fail.
        if flags & 1 == 0, let failure = vfs.failure(of: .lockSharedMemory, location) {
            return failure.code
        }
        return super.lockSharedMemory(offset: offset, count: count, flags: flags)
    }

    /// Reads without counting the call or failing it.
    func uncountedRead(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        super.read(into: buffer, at: offset)
    }

    /// Returns the size without counting the call or failing it.
    func uncountedSize(_ size: inout Int64) -> SQLResultCode {
        super.size(&size)
    }
}
