internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A database in Couchbase Lite's format: a directory that contains an SQLite file.
///
/// Open it once, and use the handle from all threads and tasks. Everything else goes through its
/// `read` and `write`: they pass a ``Snapshot`` or a ``Transaction`` to a closure, and collections
/// and queries take that.
///
/// ```swift
/// let file = try DataFile(path: path, options: DataFileOptions(access: .create))
/// try file.write { transaction in
///     _ = try people.save("ada", in: transaction) { try $0.writeJSON(#"{"age": 36}"#) }
/// }
/// let age = try file.read { try people.get("ada", in: $0)?["age"]?.int }
/// ```
///
/// Both have an asynchronous form, which does not block a thread of Swift's cooperative pool.
/// Cancelling the task interrupts the running statement and rolls the transaction back:
///
/// ```swift
/// let count = try await file.read { try people.count(in: $0).live }
/// try await file.write { _ = try people.delete("ada", in: $0) }
/// ```
///
/// **Concurrency.** Each reader has a snapshot of its own and never waits for a writer; writers run
/// one at a time, also those of other processes. Handles to the same file share its connections, so
/// opening a file twice in one process is cheap, but the options must be the same. A read-only
/// handle has connections of its own, since it must not create files.
///
/// **Errors.** Calls throw ``StoreError``. The message states what happened, on which file, and
/// what to do:
///
/// ```swift
/// do {
///     try file.write { _ = try people.delete("ada", in: $0) }
/// } catch let error as StoreError where error.has(.busy) {
///     show("another process is writing", error.message)
/// }
/// ```
///
/// If a commit fails because of the disk, the handle stops writing, since the state on disk is
/// unknown: close it and open the file again. Reading continues to work.
///
/// **Cost.** Opening takes a fraction of a millisecond. A snapshot costs about as much as two
/// lookups, so read several things in one `read`, and combine many changes in one `write`.
///
/// See also ``DataFileOptions`` for access and durability, ``DocumentCollection`` for documents,
/// ``blobs`` for large bytes, ``CollectionMigrator`` for versions of a schema, and
/// `docs/concurrency.md`.
public final class DataFile: Sendable {
    /// The directory of the database, as an absolute path without a trailing slash; `:memory:` for
    /// an in-memory database.
    public let path: String
    /// The options it was opened with. Of handles that share a file, the first one's page size,
    /// logger and interval of checks apply to all.
    public let options: DataFileOptions

    let shared: SharedFile
    private let isOpen = Locked(true)

    /// Opens a database, or creates it if the options allow that.
    ///
    /// ```swift
    /// var options = DataFileOptions(access: .create)
    /// options.synchronous = .full
    /// let file = try DataFile(path: path, options: options)
    /// ```
    ///
    /// Opening reads the header and the schema version, but does not upgrade a file of an older
    /// schema: the first write does. Opening a file again in the same process shares its
    /// connections. A new database needs a path that does not exist, or an empty directory; its
    /// parent directory must exist.
    ///
    /// - Parameters:
    ///   - path: the directory of the database, by convention `NAME.cblite2`. A relative path is
    ///     resolved once, against the current directory. The directory may be a symbolic link, the
    ///     file in it must not be one.
    ///   - options: the access, the key, and other options; read-only by default.
    /// - Throws: ``StoreError/Code/notFound`` if there is no database and none may be created;
    ///   ``StoreError/Code/cannotOpenFile`` without permission, for a path that is a directory of
    ///   other files, and for a link; ``StoreError/Code/notADatabaseFile`` for other contents, a
    ///   missing or a wrong key; ``StoreError/Code/wrongFormat`` for an SQLite database of another
    ///   program; ``StoreError/Code/databaseTooOld`` and ``StoreError/Code/databaseTooNew``;
    ///   ``StoreError/Code/notWriteable``, ``StoreError/Code/busy`` and
    ///   ``StoreError/Code/corruptData``; ``StoreError/Code/invalidParameter`` for invalid options,
    ///   or if this process has the file open with other ones.
    public init(path: String, options: DataFileOptions = DataFileOptions()) throws {
        let bundle = BundlePath(path)
        shared = try StoreError.wrapping(path: bundle.directory) {
            try FileRegistry.ofProcess.open(bundle, options)
        }
        self.path = shared.path
        self.options = options
    }

