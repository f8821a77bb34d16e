internal import SQLCore

/// A database of Couchbase Lite's format: a folder with a SQLite file in it.
///
/// ```swift
/// let file = try DataFile(path: "people.cblite2")
/// let names = try file.read { try $0.collectionNames() }
/// ```
/// A handle can be used from all threads. Readers see a snapshot each and never wait for a writer;
/// writers come one after another.
public final class DataFile: Sendable {
    /// The folder, as an absolute path.
    public let path: String
    /// How it was opened.
    public let options: DataFileOptions
    /// The schema of the file, such as 503; see `docs/file-format.md`.
    public let schemaVersion: Int
    /// Whether the file was opened without locks, because its folder cannot be written: what a
    /// writer has in its log and not yet in the file is then not seen.
    public let isImmutable: Bool

    private let readers: SessionPool
    private let writer: WriterSession?
    private let clock = HybridClock()
    private let recovered = RecoveredSequences()

    /// Opens a file.
    ///
    /// Throws `StoreError`: `.notFound`, `.cannotOpenFile`, `.notADatabaseFile`, `.wrongFormat`,
    /// `.databaseTooOld`, `.databaseTooNew`, `.corruptData`, `.busy` or `.notWriteable`. Nothing
    /// is upgraded.
    public init(path: String, options: DataFileOptions = DataFileOptions()) throws {
        let bundle = BundlePath(path)
        let opened = try StoreError.wrapping(path: bundle.folder) {
            try OpenedFile(bundle, options)
        }
        self.path = bundle.folder
        self.options = options
        schemaVersion = opened.schemaVersion
        isImmutable = opened.isImmutable
        writer = opened.writer.map { WriterSession($0, path: bundle.folder) }
        let plan = opened.readPlan
        readers = SessionPool(path: bundle.folder) {
            let plan = try plan.forNextReader(bundle, options)
            let context = try plan.open(bundle, options)
            try plan.configure(context)
            return context
        }
    }

    deinit {
        close()
    }

    /// Closes all connections; later use throws `.notOpen`.
    public func close() {
        // The writer goes last: whoever closes last moves the log into the file.
        readers.close()
        writer?.close()
    }
}

extension DataFile {
    /// Runs `body` on a snapshot, which does not move while others write.
    ///
    /// Throws what `body` throws, or `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) {
            try readers.withSession { session in
                try session.context.transaction(.deferred) {
                    let snapshot = try Snapshot(session: session)
                    defer { snapshot.end() }
                    return try body(snapshot)
                }
            }
        }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// Throws what `body` throws, or `StoreError`: `.notWriteable` for a handle that only reads,
    /// `.unsupported` or `.cannotUpgradeDatabase` for a file that this version cannot write
    /// faithfully, `.busy` when another process keeps the lock for longer than the timeout.
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        guard let writer else {
            throw StoreError(.notWriteable, "\(path) was opened for reading only")
        }
        return try StoreError.wrapping(path: path) {
            try writer.withSession { session in
                do {
                    return try transaction(on: session, body)
                } catch {
                    session.forget()
                    throw error
                }
            }
        }
    }

    private func transaction<T>(
        on session: Session, _ body: (Transaction) throws -> T
    ) throws -> T {
        try session.context.transaction(.immediate) {
            let transaction = try Transaction(
                session: session, clock: clock, recovered: recovered)
            defer { transaction.end() }
            try transaction.requireWritable()
            let result = try body(transaction)
            try transaction.finish()
            return result
        }
    }
}
