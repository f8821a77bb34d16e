internal import Logging
internal import QueryFunctions
package import SQLCore
internal import StoreFormat
internal import StorePlatform

/// A file that is open in this process, shared by all handles to it: one connection that writes,
/// and some that read.
package final class SharedFile: Sendable {
    /// The directory, as an absolute path.
    package let path: String
    let options: DataFileOptions
    let schemaVersion: Int
    let isImmutable: Bool
    /// The file that the path has led to; nil if there is none.
    private let place: (bundle: BundlePath, identity: FileSystem.Identity?)?
    package let state: FileState
    /// Connections for reading; the one for writing of a database in memory.
    package let readers: ConnectionPool
    /// Nil if the file was opened for reading.
    let writers: ConnectionPool?
    /// A connection for reading that only the thread gets that writes: it must not wait for
    /// readers, who may be waiting to write. Nil if nobody writes, or all is one connection.
    let readerOfWriter: ConnectionPool?
    /// Why nothing can be written any more.
    private let damage = Locked<StoreError?>(nil)
    /// What is done in the background; nil if nothing is.
    let maintenance: BackgroundMaintenance?
    private let watcher: ExternalChangeWatcher
    let checkpointPolicy: CheckpointPolicy
    /// The bytes that documents refer to.
    package let blobs: any BlobStorage
    /// The file was found to have the current schema, or was brought to it.
    let isUpgraded = Locked(false)
    /// When the planner's statistics are renewed.
    let analysis = Locked(AnalysisPolicy())

    /// Opens a file.
    init(_ bundle: BundlePath, _ options: DataFileOptions) throws {
        let opened = try OpenedFile(bundle, options)
        path = bundle.directory
        self.options = options
        schemaVersion = opened.schemaVersion
        isImmutable = opened.isImmutable
        state = FileState(now: options.now, wallClock: options.wallClock)
        let plan = opened.readPlan
        let directory = bundle.directory
        let identity = FileSystem.identity(bundle.database)
        place = (bundle, identity)
        let cipher = try StoredBlobKey.cipher(in: opened.first, options)
        let blobs = BlobDirectory(bundle.attachments, bundle: directory, options, cipher: cipher)
        self.blobs = blobs
        Self.removePlainLeftovers(blobs, bundle, opened.first, options)
        let first = try Self.member(opened.first, directory, options, blobs)
        let isReadOnly = options.access == .readOnly
        // One that has read a writer's log keeps it from being removed when the writer goes.
        let isReader = if case .readOnly = plan { false } else { isReadOnly }
        let openReader: @Sendable () throws -> PooledConnection = {
            let plan = try plan.forNextReader(bundle, options)
            let context = try plan.open(bundle, options)
            try Self.requireSame(identity, bundle)
            try plan.configure(context, options)
            return try Self.member(context, directory, options, blobs)
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
            try opened.first.takeOverCheckpoints()
            writers = ConnectionPool(limit: 1, first: first, closedError: StoreError.closed(directory)) {
                var options = options
                options.access = .readWrite
                let context = try ConnectionPlan.readWrite.open(bundle, options)
                try Self.requireSame(identity, bundle)
                try ConnectionPlan.readWrite.configure(context, options)
                try context.takeOverCheckpoints()
                return try Self.member(context, directory, options, blobs)
            }
        }
        maintenance = options.maintenance && !isReadOnly ? BackgroundMaintenance() : nil
        watcher = ExternalChangeWatcher(milliseconds: options.externalChangeMilliseconds)
        checkpointPolicy = CheckpointPolicy(options, path: directory)
    }

    /// Removes the plain blobs that a crash has left beside the encrypted ones.
    private static func removePlainLeftovers(
        _ blobs: BlobDirectory, _ bundle: BundlePath, _ context: SQLContext,
        _ options: DataFileOptions
    ) {
        guard options.access != .readOnly, blobs.cipher != nil else { return }
        do {
            try blobs.removePlainLeftovers(context, databaseDirectory: bundle.walDirectory)
        } catch {
            // The next opening tries it again, and so does a collection.
            options.logger.debug("\(blobs.path) may have plain blobs still: \(error)")
        }
    }

    /// What is written to a file that was removed or replaced meanwhile would be lost.
    ///
    /// Throws `.cannotOpenFile`.
    func requireInPlace() throws {
        if let place { try Self.requireSame(place.identity, place.bundle) }
    }

    /// Connections that are opened later must be to the same file.
    private static func requireSame(
        _ identity: FileSystem.Identity?, _ bundle: BundlePath
    ) throws {
        guard FileSystem.identity(bundle.database) == identity else {
            throw StoreError(
                .cannotOpenFile,
                "\(bundle.directory) was removed or replaced while it was open; close it and open it "
                    + "again")
        }
    }

    /// Opens a database in memory, which has one connection only.
    init(inMemory options: DataFileOptions) throws {
        path = ":memory:"
        self.options = options
        schemaVersion = SchemaSQL.currentVersion
        isImmutable = false
        place = nil
        state = FileState(now: options.now, wallClock: options.wallClock)
        let blobs = MemoryBlobs(graceSeconds: options.blobGraceSeconds)
        self.blobs = blobs
        let first = try Self.member(OpenedFile.inMemory(options), path, options, blobs)
        readers = ConnectionPool(limit: 1, first: first, closedError: StoreError.closed(path)) {
            throw StoreError(.notOpen, "the database in memory is lost")
        }
        writers = readers
        readerOfWriter = nil
        maintenance = options.maintenance ? BackgroundMaintenance() : nil
        watcher = ExternalChangeWatcher(milliseconds: options.externalChangeMilliseconds)
        checkpointPolicy = CheckpointPolicy(options, path: path)
        start()
    }

    private static func member(
        _ context: SQLContext, _ path: String, _ options: DataFileOptions,
        _ blobs: any BlobStorage
    ) throws -> PooledConnection {
        let member = try PooledConnection(context, busyTimeout: options.busyTimeoutMilliseconds)
        let session = try Session(context: context, path: path)
        session.functions.readBlob = { blobs.contents(ofDigest: $0) }
        session.trustsSchema = options.trustsSchema
        member.attachment = session
        return member
    }

    /// Begins what is done in the background.
    func start() {
        maintenance?.start(self)
        if !isInMemory { watcher.start(self) }
    }

    /// Whether there is no file.
    var isInMemory: Bool { writers === readers }

    /// Closes all connections.
    func close() {
        if maintenance != nil { tidyUp() }
        maintenance?.stop()
        watcher.stop()
        state.changes.close()
        // The writer goes last: whoever closes last moves the log into the file.
        readers.close()
        readerOfWriter?.close()
        writers?.close()
        maintenance?.wait()
        watcher.wait()
    }

    /// What is done when a file that was written to is closed, unless it is in use.
    private func tidyUp() {
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
            // The file is whole without it.
            options.logger.debug("\(path) was closed without being optimized: \(error)")
        }
    }

    /// Why nothing can be written any more.
    ///
    /// Throws the error of the commit that failed.
    func requireHealth() throws {
        if let error = damage.withLock({ $0 }) { throw error }
    }

    /// Refuses to write from now on: a commit has failed, and what is on the disk is not known.
    ///
    /// The log is kept as it is: it is sound up to the last good commit, and is read when the file
    /// is opened the next time.
    func giveUp(_ session: Session, _ error: any Error) {
        try? session.context.keepWALOnClose()
        damage.withLock { damage in
            guard damage == nil else { return }
            damage = StoreError(
                .notWriteable,
                "\(path) is not written to since a commit or checkpoint failed (\(error)); "
                    + "close it and open it again",
                underlying: error)
        }
    }
}

extension StoreError {
    /// The error of a handle that was closed.
    static func closed(_ path: String) -> StoreError {
        StoreError(.notOpen, "\(path) has been closed")
    }
}

extension PooledConnection {
    /// What is kept with the connection.
    package func session(_ path: String) throws -> Session {
        guard let session = attachment as? Session else { throw StoreError.closed(path) }
        return session
    }
}
