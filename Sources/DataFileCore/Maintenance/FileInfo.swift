internal import FleeceLite
public import StoreFormat

/// The properties of a file; see ``Snapshot/fileInfo()``.
public struct FileInfo: Sendable {
    /// `PRAGMA user_version`; see `docs/file-format.md`.
    public let schemaVersion: Int
    /// How revisions are stored; nil if the file does not specify it, or has an unknown value.
    public let versioning: Versioning?
    /// The 16 bytes that identify the database to peers: its source ID in version vectors.
    public let publicUUID: [UInt8]?
    /// The 16 bytes that identify the database and are not sent to peers.
    public let privateUUID: [UInt8]?
    /// The number of shared keys, at most 2,048; nil if they are damaged.
    public let sharedKeyCount: Int?
}

extension Snapshot {
    /// Reads the file's properties: schema version, versioning, UUIDs and the number of shared
    /// keys.
    ///
    /// Damaged shared keys are reported as nil, not as an error. For the file's size see
    /// ``FileSize``, for its contents ``FileStatistics``.
    public func fileInfo() throws -> FileInfo {
        return FileInfo(
            schemaVersion: try session().context.schemaVersion(),
            versioning: try info(InfoKey.versioning).flatMap(BigEndian.number)
                .flatMap { Versioning(rawValue: $0) },
            publicUUID: try info(InfoKey.publicUUID), privateUUID: try info(InfoKey.privateUUID),
            sharedKeyCount: (try? requireSharedKeys())?.count)
    }
}

/// The size of a database in bytes.
public struct FileSize: Sendable {
    /// `db.sqlite3`
    public let database: Int
    /// The write-ahead log (`db.sqlite3-wal`).
    public let wal: Int
}