    /// Creates an in-memory database, which exists until its handle is closed: for tests, previews
    /// and caches.
    ///
    /// ```swift
    /// let file = try DataFile(inMemory: DataFileOptions(access: .create))
    /// try file.write { _ = try people.save("ada", in: $0) { try $0.encode(["age": 36]) } }
    /// try file.copy(to: path)
    /// ```
    ///
    /// It has one connection: a reader waits for a writer, within a write it sees uncommitted
    /// changes, and a write inside a read throws ``StoreError/Code/transactionNotClosed``. Blobs
    /// are stored in memory, too. ``path`` is `:memory:`; two such databases share nothing.
    ///
    /// - Parameter options: the page size, the form of revisions and other options; the access is
    ///   not used for anything but refusing writes to a read-only handle.
    /// - Throws: ``StoreError/Code/invalidParameter`` for invalid options, and for options with a
    ///   key: data that SQLite moves from memory to temporary files would not be encrypted.
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

    /// Closes the handle; later use throws ``StoreError/Code/notOpen``. Deinitialization closes it,
    /// too.
    ///
    /// Closing the last handle of the process to a file closes its connections, after operations in
    /// progress have ended, and removes the WAL if no other process has the file open. If the file
    /// was written to, it also updates the planner statistics and, if there are many, reclaims free
    /// pages, unless ``DataFileOptions/maintenance`` is off. Streams of changes end.
    ///
    /// Does not throw: data is on disk with its commit, not with closing. Calling it again does
    /// nothing.
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
    ///
    /// Writing an older file upgrades it, without changing this number. ``Snapshot/fileInfo()`` has
    /// the current one.
    public var schemaVersion: Int { shared.schemaVersion }

    /// Whether the file was opened without locks, because its directory is not writable: commits of
    /// a writer that are only in its WAL are not visible then. False for every handle that can
    /// write.
    public var isImmutable: Bool { shared.isImmutable }
}

extension DataFile {
    /// The current size of the database file and of its WAL, in bytes; the size of blobs is not
    /// included.
    ///
    /// ```swift
    /// if file.size.wal > 50_000_000 { show("is a read still open?") }
    /// ```
    ///
    /// Reads the sizes from the file system, without a connection. For blobs see
    /// ``BlobStore/usage()``, for the contents `statistics()`.
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
    /// ```swift
    /// let photo = try file.blobs.put(contentsOfFile: path, contentType: "image/jpeg")
    /// try file.write { transaction in
    ///     var ada = MutableDocument("ada", ["name": "Ada"])
    ///     ada["photo"] = MutableFleeceValue(photo)
    ///     _ = try people.save(&ada, in: transaction)
    /// }
    /// ```
    ///
    /// It keeps this handle from being deinitialized; after ``close()`` its calls throw
    /// ``StoreError/Code/notOpen``.
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
    /// Observes the changes of a store from now on, after each commit: those of this process at
    /// once, and those of others within ``DataFileOptions/externalChangeMilliseconds``.
    ///
    /// ```swift
    /// for await event in try file.changes(of: people.keyStore) {
    ///     for change in event.changes where change.kind == .saved { show(change.key) }
    /// }
    /// ```
    ///
    /// Iterating is asynchronous; this call blocks while it waits for a connection. The form for
    /// several stores does not. Nothing is missed between the two calls. For the results of a
    /// query, use `observe`.
    ///
    /// - Parameters:
    ///   - store: the store; that of a collection is ``DocumentCollection/keyStore``.
    ///   - sequence: records saved after this sequence come first, as one event; nil for none
    ///     (default).
    /// - Returns: a stream, which ends when its task is cancelled or the file is closed.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have this store;
    ///   ``StoreError/Code/notOpen``.
    public func changes(
        of store: KeyStore, since sequence: Int64? = nil
    ) throws -> KeyStoreChangeStream {
        try read { try store.subscribe(since: sequence, in: $0) }
    }

