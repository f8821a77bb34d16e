import CSQLite

/// What a checkpoint has done.
package struct SQLCheckpoint {
    /// Whether it was kept from its end by another connection.
    package let isBlocked: Bool
    /// Pages in the log.
    package let logPages: Int
    /// How many of them are in the file now.
    package let movedPages: Int
}

extension SQLContext {
    /// No checkpoint is made by itself any more; `logPages` tells when one is due.
    /// `sqlite3_wal_hook`
    package func takeOverCheckpoints() throws {
        let handle = try connection.requireHandle()
        let pages = LogPages()
        connection.logPages = pages
        sqlite3_wal_hook(handle, LogPages.note, Unmanaged.passUnretained(pages).toOpaque())
    }

    /// Pages in the log after the latest commit of this connection; 0 before
    /// `takeOverCheckpoints()`.
    package var logPages: Int { connection.logPages?.count ?? 0 }

    /// Moves what is in the log into the file; the log is emptied too if `empties`.
    /// `sqlite3_wal_checkpoint_v2`
    ///
    /// Waits for nobody unless it empties; then as long as the connection's timeout says.
    package func checkpoint(empties: Bool = false) throws -> SQLCheckpoint {
        let handle = try connection.requireHandle()
        var log: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", empties ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE,
            &log, &moved)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw SQLError(handle: handle, code: code)
        }
        if empties, code == SQLITE_OK { connection.logPages?.count = 0 }
        return SQLCheckpoint(
            isBlocked: code != SQLITE_OK || moved < log, logPages: Int(Swift.max(log, 0)),
            movedPages: Int(Swift.max(moved, 0)))
    }
}
