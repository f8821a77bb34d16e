internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A database of Couchbase Lite's format: a directory with a SQLite file in it.
///
/// ```swift
/// let file = try DataFile(path: "people.cblite2")
/// let names = try file.read { try $0.collectionNames() }
/// ```
/// A handle can be used from all threads and tasks. Readers see a snapshot each and never wait for
/// a writer; writers come one after another. Handles to the same file share its connections.
public final class DataFile: Sendable {
    /// The directory, as an absolute path; `:memory:` if there is none.
    public let path: String
    /// How it was opened.
    public let options: DataFileOptions

    let shared: SharedFile
    private let isOpen = Locked(true)

    /// Opens a file.
    ///
    /// Throws `StoreError`: `.notFound`, `.cannotOpenFile`, `.notADatabaseFile`, `.wrongFormat`,
    /// `.databaseTooOld`, `.databaseTooNew`, `.corruptData`, `.busy`, `.notWriteable`, or
    /// `.invalidParameter` if this process has it open with other options. Nothing is upgraded.
    public init(path: String, options: DataFileOptions = DataFileOptions()) throws {
        let bundle = BundlePath(path)
        shared = try StoreError.wrapping(path: bundle.directory) {
            try FileRegistry.ofProcess.open(bundle, options)
        }
        self.path = shared.path
        self.options = options
    }

    /// Makes a database in memory, which is gone when its handle is closed.
    ///
    /// It has one connection: a reader waits for a writer, and within a write it sees what that has
    /// done so far. Throws `.invalidParameter` for options with a key: what it needs no memory for
    /// any more, in temporary files, would be plain.
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

    /// Ends the use of the file through this handle; later use throws `.notOpen`.
    ///
    /// The last handle closes the connections, after those who are at work.
    public func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if wasOpen { FileRegistry.ofProcess.release(shared) }
    }

    /// The file, while the handle is open.
    ///
    /// Throws `.notOpen`.
    package func requireOpen() throws -> SharedFile {
        guard isOpen.withLock({ $0 }) else { throw StoreError.closed(path) }
        return shared
    }

    /// The same, if the handle may write.
    ///
    /// Throws `.notOpen` or `.notWriteable`.
    package func requireWriter() throws -> SharedFile {
        let shared = try requireOpen()
        guard options.access != .readOnly else {
            throw StoreError(.notWriteable, "\(path) was opened for reading only")
        }
        return shared
    }
}

extension DataFile {
    /// The schema that the file had when it was opened, such as 503; see `docs/file-format.md`.
    public var schemaVersion: Int { shared.schemaVersion }

    /// Whether the file was opened without locks, because its directory cannot be written: what a
    /// writer has in its log and not yet in the file is then not seen.
    public var isImmutable: Bool { shared.isImmutable }
}

extension DataFile {
    /// How much space the file takes at this moment.
    public var size: FileSize {
        let bundle = BundlePath(path)
        return FileSize(
            database: FileSystem.size(bundle.database), wal: FileSystem.size(bundle.wal))
    }
}

extension DataFile {
    /// The bytes that documents refer to: photos, sounds, whatever is too large for a document.
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
            try requireWriter().requireInPlace()
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
    /// The changes of a store from now on, told after each commit: of this process, and of others
    /// within `DataFileOptions.externalChangeMilliseconds`.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - sequence: what was saved after this sequence comes first, as one event; nil for nothing.
    ///
    /// Throws `.notFound` if the file does not have this store.
    public func changes(
        of store: KeyStore, since sequence: Int64? = nil
    ) throws -> KeyStoreChangeStream {
        try read { try store.subscribe(since: sequence, in: $0) }
    }

    /// The changes of several stores from one moment on, in the order of the stores. While the task
    /// waits for a connection, nothing is blocked.
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
        let known = ChangeNotifier.Known(
            lastSequence: try lastSequence(in: snapshot),
            purgeCount: try purgeCount(in: snapshot))
        var catchUp: KeyStoreChanges?
        if let sequence, sequence < known.lastSequence {
            let past = ChangeNotifier.Known(lastSequence: sequence, purgeCount: known.purgeCount)
            catchUp = try ExternalChanges.changes(of: self, since: past, known, snapshot)
        }
        return KeyStoreChangeStream(
            snapshot.state.changes.subscribe(name, known, catchUp: catchUp))
    }
}

// Each of these blocks the thread that calls it until it is done.
extension DataFile {
    /// Runs `body` on a snapshot, which does not move while others write.
    ///
    /// Within another `read` of the same thread it is that one's snapshot.
    ///
    /// Throws what `body` throws, or `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireOpen().read(body) }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// Within another `write` of the same thread it is a savepoint of that: what it did is undone
    /// if it throws, and committed with the outer one.
    ///
    /// Throws what `body` throws, or `StoreError`: `.notWriteable` for a handle that only reads,
    /// and after a commit that failed; `.unsupported` or `.cannotUpgradeDatabase` for a file that
    /// this version cannot write faithfully, `.busy` when another process keeps the lock for
    /// longer than the timeout.
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().write(body) }
    }
}

// For tasks: nothing is blocked. They run on a thread of the connection's own.
extension DataFile {
    /// Runs `body` on a snapshot, which does not move while others write.
    ///
    /// When the task is cancelled, the statement that runs is ended. Throws what `body` throws,
    /// `StoreError` or `CancellationError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireOpen().read(body) }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or when
    /// the task is cancelled before the commit.
    ///
    /// Throws what `body` throws, `StoreError` as the other `write`, or `CancellationError`.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireWriter().write(body) }
    }
}
