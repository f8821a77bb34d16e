import CSQLite

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The progress of a backup, which ``SQLContext/backup(to:database:pages:progress:)`` reports after
/// each step.
///
/// The copied fraction is `1 - Double(remaining) / Double(total)`. Both numbers can grow if the
/// source is written meanwhile.
public struct SQLBackupProgress: Hashable, Sendable {
    /// The number of pages that remain to be copied.
    public let remaining: Int
    /// The number of pages of the database.
    public let total: Int
}

extension SQLContext {
    /// Copies a database into another one, whose content it replaces. `sqlite3_backup_step`
    ///
    /// Other connections can read and write the database meanwhile; a write by another connection
    /// restarts the copy. If the backup fails or is cancelled, the target is unchanged.
    ///
    /// The target has the page size and all content of the source afterwards, including its
    /// `user_version`. It needs no space in memory except for one page, and reads each page of the
    /// source once, unless the copy restarts.
    ///
    /// ```swift
    /// let target = try SQLContext(path: databasePath + ".backup")
    /// defer { try? target.close() }
    /// let isComplete = try database.backup(to: target, pages: 256) { progress in
    ///     use(progress.total - progress.remaining, progress.total)
    ///     return !Task.isCancelled
    /// }
    /// ```
    /// A copy without a second connection is `VACUUM INTO`, which also compacts it. See
    /// <doc:CopiesAndBackup>.
    ///
    /// - Parameters:
    ///   - target: The connection to the target database, which must not be used otherwise.
    ///   - database: The schema name of the source: `main`, `temp` or an attached database.
    ///   - pages: The number of pages per step; other connections can write between two steps.
    ///   - progress: Called after each step; false cancels the backup.
    /// - Returns: Whether the backup is complete; false if it was cancelled.
    /// - Throws: ``SQLError``: `.busy` or `.locked` if the source or target is in use, `.readOnly`
    ///   if the target cannot be written; the error of `progress`.
    @discardableResult
    public func backup(
        to target: SQLContext, database: String = "main", pages: Int = 1024,
        progress: (SQLBackupProgress) throws -> Bool = { _ in true }
    ) throws -> Bool {
        let source = try connection.requireHandle()
        let handle = try target.connection.requireHandle()
        guard let backup = sqlite3_backup_init(handle, "main", source, database) else {
            throw SQLError(handle: handle, code: sqlite3_errcode(handle))
        }
        target.connection.incomingBackups += 1
        target.countUnknownChanges()
        var finished = false
        defer { target.connection.incomingBackups -= 1 }
        defer { if !finished { sqlite3_backup_finish(backup) } }
        while true {
            let code = sqlite3_backup_step(backup, Int32(clamping: Swift.max(pages, 1)))
            if code == SQLITE_DONE { break }
            switch code & 0xFF {
            case SQLITE_OK:
                let state = SQLBackupProgress(
                    remaining: Int(sqlite3_backup_remaining(backup)),
                    total: Int(sqlite3_backup_pagecount(backup)))
                guard try progress(state) else { return false }
            default:
                throw SQLError(
                    code: SQLResultCode(rawValue: code), message: Self.text(of: code),
                    cause: SQLFile.takeFailure(source, code) ?? SQLFile.takeFailure(handle, code))
            }
        }
        finished = true
        let code = sqlite3_backup_finish(backup)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
        return true
    }

    private static func text(of code: Int32) -> String {
        sqlite3_errstr(code).map { String(cString: $0) } ?? "unknown error"
    }

    /// Returns the bytes of a file with the content of a database. `sqlite3_serialize`
    ///
    /// The bytes are a consistent snapshot, which includes committed changes in the WAL. The
    /// inverse is ``deserialize(_:)``.
    ///
    /// ```swift
    /// let scratch = try SQLContext()
    /// try scratch.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    /// let bytes = try scratch.serialize()
    /// ```
    /// The cost is a copy of the whole database in memory; use
    /// ``backup(to:database:pages:progress:)`` for a large one.
    ///
    /// - Parameter database: The schema name: `main`, `temp` or an attached database.
    /// - Returns: The bytes; none if the database is empty.
    /// - Throws: ``SQLError``: `.noMemory` if they do not fit into memory.
    public func serialize(database: String = "main") throws -> Data {
        let handle = try connection.requireHandle()
        var size: sqlite3_int64 = 0
        guard let bytes = sqlite3_serialize(handle, database, &size, 0) else {
            // An empty database has no bytes, and SQLite returns nil for it, too.
            if size == 0, try selectValue(sql: "PRAGMA page_count") == .long(0) { return Data() }
            throw SQLError(code: .noMemory, message: "the database cannot be serialized")
        }
        defer { sqlite3_free(bytes) }
        return Data(bytes: bytes, count: Int(size))
    }

    /// Replaces the main database by one in memory with the content of `bytes`.
    /// `sqlite3_deserialize`
    ///
    /// Invalid bytes are reported by the first statement that reads them.
    ///
    /// Throws `.busy` while a transaction or statement is active.
    ///
    /// Only this connection sees the new content, and nothing is written to the file that it had
    /// open. Bytes of a database in WAL mode cannot be used in memory: statements fail with
    /// `.cannotOpen`. Switch the journal mode before you serialize it.
    ///
    /// ```swift
    /// let bytes = try Data(contentsOf: URL(filePath: "template.db"))
    /// let scratch = try SQLContext()
    /// try scratch.deserialize(bytes)
    /// let check = try scratch.pragma("quick_check")
    /// ```
    ///
    /// - Parameter bytes: The content of a database file, such as from ``serialize(database:)``; it
    ///   is copied.
    public func deserialize(_ bytes: Data) throws {
        let handle = try connection.requireHandle()
        guard !isInTransaction, !connection.hasBusyStatement else {
            throw SQLError(code: .busy, message: "a transaction or statement is active; end it")
        }
        let size = UInt64(bytes.count)
        guard let memory = sqlite3_malloc64(Swift.max(size, 1)) else {
            throw SQLError(code: .noMemory, message: "\(size) bytes cannot be allocated")
        }
        bytes.withUnsafeBytes { source in
            if let start = source.baseAddress {
                memory.copyMemory(from: start, byteCount: source.count)
            }
        }
        countUnknownChanges()
        // SQLite frees the memory even if the call fails.
        let code = sqlite3_deserialize(
            handle, "main", memory.assumingMemoryBound(to: UInt8.self), sqlite3_int64(size),
            sqlite3_int64(size),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}
