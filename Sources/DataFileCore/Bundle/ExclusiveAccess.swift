internal import SQLCore
internal import StoreFormat

/// Keeps everybody else out of a database while its directory is moved.
///
/// Whoever has a file with a log open holds a lock on it, idle or not. A connection that is told
/// to be the only one, before it first reads, asks for that lock alone: it gets it only if nobody
/// else, in this process or another, has the file open.
package enum ExclusiveAccess {
    /// Runs `body` alone with the file; it may move the directory.
    ///
    /// Throws `.busy` while anyone has it open after so many milliseconds. A file that is no
    /// database or is too damaged for SQLite to read is not locked: SQLite could not use it. Nor,
    /// with `orUnlocked`, is one that this process may not write.
    package static func run<T>(
        _ bundle: BundlePath, waitMilliseconds: Int, orUnlocked: Bool = false,
        _ body: () throws -> T
    ) throws -> T {
        var context: SQLContext
        do {
            context = try lock(bundle, waitMilliseconds)
        } catch let error as SQLError {
            switch error.code {
            case .notADatabase, .corrupt:
                // Encrypted, it may be in use all the same.
                context = try lockUnread(bundle, waitMilliseconds)
            case _ where error.cause is SQLFileRefusal:
                // Reading would play a stranger's journal back.
                context = try lockUnread(bundle, waitMilliseconds)
            case .busy, .locked:
                throw inUse(bundle, error)
            default:
                if orUnlocked { return try body() }
                throw StoreError(error, path: bundle.directory)
            }
        }
        // If the directory was moved, SQLite sees that and leaves what is at the old path alone.
        defer { context.rollback() }
        return try body()
    }

    /// Locks a file that SQLite cannot read.
    private static func lockUnread(
        _ bundle: BundlePath, _ waitMilliseconds: Int
    ) throws -> SQLContext {
        let context = try bundle.connect(.readWrite)
        do {
            try context.lockFileAlone(waitMilliseconds: waitMilliseconds)
        } catch let error as SQLError where .busy ~= error.code {
            throw inUse(bundle, error)
        } catch is SQLError {
            // A file that cannot be locked is in nobody's use.
        }
        return context
    }

    private static func inUse(_ bundle: BundlePath, _ error: SQLError) -> StoreError {
        StoreError(
            .busy, "\(bundle.directory) is open in this process or another one; close it first",
            underlying: error)
    }

    private static func lock(_ bundle: BundlePath, _ waitMilliseconds: Int) throws -> SQLContext {
        let hasWAL = FileSystem.entry(bundle.wal) != .nothing
        let context = try bundle.connect(.readWrite)
        try context.setBusyTimeout(milliseconds: waitMilliseconds)
        // The file, and its log, are left as they are. The empty log that the lock makes where
        // there was none goes with it.
        if hasWAL { try context.keepWALOnClose() }
        try context.setPragma("locking_mode", to: .text("exclusive"))
        try context.exec(sql: "BEGIN EXCLUSIVE")
        return context
    }
}
