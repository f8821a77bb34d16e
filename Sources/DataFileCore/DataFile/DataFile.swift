internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A database in Couchbase Lite's format: a directory that contains a SQLite file.
///
/// ```swift
/// let file = try DataFile(path: "people.cblite2")
/// let names = try file.read { try $0.collectionNames() }
/// ```
/// A handle can be used from all threads and tasks. Each reader has a snapshot and never waits for
/// a writer; writers run one at a time. Handles to the same file share its connections.
public final class DataFile: Sendable {
    /// The directory, as an absolute path; `:memory:` for an in-memory database.
    public let path: String
    /// The options it was opened with.
    public let options: DataFileOptions

    let shared: SharedFile
    private let isOpen = Locked(true)

    /// Opens a database, or creates it if the options allow that.
    ///
    /// Opening does not upgrade a file of an older schema: the first write does. Opening a file
    /// again in the same process is cheap, since its connections are shared.
    ///
    /// - Parameters:
    ///   - path: the directory of the database, usually `NAME.cblite2`.
    ///   - options: the access, the key, and other options; read-only by default.
    /// - Throws: a `StoreError`: `.notFound`, `.cannotOpenFile`, `.notADatabaseFile` (also for a
    ///   wrong key), `.wrongFormat`, `.databaseTooOld`, `.databaseTooNew`, `.corruptData`, `.busy`,
    ///   `.notWriteable`, or `.invalidParameter` if this process has it open with other options.
    public init(path: String, options: DataFileOptions = DataFileOptions()) throws {
        let bundle = BundlePath(path)
        shared = try StoreError.wrapping(path: bundle.directory) {
            try FileRegistry.ofProcess.open(bundle, options)
        }
        self.path = shared.path
        self.options = options
    }

    /// Creates an in-memory database, which exists until its handle is closed.
    ///
    /// It has one connection: a reader waits for a writer, and within a write it sees uncommitted
    /// changes. Blobs are stored in memory, too. To save it to disk, use
    /// `copy(to:newUUIDs:progress:)`.
    ///
    /// - Throws: `.invalidParameter` for options with a key: data that SQLite moves from memory to
    ///   temporary files would not be encrypted.
    public init(inMemory options: DataFileOptions = DataFileOptions(access: .create)) throws {
        shared = try StoreError.wrapping(path: ":memory:") {
            try options.requireValid()
            guard options.encryption == nil else { throw EncryptionError.noFile }
            return try SharedFile(inMemory: options)
        }
        path = shared.path
        self.options = options
    }

    deinit {
        close()
    }

    /// Closes the handle; later use throws `.notOpen`. Deinitialization closes it, too.
    ///
    /// Closing the last handle closes the connections, after operations in progress have ended. If
    /// the file was written to, it also updates the planner statistics and, if there are many,
    /// reclaims free pages, unless ``DataFileOptions/maintenance`` is off.
    public func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { FileRegistry.ofProcess.release(shared) }
    }

    /// The file, provided that the handle is open.
    ///
    /// Throws `.notOpen`.
    package func requireOpen() throws -> SharedFile {
        guard isOpen.withLock({ $0 }) else { throw StoreError.closed(path) }
        return shared
    }

    /// The file, provided that the handle is open and writable.
    ///
    /// Throws `.notOpen` or `.notWriteable`.
    package func requireWriter() throws -> SharedFile {
        let shared = try requireOpen()
        guard options.access != .readOnly else {
            throw StoreError(.notWriteable, "\(path) was opened read-only")
        }
        return shared
    }
}

extension DataFile {
    /// The schema version of the file when it was opened, such as 503; see `docs/file-format.md`.
    public var schemaVersion: Int { shared.schemaVersion }

    /// Whether the file was opened without locks, because its directory is not writable: commits of
    /// a writer that are only in its WAL are not visible then.
    public var isImmutable: Bool { shared.isImmutable }
}

extension DataFile {
    /// The current size of the database file and of its WAL, in bytes; the size of blobs is not
    /// included.
    public var size: FileSize {
        let bundle = BundlePath(path)
        return FileSize(
            database: FileSystem.size(bundle.database), wal: FileSystem.size(bundle.wal))
    }
}

