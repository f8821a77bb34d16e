internal import FleeceLite
internal import SQLCore

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
    /// How many shared keys it has, of at most 2,048.
    public let sharedKeyCount: Int
}

/// What a file has registered of an index.
public struct IndexInfo: Sendable {
    /// What an index is for.
    public enum Kind: Int, Sendable {
        /// Expressions of a document.
        case value = 0
        /// The words of text.
        case fullText = 1
        /// The elements of an array.
        case array = 2
        /// The results of a model.
        case predictive = 3
        /// Vectors that are near one another.
        case vector = 4
    }

    /// The name, unique in the file.
    public let name: String
    /// What it is for; nil for a number that is unknown.
    public let kind: Kind?
    /// The KeyStore that it indexes.
    public let keyStore: KeyStoreName
}

extension Snapshot {
    /// What the file says of itself.
    public func fileInfo() throws -> FileInfo {
        return FileInfo(
            schemaVersion: try session().context.schemaVersion(),
            versioning: try info(InfoKey.versioning).flatMap(BigEndian.number)
                .flatMap { Versioning(rawValue: $0) },
            publicUUID: try info(InfoKey.publicUUID), privateUUID: try info(InfoKey.privateUUID),
            sharedKeyCount: sharedKeys.count)
    }

    /// The file's indexes, sorted by KeyStore and name.
    ///
    /// From the table `indexes`, which files of before 2.5 lack: those have value indexes only.
    /// Throws `.wrongFormat` if that table is another one.
    public func indexes() throws -> [IndexInfo] {
        let session = try session()
        let columns = try session.context.columns(ofTable: "indexes")
        guard columns?.isSuperset(of: ["name", "type", "keyStore"]) ?? true else {
            throw StoreError(
                .wrongFormat, "the table indexes of \(session.path) is not that of a document store"
            )
        }
        let sql =
            columns != nil
            ? "SELECT name, type, keyStore FROM indexes ORDER BY keyStore, name"
            : SchemaSQL.unregisteredIndexes
        var indexes: [IndexInfo] = []
        try session.context.withStatement(sql: sql) { statement in
            while try statement.next() {
                let store = statement.text(at: 2) ?? ""
                indexes.append(
                    IndexInfo(
                        name: statement.text(at: 0) ?? "",
                        kind: IndexInfo.Kind(rawValue: Int(statement.long(at: 1))),
                        keyStore: KeyStoreName(tableName: store) ?? KeyStoreName(store)))
            }
        }
        return indexes
    }
}

/// How much room a database takes, in bytes.
public struct FileSize: Sendable {
    /// `db.sqlite3`
    public let database: Int
    /// The log of changes that are not in it yet.
    public let log: Int
}
