internal import FleeceLite
public import StoreFormat

/// What a file says of itself.
public struct FileInfo: Sendable {
    /// `PRAGMA user_version`; see `docs/file-format.md`.
    public let schemaVersion: Int
    /// How revisions are kept; nil if the file does not say, or says a number that is unknown.
    public let versioning: Versioning?
    /// The 16 bytes that peers know this database by; its source id in version vectors.
    public let publicUUID: [UInt8]?
    /// 16 bytes that are not told to peers.
    public let privateUUID: [UInt8]?
    /// How many shared keys it has, of at most 2,048; nil if they are damaged.
    public let sharedKeyCount: Int?
}

extension Snapshot {
    /// What the file says of itself.
    public func fileInfo() throws -> FileInfo {
        return FileInfo(
            schemaVersion: try session().context.schemaVersion(),
            versioning: try info(InfoKey.versioning).flatMap(BigEndian.number)
                .flatMap { Versioning(rawValue: $0) },
            publicUUID: try info(InfoKey.publicUUID), privateUUID: try info(InfoKey.privateUUID),
            sharedKeyCount: (try? requireSharedKeys())?.count)
    }
}

/// How much space a database takes, in bytes.
public struct FileSize: Sendable {
    /// `db.sqlite3`
    public let database: Int
    /// The log of changes that are not in it yet.
    public let wal: Int
}
