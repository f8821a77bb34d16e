import CSQLite

/// What a checkpoint has done.
package struct SQLCheckpoint {
    /// Whether it was kept from its end by another connection.
    package let isBlocked: Bool
    /// Pages in the log; 0 if another connection was making a checkpoint already.
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

    /// Moves what is in the log into the file. `sqlite3_wal_checkpoint_v2`
    ///
    /// - Parameter restarts: whether it waits, as long as the connection's timeout says, for those
    ///   who write or still read from the log, so that the next commit begins the log anew: where
    ///   there is always somebody reading, it would never come to that. Otherwise it waits for
    ///   nobody.
    package func checkpoint(restarts: Bool = false) throws -> SQLCheckpoint {
        let handle = try connection.requireHandle()
        var log: Int32 = 0
        var moved: Int32 = 0
        let code = sqlite3_wal_checkpoint_v2(
            handle, "main", restarts ? SQLITE_CHECKPOINT_RESTART : SQLITE_CHECKPOINT_PASSIVE,
            &log, &moved)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw SQLError(handle: handle, code: code)
        }
        return SQLCheckpoint(
            isBlocked: code != SQLITE_OK || moved < log, logPages: Int(Swift.max(log, 0)),
            movedPages: Int(Swift.max(moved, 0)))
    }
}
