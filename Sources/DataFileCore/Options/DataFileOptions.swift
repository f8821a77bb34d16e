public import Logging
public import SQLCore
public import StoreFormat
internal import StorePlatform

/// How a data file is opened.
public struct DataFileOptions: Sendable {
    /// What the handle may do.
    public enum Access: Sendable {
        /// Read, and leave every byte of the file as it is; but a rollback journal that a crash has
        /// left is played back.
        case readOnly
        /// Read and write a file that exists.
        case readWrite
        /// Read and write, and make the file if there is none.
        case create
    }

    /// When a commit is on the disk. `PRAGMA synchronous`
    public enum Synchronous: String, Sendable {
        /// At the next checkpoint: a power cut can take back the latest commits, never a part of
        /// one. A crash of the process takes back nothing.
        case normal
        /// Before the commit returns.
        case full
    }

    /// What a write does to a file of an older schema.
    public enum Upgrade: Sendable {
        /// It is refused.
        case never
        /// The first one that is committed brings the file to the current schema, for good. Older
        /// versions of Couchbase Lite cannot open it then.
        case onFirstWrite
    }

    /// What the handle may do.
    public var access: Access
    /// When a commit is on the disk.
    public var synchronous = Synchronous.normal
    /// What a write does to a file of an older schema.
    public var upgrade = Upgrade.onFirstWrite
    /// How long to wait for another process's lock.
    public var busyTimeoutMilliseconds = 10_000
    /// The most connections that read at the same time; they are opened when they are needed.
    public var readers = 4
    /// The size of each connection's page cache.
    public var cacheKilobytes = 10_240
    /// How much of the file is mapped into memory; 0 for nothing.
    ///
    /// An error of the disk in mapped memory ends the process, where it is otherwise an error that
    /// is thrown.
    public var memoryMapBytes = 0
    /// The page size of a file that is made: a power of two from 512 to 65,536 bytes.
    public var pageSize = 4096
    /// How a file that is made keeps the revisions of its documents: version vectors, or for
    /// Couchbase Lite 3 revision trees beside the current bodies.
    public var versioning = Versioning.versionVectors
    /// The key of an encrypted file, an `EncryptionKey` of SQLPlus; one that is made is encrypted
    /// with it. Nil for a plain file.
    ///
    /// All handles of a process to a file have the same key. It is derived once, not for each
    /// connection.
    public var encryption: (any DatabaseKey)?
    /// How the files of blobs are named in an encrypted file that has none yet.
    public var blobNames = BlobNames.keyed
    /// Whether the engine does what it finds to be done in the background: purges records whose
    /// time has come, makes indexes that readers missed, moves the tombstones of older files, and
    /// when the last handle closes gives free pages back and keeps the planner's statistics. If
    /// not, nothing of that is done; an index that a reader misses is never made.
    public var maintenance = true
    /// How often is looked for commits of other processes while changes are observed.
    public var externalChangeMilliseconds = 100
    /// The size of the log from which on a warning is written when a reader keeps it from being
    /// emptied; in pages of the file.
    public var walWarningPages = 25_000
    /// How long a blob stays that was put and that no saved document refers to, in seconds:
    /// `DataFile.compact` removes it later. Put it in the transaction that saves the document, or
    /// save within that time.
    public var blobGraceSeconds = 3600
    /// Whether the file is written to although its schema has triggers, views or computed values
    /// of another program on the tables of the format, which run with each write.
    ///
    /// Otherwise a write is refused with `.unsupported`. Those of the indexes of Couchbase Lite, of
    /// all versions, are always trusted.
    public var trustsSchema = false
    /// Where warnings go.
    public var logger = Logger(label: "DataFileCore")

    /// The file system, and what is done on each new connection.
    package var configuration = SQLiteConfiguration.platform
    /// Called before each step of making a blob; what it throws is the step's failure.
    package var blobFault: (@Sendable (BlobStep) throws -> Void)?
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64 = { Int64(SystemClock.nanoseconds / 1_000_000) }

    /// How many operations of SQLite's virtual machine a statement may do in which triggers of
    /// another program run; some seconds.
    package var mostTriggerOperations = 200_000_000
    /// Nanoseconds since 1970, of which the times of versions are made.
    package var wallClock: @Sendable () -> UInt64 = { SystemClock.nanoseconds }

    /// Options with this access; otherwise LiteCore's defaults.
    public init(access: Access = .readOnly) {
        self.access = access
    }
}

extension DataFileOptions {
    /// Checks what has limits.
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
                .invalidParameter, "no new file is made in the form of Couchbase Lite 2")
        }
        guard busyTimeoutMilliseconds >= 0, readers > 0, cacheKilobytes > 0, memoryMapBytes >= 0,
            externalChangeMilliseconds > 0, blobGraceSeconds >= 0
        else {
            throw StoreError(
                .invalidParameter,
                "the options of a data file must not be negative, nor readers, cache or the "
                    + "interval of looking for changes 0")
        }
    }

    /// The file system of connections, and what is done on each: with the key, if there is one.
    func connectionConfiguration() throws -> SQLiteConfiguration {
        guard let encryption else { return configuration }
        return try encryption.encrypting(configuration)
    }

    /// What is the same for all handles to an open file, as text to compare.
    var shared: String {
        """
        \(synchronous) \(upgrade) \(busyTimeoutMilliseconds) \(readers) \(cacheKilobytes) \
        \(memoryMapBytes) \(maintenance) \(blobGraceSeconds) \(trustsSchema) \
        \(configuration.vfs ?? "")
        """
    }
}