extension DataFile {
    /// The blob store: bytes that documents refer to, such as photos and sounds, which are too
    /// large for a document.
    ///
    /// It keeps this handle open.
    public var blobs: BlobStore {
        let bundle = BundlePath(path)
        return BlobStore(
            shared.blobs,
            forbidden: shared.isInMemory ? [] : [bundle.database, bundle.wal, bundle.walIndex]
        ) { [self] writing in
            guard writing else {
                _ = try requireOpen()
                return
            }
            try requireWriter().requireUnreplaced()
        }
    }
}

extension BlobDirectory {
    /// The blobs of a bundle that was opened with these options.
    ///
    /// - Parameter cipher: nil if the database is not encrypted.
    convenience init(
        _ path: String, bundle: String, _ options: DataFileOptions, cipher: BlobCipher?
    ) {
        self.init(
            path, bundle: bundle, graceSeconds: options.blobGraceSeconds, now: options.now,
            cipher: cipher, fault: options.blobFault)
    }
}

extension DataFile {
    /// Observes the changes of a store from now on, after each commit: those of this process, and
    /// those of others within `DataFileOptions.externalChangeMilliseconds`.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - sequence: records saved after this sequence come first, as one event; nil for none.
    ///
    /// Throws `.notFound` if the file does not have this store.
    public func changes(
        of store: KeyStore, since sequence: Int64? = nil
    ) throws -> KeyStoreChangeStream {
        try read { try store.subscribe(since: sequence, in: $0) }
    }

    /// Observes the changes of several stores from one snapshot on; returns the streams in the
    /// order of the stores. Does not block a thread while it waits for a connection.
    ///
    /// Throws `.notFound` if the file does not have one of them, and `CancellationError`.
    public func changes(of stores: [KeyStore]) async throws -> [KeyStoreChangeStream] {
        try await read { snapshot in
            try stores.map { try $0.subscribe(in: snapshot) }
        }
    }
}

extension KeyStore {
    fileprivate func subscribe(
        since sequence: Int64? = nil, in snapshot: Snapshot
    ) throws -> KeyStoreChangeStream {
        let position = ChangeNotifier.StorePosition(
            lastSequence: try lastSequence(in: snapshot),
            purgeCount: try purgeCount(in: snapshot))
        var catchUp: KeyStoreChanges?
        if let sequence, sequence < position.lastSequence {
            let past = ChangeNotifier.StorePosition(
                lastSequence: sequence, purgeCount: position.purgeCount)
            catchUp = try ExternalChanges.changes(of: self, since: past, position, snapshot)
        }
        return KeyStoreChangeStream(
            snapshot.state.changes.subscribe(name, position, catchUp: catchUp))
    }
}

// These block the calling thread until they are done.
extension DataFile {
    /// Runs `body` on a snapshot, which does not change while others write.
    ///
    /// Blocks the calling thread: it waits for a free connection if all
    /// ``DataFileOptions/readers`` are in use, but never for a writer. A nested `read` on the same
    /// thread uses the outer snapshot. Keep `body` short: an open snapshot prevents the WAL from
    /// being reset.
    ///
    /// - Parameter body: the snapshot is valid only within it, and on its thread.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws, or a `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireOpen().read(body) }
    }

    /// Runs `body` in a transaction, which is committed when it returns and rolled back when it
    /// throws.
    ///
    /// Blocks the calling thread while other writers of this or another process are active. A
    /// nested `write` on the same thread is a savepoint of the outer transaction: its changes are
    /// undone if it throws, and committed with the outer transaction. Each commit costs a write to
    /// the WAL, so combine many changes in one transaction.
    ///
    /// - Parameter body: the transaction is valid only within it, and on its thread.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws, or a `StoreError`: `.notWriteable` for a read-only handle and
    ///   after a failed commit; `.unsupported` or `.cannotUpgradeDatabase` for a file that this
    ///   version cannot write without loss; `.busy` if another process holds the lock for longer
    ///   than ``DataFileOptions/busyTimeoutMilliseconds``.
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().write(body) }
    }
}

// The asynchronous forms, which do not block a thread of the pool but run on the connection's own.
extension DataFile {
    /// Runs `body` on a snapshot, which does not change while others write.
    ///
    /// Cancelling the task interrupts the running statement. Throws what `body` throws,
    /// `StoreError` or `CancellationError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireOpen().read(body) }
    }

    /// Runs `body` in a transaction, which is committed when it returns, and rolled back when it
    /// throws or the task is cancelled before the commit.
    ///
    /// Throws what `body` throws, `StoreError` as the synchronous `write`, or `CancellationError`.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireWriter().write(body) }
    }
}
