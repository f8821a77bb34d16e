internal import SQLCore
internal import StoreFormat

/// Excludes all other connections from a database while its directory is moved.
///
/// Every connection to a file in WAL mode holds a lock on it, even when idle. A connection in
/// exclusive locking mode, set before its first read, requests that lock exclusively: it gets it
/// only if no other connection of this or another process has the file open.
package enum ExclusiveAccess {
    /// Runs `body` with exclusive access to the file; `body` may move the directory.
    ///
    /// Throws `.busy` if another connection still has it open after that many milliseconds. A file
    /// that is not a database or is too damaged for SQLite is not locked, since SQLite could not
    /// use it; nor, with `orUnlocked`, is one that this process may not write.
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
                // An encrypted file may be in use nevertheless.
                context = try lockUnread(bundle, waitMilliseconds)
            case _ where error.cause is SQLFileRefusal:
                // Reading would roll back a hot journal of unknown origin.
                context = try lockUnread(bundle, waitMilliseconds)
            case .busy, .locked:
                throw inUse(bundle, error)
            default:
                if orUnlocked { return try body() }
                throw StoreError(error, path: bundle.directory)
            }
        }
        // If the directory was moved, SQLite detects that and does not touch the old path.
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
            // A file that does not support locks is not in use.
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
        // The file and its WAL are left unchanged. If there was no WAL, the lock creates an empty
        // one and removes it.
        if hasWAL { try context.keepWALOnClose() }
        try context.setPragma("locking_mode", to: .text("exclusive"))
        try context.exec(sql: "BEGIN EXCLUSIVE")
        return context
    }
}
