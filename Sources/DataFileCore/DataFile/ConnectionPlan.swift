internal import SQLCore
internal import StoreFormat

/// How a connection is opened so that reading leaves no trace and sees no torn page.
///
/// A read-only connection to a file with a log has a trap: if the log is not there, SQLite makes
/// one, and a read-only connection cannot remove it again. Left behind by another user, it can
/// lock the application out.
enum ConnectionPlan {
    /// For writing.
    case readWrite
    /// The log holds something, or the file uses none: SQLite's read-only mode.
    case readOnly
    /// The log is empty or not there, or there is a rollback journal to be played back: a
    /// connection that could write but is told not to. It shares the locks with everybody else, and
    /// if it is the last one removes the empty log at its end.
    case queryOnly
    /// The log cannot be made or read: the file as it stands, without locks. What another
    /// process has written to its log is not seen.
    case immutable

    /// The plan for reading the database at `path`.
    ///
    /// What a crash has left in a rollback journal is played back, as SQLite does for a writer. Who
    /// may not write cannot, and must not read what is in the file without it.
    static func forReading(_ path: BundlePath, header: [UInt8]) -> ConnectionPlan {
        if path.hasHotJournal {
            return FileSystem.isWritable(path.walDirectory) && FileSystem.isWritable(path.database)
                ? .queryOnly : .readOnly
        }
        guard BundlePath.usesWAL(header) else { return .readOnly }
        if FileSystem.size(path.wal) > 0 {
            // The index of a log belongs to the user who makes it, and could lock out the owner.
            let isShared = FileSystem.kind(path.walIndex) == .file
            return isShared || FileSystem.isOwn(path.database) ? .readOnly : .immutable
        }
        if FileSystem.isWritable(path.walDirectory), FileSystem.isWritable(path.database) {
            return .queryOnly
        }
        return FileSystem.kind(path.walIndex) == .file ? .readOnly : .immutable
    }

    /// The plan for a connection that is opened later, when a writer may have taken its log away.
    ///
    /// A log of our own making is left to connections that can remove it.
    func forNextReader(
        _ path: BundlePath, _ options: DataFileOptions
    ) throws -> ConnectionPlan {
        guard case .readOnly = self, options.access == .readOnly else { return self }
        return Self.forReading(path, header: try path.header(options.connectionConfiguration()))
    }

    /// Opens a connection.
    func open(_ path: BundlePath, _ options: DataFileOptions) throws -> SQLContext {
        let context = try openContext(path, options)
        try context.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
        return context
    }

    /// Settings that read or lock the file.
    func configure(_ context: SQLContext, _ options: DataFileOptions) throws {
        try context.exec(
            sql: SchemaSQL.connectionPragmas(
                cacheKilobytes: options.cacheKilobytes, memoryMapBytes: options.memoryMapBytes,
                synchronous: options.synchronous.rawValue))
        if case .queryOnly = self { try context.exec(sql: "PRAGMA query_only=on") }
        // The format has none, and SQLite's check of the file would evaluate them.
        if !options.trustsSchema { try context.exec(sql: "PRAGMA ignore_check_constraints=on") }
        try context.setDefensive(true)
    }

    private func openContext(
        _ path: BundlePath, _ options: DataFileOptions
    ) throws -> SQLContext {
        switch self {
        case .readWrite:
            let create: SQLOpenFlags = options.access == .create ? .create : []
            return try path.connect(
                [.readWrite, create], options.connectionConfiguration())
        case .readOnly:
            return try path.connect(.readOnly, options.connectionConfiguration())
        case .queryOnly:
            return try path.connect(.readWrite, options.connectionConfiguration())
        case .immutable:
            return try path.connect([.readOnly, .uri], options.connectionConfiguration())
        }
    }
}
