public import Logging
public import SQLCore
public import StoreFormat
internal import StorePlatform

/// The options for opening a data file.
public struct DataFileOptions: Sendable {
    /// The access of a handle.
    public enum Access: Sendable {
        /// Read-only; the file is not changed, except that a hot rollback journal left by a crash
        /// is rolled back.
        case readOnly
        /// Read and write an existing file.
        case readWrite
        /// Read and write, and create the file if it does not exist.
        case create
    }

    /// When a commit is durable. `PRAGMA synchronous`
    public enum Synchronous: String, Sendable {
        /// At the next checkpoint: a power failure can lose the latest commits, but never a part of
        /// one. A crash of the process loses nothing.
        case normal
        /// Before the commit returns.
        case full
    }

    /// How a write handles a file of an older schema.
    public enum Upgrade: Sendable {
        /// The write fails.
        case never
        /// The first committed write upgrades the file to the current schema, irreversibly. Older
        /// versions of Couchbase Lite cannot open it afterwards.
        case onFirstWrite
    }

    /// The access of the handle; ``Access/readOnly`` by default.
    public var access: Access
    /// When a commit is durable: by default at the next checkpoint, which is much faster.
    public var synchronous = Synchronous.normal
    /// How a write handles a file of an older schema.
    public var upgrade = Upgrade.onFirstWrite
    /// How long a write waits for another process's lock, in milliseconds, before it fails with
    /// `.busy`.
    public var busyTimeoutMilliseconds = 10_000
    /// The maximum number of reading connections, which is the number of concurrent reads.
    ///
    /// Connections are opened when needed; each has its own page cache of ``cacheKilobytes``.
    public var readers = 4
    /// The size of each connection's page cache in kilobytes.
    public var cacheKilobytes = 10_240
    /// How many bytes of the file are memory-mapped; 0 for none.
    ///
    /// A disk error in mapped memory terminates the process, while other disk errors are thrown.
    public var memoryMapBytes = 0
    /// The page size of a new file: a power of two from 512 to 65,536 bytes.
    public var pageSize = 4096
    /// How a new file stores the revisions of its documents: version vectors, or for Couchbase
    /// Lite 3 revision trees separate from the current bodies.
    public var versioning = Versioning.versionVectors
    /// The key of an encrypted file, an `EncryptionKey` of SQLPlus; new files are encrypted with
    /// it. Nil for a plain file.
    ///
    /// All handles of a process to a file must have the same key. It is derived once, not for each
    /// connection.
    public var encryption: (any DatabaseKey)?
    /// How the files of blobs are named in an encrypted file that has no blobs yet.
    public var blobNames = BlobNames.keyed
    /// Whether maintenance runs in the background: it purges expired records, creates lazy indexes
    /// that readers requested, moves the tombstones of older files, and when the last handle closes
    /// returns free pages and updates the planner statistics. If false, none of this happens; an
    /// index that a reader requests is never created.
    public var maintenance = true
    /// The interval of checks for commits of other processes while there are observers, in
    /// milliseconds. A check takes a few microseconds.
    public var externalChangeMilliseconds = 100
    /// The size of the WAL, in pages, above which a warning is logged if a reader prevents the WAL
    /// from being reset.
    public var walWarningPages = 25_000
    /// How long an unused blob is retained after it was put, in seconds; later `DataFile.compact`
    /// removes it. Put a blob within the transaction that saves its document, or save the document
    /// within this time.
    public var blobGraceSeconds = 3600
    /// Whether to write to a file whose schema has triggers, views or generated columns of another
    /// program on the tables of the format, which run on each write.
    ///
    /// Otherwise a write throws `.unsupported`. The triggers of Couchbase Lite's indexes, of all
    /// versions, are always trusted.
    public var trustsSchema = false
    /// The logger for warnings.
    public var logger = Logger(label: "DataFileCore")

    /// The file system, and the setup of each new connection.
    package var configuration = SQLiteConfiguration.platform
    /// Called before each step of storing a blob; an error that it throws is the step's failure.
    package var blobFault: (@Sendable (BlobStep) throws -> Void)?
    /// The current time in milliseconds since 1970.
    package var now: @Sendable () -> Int64 = { Int64(SystemClock.nanoseconds / 1_000_000) }

    /// The maximum number of virtual machine operations of a statement in which triggers of another
    /// program run; takes some seconds.
    package var mostTriggerOperations = 200_000_000
    /// Nanoseconds since 1970, the basis of the times of versions.
    package var wallClock: @Sendable () -> UInt64 = { SystemClock.nanoseconds }

    /// Creates options with this access and otherwise LiteCore's defaults.
    public init(access: Access = .readOnly) {
        self.access = access
    }
}

extension DataFileOptions {
    /// Validates the options.
    ///
    /// Throws `.invalidParameter`.
    func requireValid() throws {
        guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
            throw StoreError(
                .invalidParameter,
                "the page size \(pageSize) is not a power of two from 512 to 65536")
        }
        guard versioning != .treesInBody else {
            throw StoreError(
                .invalidParameter, "new files cannot have the form of Couchbase Lite 2")
        }
        guard busyTimeoutMilliseconds >= 0, readers > 0, cacheKilobytes > 0, memoryMapBytes >= 0,
            externalChangeMilliseconds > 0, blobGraceSeconds >= 0
        else {
            throw StoreError(
                .invalidParameter,
                "the options of a data file must not be negative, nor readers, cache or the "
                    + "interval of checks for changes 0")
        }
    }

    /// The file system and setup of connections, including the key if there is one.
    func connectionConfiguration() throws -> SQLiteConfiguration {
        guard let encryption else { return configuration }
        return try encryption.encrypting(configuration)
    }

    /// The options that all handles to an open file must share, as text to compare.
    var shared: String {
        """
        \(synchronous) \(upgrade) \(busyTimeoutMilliseconds) \(readers) \(cacheKilobytes) \
        \(memoryMapBytes) \(maintenance) \(blobGraceSeconds) \(trustsSchema) \
        \(configuration.vfs ?? "")
        """
    }
}
