public import Logging
public import SQLCore
public import StoreFormat
internal import StorePlatform

/// The options for opening a data file.
///
/// The defaults are those of LiteCore, and read-only. Most programs only set the access:
///
/// ```swift
/// let file = try DataFile(path: path, options: DataFileOptions(access: .create))
/// ```
///
/// Set the others on a variable before opening. They cannot be changed afterwards:
///
/// ```swift
/// var options = DataFileOptions(access: .create)
/// options.synchronous = .full  // no commit is lost by a power failure
/// options.readers = 8
/// options.cacheKilobytes = 2048
/// let file = try DataFile(path: path, options: options)
/// ```
///
/// A tool that inspects a file of another program should neither change it nor run maintenance on
/// it. A read-only handle does neither; one that writes only what it must is opened by:
///
/// ```swift
/// var options = DataFileOptions(access: .readWrite)
/// options.upgrade = .never
/// options.maintenance = false
/// let file = try DataFile(path: path, options: options)
/// ```
///
/// All handles of a process to a file must agree in `synchronous`, `upgrade`,
/// ``busyTimeoutMilliseconds``, ``readers``, ``cacheKilobytes``, ``memoryMapBytes``,
/// ``maintenance``, ``blobGraceSeconds``, ``trustsSchema`` and the key; otherwise opening throws
/// ``StoreError/Code/invalidParameter``, or ``StoreError/Code/notADatabaseFile`` for another key.
/// Of the others, those of the first handle apply. Read-only handles are separate from those that
/// write.
///
/// Opening validates all values, also of an in-memory database: sizes and times must not be
/// negative, nor the readers, the cache or the interval of checks 0.
public struct DataFileOptions: Sendable {
    /// The access of a handle.
    ///
    /// A handle with more access than it needs costs little, except that ``create`` hides a wrong
    /// path: it creates an empty database there.
    public enum Access: Sendable {
        /// Read-only (default); the file is not changed, except that a hot rollback journal left by
        /// a crash is rolled back. Works without permission to write, and writing throws
        /// ``StoreError/Code/notWriteable``.
        case readOnly
        /// Read and write an existing file. Opening throws ``StoreError/Code/notFound`` if there is
        /// none.
        case readWrite
        /// Read and write, and create the file if it does not exist. The path may be that of an
        /// empty directory, not of one with other files.
        case create
    }

    /// When a commit is durable: SQLite's `PRAGMA synchronous`.
    ///
    /// ```swift
    /// var options = DataFileOptions(access: .create)
    /// options.synchronous = .full
    /// ```
    ///
    /// In both cases a commit is atomic, and is not lost by a crash of the program.
    public enum Synchronous: String, Sendable {
        /// At the next checkpoint (default): a power failure can lose the latest commits, but never
        /// a part of one. A crash of the process loses nothing. A commit does not wait for the
        /// disk.
        case normal
        /// Before the commit returns: each commit waits for the disk, which takes some milliseconds
        /// on many disks. Combine changes in one transaction.
        case full
    }

    /// How a write handles a file of an older schema.
    ///
    /// Reading never upgrades. ``DataFile/schemaVersion`` is less than 503 for an older file.
    public enum Upgrade: Sendable {
        /// The write throws ``StoreError/Code/cannotUpgradeDatabase``, and the file is not changed.
        case never
        /// The first committed write upgrades the file to the current schema (default),
        /// irreversibly. Older versions of Couchbase Lite cannot open it afterwards. It is undone
        /// if the transaction fails.
        case onFirstWrite
    }

