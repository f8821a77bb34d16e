internal import SQLCore
internal import StoreFormat

/// How a connection is opened, so that reading leaves no files behind and sees no torn page.
///
/// A read-only connection to a file in WAL mode has a pitfall: if the WAL does not exist, SQLite
/// creates it, and a read-only connection cannot remove it again. A WAL left by another user can
/// lock the application out.
enum ConnectionPlan {
    /// For writing.
    case readWrite
    /// The WAL is not empty, or the file is not in WAL mode: SQLite's read-only mode.
    case readOnly
    /// The WAL is empty or does not exist, or there is a hot rollback journal: a writable
    /// connection with `query_only` on. It shares the locks of other connections, and if it is the
    /// last one it removes the empty WAL on closing.
    case queryOnly
    /// The WAL cannot be created or read: reads the file alone, without locks. Commits of other
    /// processes that are only in the WAL are not visible.
    case immutable

    /// The plan for reading the database at `path`.
    ///
    /// A hot rollback journal is rolled back, as SQLite does for a writer. Without write permission
    /// that is impossible, and the file must not be read without it.
    static func forReading(_ path: BundlePath, header: [UInt8]) -> ConnectionPlan {
        if path.hasHotJournal {
            return FileSystem.isWritable(path.walDirectory) && FileSystem.isWritable(path.database)
                ? .queryOnly : .readOnly
        }
        guard BundlePath.usesWAL(header) else { return .readOnly }
        if FileSystem.size(path.wal) > 0 {
            // A wal-index belongs to the user that creates it, and could lock out the owner.
            let isShared = FileSystem.kind(path.walIndex) == .file
            return isShared || FileSystem.isOwn(path.database) ? .readOnly : .immutable
        }
        if FileSystem.isWritable(path.walDirectory), FileSystem.isWritable(path.database) {
            return .queryOnly
        }
        return FileSystem.kind(path.walIndex) == .file ? .readOnly : .immutable
    }

    /// The plan for a connection that is opened later, when a writer may have removed the WAL.
    ///
    /// Only a connection that can remove the WAL may create it.
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

    /// Applies settings that read or lock the file.
    func configure(_ context: SQLContext, _ options: DataFileOptions) throws {
        try context.exec(
            sql: SchemaSQL.connectionPragmas(
                cacheKilobytes: options.cacheKilobytes, memoryMapBytes: options.memoryMapBytes,
                synchronous: options.synchronous.rawValue))
        if case .queryOnly = self { try context.exec(sql: "PRAGMA query_only=on") }
        // The format has no CHECK constraints, and SQLite's integrity check would evaluate them.
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
