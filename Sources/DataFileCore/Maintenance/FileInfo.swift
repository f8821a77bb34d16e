internal import FleeceLite
public import StoreFormat

/// The properties of a file; see ``Snapshot/fileInfo()``.
///
/// They do not depend on the documents. For those see ``FileStatistics``.
public struct FileInfo: Sendable {
    /// `PRAGMA user_version`, which Couchbase Lite increments with each change of the format; see
    /// `docs/file-format.md`. The first write to a file with a lower version than 503 upgrades it,
    /// unless ``DataFileOptions/upgrade`` prevents that.
    public let schemaVersion: Int
    /// How revisions are stored: in version vectors or revision trees; nil if the file does not
    /// specify it, or has an unknown value.
    public let versioning: Versioning?
    /// The 16 bytes that identify the database to peers: its source ID in version vectors. Nil if
    /// the file has none.
    public let publicUUID: [UInt8]?
    /// The 16 bytes that identify the database and are not sent to peers. Nil if the file has none.
    public let privateUUID: [UInt8]?
    /// The number of shared keys, at most 2,048; nil if they are damaged. When all are used,
    /// further property names are stored as strings in each document.
    public let sharedKeyCount: Int?
}

extension Snapshot {
    /// Reads the file's properties: schema version, versioning, UUIDs and the number of shared
    /// keys.
    ///
    /// ```swift
    /// let info = try file.read { try $0.fileInfo() }
    /// show("schema \(info.schemaVersion), \(info.sharedKeyCount ?? 0) of 2048 shared keys")
    /// ```
    ///
    /// Damaged shared keys are reported as nil, not as an error. Costs a few lookups by key. For
    /// the file's size see ``FileSize``, for its contents ``FileStatistics``.
    public func fileInfo() throws -> FileInfo {
        return FileInfo(
            schemaVersion: try connection().context.schemaVersion(),
            versioning: try info(InfoKey.versioning).flatMap(BigEndian.number)
                .flatMap { Versioning(rawValue: $0) },
            publicUUID: try info(InfoKey.publicUUID), privateUUID: try info(InfoKey.privateUUID),
            sharedKeyCount: (try? requireSharedKeys())?.count)
    }
}

/// The size of a database in bytes.
///
/// ```swift
/// let size = file.size
/// show("\(size.database) bytes, and \(size.wal) in the WAL")
/// ```
///
/// ``DataFile/size`` reads it from the file system, without opening a snapshot. For blobs see
/// ``BlobStore/usage()``.
public struct FileSize: Sendable {
    /// The size of `db.sqlite3`, including its free pages.
    public let database: Int
    /// The size of the write-ahead log (`db.sqlite3-wal`); 0 if there is none. It is reused after a
    /// checkpoint and shrinks only when it is truncated, so a part of it may be unused.
    public let wal: Int
}