    /// The access of the handle; ``Access-swift.enum/readOnly`` by default.
    public var access: Access
    /// When a commit is durable: by default at the next checkpoint, which is much faster.
    public var synchronous = Synchronous.normal
    /// How a write handles a file of an older schema: by default it upgrades the file.
    public var upgrade = Upgrade.onFirstWrite
    /// How long a write waits for another process's lock, in milliseconds, before it fails with
    /// ``StoreError/Code/busy``; 10,000 by default. Writers of this process wait in a queue,
    /// without a limit.
    public var busyTimeoutMilliseconds = 10_000
    /// The maximum number of reading connections, which is the number of concurrent reads; 4 by
    /// default, at least 1.
    ///
    /// Connections are opened when needed; each has its own page cache of ``cacheKilobytes``.
    /// Further readers wait in a first-in, first-out queue.
    public var readers = 4
    /// The size of each connection's page cache in kilobytes; 10,240 by default. It is the maximum:
    /// memory is used as pages are read. There are ``readers`` and up to two more connections.
    public var cacheKilobytes = 10_240
    /// How many bytes of the file are memory-mapped; 0 (default) for none.
    ///
    /// Mapping saves copies of pages into the cache. But a disk error in mapped memory terminates
    /// the process, while other disk errors are thrown.
    public var memoryMapBytes = 0
    /// The page size of a new file: a power of two from 512 to 65,536 bytes; 4096 by default. It
    /// has no effect on an existing file.
    public var pageSize = 4096
    /// How a new file stores the revisions of its documents: version vectors (default), or for
    /// Couchbase Lite 3 revision trees separate from the current bodies.
    ///
    /// ``Versioning/treesInBody`` is not possible for a new file. An existing file keeps its form;
    /// see ``Transaction/upgradeVersioning(to:)``.
    public var versioning = Versioning.versionVectors
    /// The key of an encrypted file, an `EncryptionKey` of SQLPlus; new files are encrypted with
    /// it. Nil (default) for a plaintext file.
    ///
    /// ```swift
    /// var options = DataFileOptions(access: .create)
    /// options.encryption = databaseKey
    /// let file = try DataFile(path: path, options: options)
    /// ```
    ///
    /// All handles of a process to a file must have the same key. It is derived once, not for each
    /// connection; retain the key object to open the file again without another derivation. A
    /// plaintext file is not encrypted by opening it with a key: see
    /// ``DataFile/encrypt(path:key:blobNames:)``.
    public var encryption: (any DatabaseKey)?
    /// How the files of blobs are named in an encrypted file that is created; ``BlobNames/keyed``
    /// by default. It has no effect on a file that has a key for its blobs.
    public var blobNames = BlobNames.keyed
    /// Whether maintenance runs in the background; true by default.
    ///
    /// It purges expired records, creates lazy indexes that readers requested, moves the tombstones
    /// of older files, and when the last handle closes returns free pages and updates the planner
    /// statistics. If false, none of this happens; an index that a reader requests is never
    /// created. It works in short transactions, so that a writer does not wait long. A handle that
    /// is open only briefly usually does none: the first run is 250 ms after opening.
    public var maintenance = true
    /// The interval of checks for commits of other processes while there are observers, in
    /// milliseconds; 100 by default. A check takes a few microseconds.
    public var externalChangeMilliseconds = 100
    /// The size of the WAL, in pages, above which a warning is logged if a reader prevents the WAL
    /// from being reset; 25,000 by default, about 100 MB. The next warning follows at twice that
    /// size.
    public var walWarningPages = 25_000
    /// How long an unused blob is retained after it was put, in seconds; 3600 by default. Later
    /// `compact` removes it.
    ///
    /// Put a blob within the transaction that saves its document, or save the document within this
    /// time. 0 is safe if all blobs are put within the transaction.
    public var blobGraceSeconds = 3600
    /// Whether to write to a file whose schema has triggers, views or generated columns of another
    /// program on the tables of the format, which run on each write; false by default.
    ///
    /// Otherwise a write throws ``StoreError/Code/unsupported``. The triggers of Couchbase Lite's
    /// indexes, of all versions, are always trusted.
    public var trustsSchema = false
    /// The logger for warnings, such as a growing WAL, and for the upgrade of a file. By default it
    /// has the label `DataFileCore` and writes to the logging system of the program.
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

    /// Creates options with this access and otherwise the defaults.
    ///
    /// - Parameter access: the access of the handle; read-only by default.
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