    /// Observes the changes of several stores from one snapshot on. Does not block a thread while
    /// it waits for a connection.
    ///
    /// ```swift
    /// let streams = try await file.changes(of: [people.keyStore, store])
    /// for await event in streams[0] { show(event.store, event.changes.count) }
    /// ```
    ///
    /// - Parameter stores: the stores.
    /// - Returns: one stream for each store, in the order of `stores`.
    /// - Throws: ``StoreError/Code/notFound`` if the file does not have one of them;
    ///   ``StoreError/Code/notOpen``; `CancellationError`.
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
    /// ```swift
    /// let (ada, count) = try file.read { snapshot in
    ///     (try people.get("ada", in: snapshot), try people.count(in: snapshot).live)
    /// }
    /// ```
    ///
    /// Blocks the calling thread: it waits for a free connection if all ``DataFileOptions/readers``
    /// are in use, but never for a writer. A nested `read` on the same thread uses the outer
    /// snapshot; one inside a `write` sees the last committed state. Keep `body` short: an open
    /// snapshot prevents the WAL from being reset.
    ///
    /// - Parameter body: the snapshot is valid only within it, and on its thread.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws; ``StoreError/Code/notOpen`` for a closed handle; another
    ///   ``StoreError`` if the file cannot be read.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireOpen().read(body) }
    }

    /// Runs `body` in a transaction, which is committed when it returns and rolled back when it
    /// throws.
    ///
    /// ```swift
    /// let result = try file.write { transaction in
    ///     try people.save(
    ///         contentsOf: (1...1000).lazy.map { MutableDocument(nil, ["number": .int($0)]) },
    ///         in: transaction)
    /// }
    /// ```
    ///
    /// Blocks the calling thread while other writers of this or another process are active. A
    /// nested `write` on the same thread is a savepoint of the outer transaction: its changes are
    /// undone if it throws, and committed with the outer transaction. Each commit costs a write to
    /// the WAL, so combine many changes in one transaction.
    ///
    /// - Parameter body: the transaction is valid only within it, and on its thread. It is called
    ///   once.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws, or a ``StoreError``: ``StoreError/Code/notWriteable`` for a
    ///   read-only handle and after a failed commit; ``StoreError/Code/unsupported`` or
    ///   ``StoreError/Code/cannotUpgradeDatabase`` for a file that this version cannot write
    ///   without loss; ``StoreError/Code/busy`` if another process holds the lock for longer than
    ///   ``DataFileOptions/busyTimeoutMilliseconds``; ``StoreError/Code/cannotOpenFile`` if the
    ///   file was removed or replaced since it was opened. Nothing is changed then.
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().write(body) }
    }
}

// The asynchronous forms, which do not block a thread of the pool but run on the connection's own.
extension DataFile {
    /// Runs `body` on a snapshot, which does not change while others write.
    ///
    /// ```swift
    /// let ada = try await file.read { try people.get("ada", in: $0) }
    /// ```
    ///
    /// The task waits for a connection without blocking a thread; `body` runs on the connection's
    /// own thread, so it may take long. Cancelling the task interrupts the running statement.
    ///
    /// - Parameter body: the snapshot is valid only within it. It must not wait for a task.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws; `CancellationError`; ``StoreError`` as the blocking form.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireOpen().read(body) }
    }

    /// Runs `body` in a transaction, which is committed when it returns, and rolled back when it
    /// throws or the task is cancelled before the commit.
    ///
    /// ```swift
    /// let saved = try await file.write { transaction in
    ///     try people.save("ada", in: transaction) { try $0.encode(["age": 37]) }
    /// }
    /// ```
    ///
    /// The task waits for other writers without blocking a thread; `body` runs on the connection's
    /// own thread. A transaction whose commit has started can no longer be cancelled.
    ///
    /// - Parameter body: the transaction is valid only within it. It must not wait for a task.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws; `CancellationError`; ``StoreError`` as the blocking form.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireWriter().write(body) }
    }
}
