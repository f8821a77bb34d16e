internal import Logging
internal import QueryFunctions
package import SQLCore
internal import StoreFormat
internal import StorePlatform

/// An open file of this process, shared by all handles to it: one writing connection and several
/// reading ones.
package final class SharedFile: Sendable {
    /// The directory, as an absolute path.
    package let path: String
    let options: DataFileOptions
    let schemaVersion: Int
    let isImmutable: Bool
    /// The file at the path when it was opened; nil for an in-memory database.
    private let location: (bundle: BundlePath, identity: FileSystem.Identity?)?
    package let state: FileState
    /// The reading connections; the only connection of an in-memory database.
    package let readers: ConnectionPool<Connection>
    /// The writing connection; nil if the file was opened for reading.
    let writers: ConnectionPool<Connection>?
    /// A reading connection for the writing thread only: it must not wait for readers, which may be
    /// waiting to write. Nil for a read-only file, and if there is only one connection.
    let readerOfWriter: ConnectionPool<Connection>?
    /// Why nothing can be written any longer.
    private let damage = Locked<StoreError?>(nil)
    /// The background maintenance; nil if there is none.
    let maintenance: BackgroundMaintenance?
    private let watcher: ExternalChangeWatcher
    let checkpointPolicy: CheckpointPolicy
    /// The blobs that documents refer to.
    package let blobs: any BlobStorage
    /// Whether the file is known to have the current schema.
    let isUpgraded = Locked(false)
    /// When the planner statistics are updated.
    let analysis = Locked(AnalysisPolicy())

    /// Opens a file.
    init(_ bundle: BundlePath, _ options: DataFileOptions) throws {
        let opened = try OpenedFile(bundle, options)
        path = bundle.directory
        self.options = options
        schemaVersion = opened.schemaVersion
        isImmutable = opened.isImmutable
        let state = FileState(now: options.now, wallClock: options.wallClock)
        self.state = state
        let plan = opened.readPlan
        let directory = bundle.directory
        let identity = FileSystem.identity(bundle.database)
        location = (bundle, identity)
        let cipher = try StoredBlobKey.cipher(in: opened.first, options)
        let blobs = BlobDirectory(bundle.attachments, bundle: directory, options, cipher: cipher)
        self.blobs = blobs
        Self.removePlainLeftovers(blobs, bundle, opened.first, options)
        let first = try Connection(opened.first, directory, options, state, blobs)
        let isReadOnly = options.access == .readOnly
        // A connection that has read a writer's WAL keeps it from being removed with the writer.
        let isReader = if case .readOnly = plan { false } else { isReadOnly }
        let openReader: @Sendable () throws -> Connection = {
            let plan = try plan.forNextReader(bundle, options)
            let context = try plan.open(bundle, options)
            try Self.requireSame(identity, bundle)
            try plan.configure(context, options)
            return try Connection(context, directory, options, state, blobs)
        }
        let closedError = StoreError.closed(directory)
        readers = ConnectionPool(
            limit: options.readers, first: isReader ? first : nil, closedError: closedError,
            open: openReader)
        readerOfWriter =
            isReadOnly ? nil : ConnectionPool(limit: 1, closedError: closedError, open: openReader)
        if isReadOnly {
            writers = nil
        } else {
            try opened.first.disableAutoCheckpoint()
            writers = ConnectionPool(
                limit: 1, first: first, closedError: StoreError.closed(directory)
            ) {
                var options = options
                options.access = .readWrite
                let context = try ConnectionPlan.readWrite.open(bundle, options)
                try Self.requireSame(identity, bundle)
                try ConnectionPlan.readWrite.configure(context, options)
                try context.disableAutoCheckpoint()
                return try Connection(context, directory, options, state, blobs)
            }
        }
        maintenance = options.maintenance && !isReadOnly ? BackgroundMaintenance() : nil
        watcher = ExternalChangeWatcher(milliseconds: options.externalChangeMilliseconds)
        checkpointPolicy = CheckpointPolicy(options, path: directory)
    }

    /// Removes plaintext blobs that a crash left next to the encrypted ones.
    private static func removePlainLeftovers(
        _ blobs: BlobDirectory, _ bundle: BundlePath, _ context: SQLContext,
        _ options: DataFileOptions
    ) {
        guard options.access != .readOnly, blobs.cipher != nil else { return }
        do {
            try blobs.removePlainLeftovers(context, databaseDirectory: bundle.walDirectory)
        } catch {
            // The next opening and garbage collections try again.
            options.logger.debug("\(blobs.path) may still contain plaintext blobs: \(error)")
        }
    }

    /// Checks that the file was not removed or replaced meanwhile: writes would be lost.
    ///
    /// Throws `.cannotOpenFile`.
    func requireUnreplaced() throws {
        if let location { try Self.requireSame(location.identity, location.bundle) }
    }

    /// Checks that a connection opened later is to the same file.
    private static func requireSame(
        _ identity: FileSystem.Identity?, _ bundle: BundlePath
    ) throws {
        guard FileSystem.identity(bundle.database) == identity else {
            throw StoreError(
                .cannotOpenFile,
                "\(bundle.directory) was removed or replaced while it was open; close it and open "
                    + "it again")
        }
    }

    /// Opens an in-memory database, which has one connection only.
    init(inMemory options: DataFileOptions) throws {
        path = ":memory:"
        self.options = options
        schemaVersion = SchemaSQL.currentVersion
        isImmutable = false
        location = nil
        state = FileState(now: options.now, wallClock: options.wallClock)
        let blobs = MemoryBlobs(graceSeconds: options.blobGraceSeconds)
        self.blobs = blobs
        let first = try Connection(OpenedFile.inMemory(options), path, options, state, blobs)
        readers = ConnectionPool(limit: 1, first: first, closedError: StoreError.closed(path)) {
            throw StoreError(.notOpen, "the in-memory database is lost")
        }
        writers = readers
        readerOfWriter = nil
        maintenance = options.maintenance ? BackgroundMaintenance() : nil
        watcher = ExternalChangeWatcher(milliseconds: options.externalChangeMilliseconds)
        checkpointPolicy = CheckpointPolicy(options, path: path)
        start()
    }

    /// Starts the background work.
    func start() {
        maintenance?.start(self)
        if !isInMemory { watcher.start(self) }
    }

    /// Whether it is an in-memory database.
    var isInMemory: Bool { writers === readers }

    /// Closes all connections.
    func close() {
        if maintenance != nil { cleanUp() }
        maintenance?.stop()
        watcher.stop()
        state.changes.close()
        // The writer is closed last: the last connection to close checkpoints the WAL.
        readers.close()
        readerOfWriter?.close()
        writers?.close()
        maintenance?.wait()
        watcher.wait()
    }

    /// Cleans up when a file that was written to is closed, unless it is in use.
    private func cleanUp() {
        let hasWritten = analysis.withLock { $0.hasChanges }
        guard hasWritten, let writers, writers.idleCount > 0, writers.heldConnection == nil else {
            return
        }
        do {
            try withWriterContext { context in
                try Optimization.optimize(context)
                _ = try Compaction(context: context, path: path, isExplicit: false).run()
            }
        } catch {
            // The file is complete without it.
            options.logger.debug("\(path) was closed without being optimized: \(error)")
        }
    }

    /// Checks that no commit has failed.
    ///
    /// Throws the error of the commit that failed.
    func requireHealth() throws {
        if let error = damage.withLock({ $0 }) { throw error }
    }

    /// Stops writing: a commit has failed, and the state on disk is unknown.
    ///
    /// The WAL is retained: it is valid up to the last successful commit, and is read when the file
    /// is opened the next time.
    func stopWriting(_ connection: Connection, _ error: any Error) {
        try? connection.context.keepWALOnClose()
        damage.withLock { damage in
            guard damage == nil else { return }
            damage = StoreError(
                .notWriteable,
                "\(path) is not written to because a commit or checkpoint failed (\(error)); "
                    + "close it and open it again",
                underlying: error)
        }
    }
}

extension StoreError {
    /// The error for a closed handle.
    static func closed(_ path: String) -> StoreError {
        StoreError(.notOpen, "\(path) has been closed")
    }
}

extension Connection {
    /// A connection of an open file.
    fileprivate convenience init(
        _ context: SQLContext, _ path: String, _ options: DataFileOptions, _ state: FileState,
        _ blobs: any BlobStorage
    ) throws {
        let pooled = try PooledContext(context, busyTimeout: options.busyTimeoutMilliseconds)
        try self.init(pooled, path: path, state: state, trustsSchema: options.trustsSchema)
        functions.readBlob = { blobs.contents(ofDigest: $0) }
        try NearestTable.register(in: self)
    }
}
