/// A row of a KeyStore.
public struct Record: Sendable {
    /// The document id, or the key of a raw record.
    public let key: String
    /// The number of the change that wrote it, counted per KeyStore; 0 in raw stores.
    public let sequence: Int64
    /// How many saves since then kept the sequence.
    public let subsequence: Int
    /// Whether the document is deleted, conflicted, has attachments, and so on.
    public let flags: DocumentFlags
    /// The revision in binary form; empty in a raw store.
    public let version: [UInt8]
    /// The `body` column; nil if it is `NULL` or was not read.
    public let body: [UInt8]?
    /// The `extra` column; nil if it is `NULL` or was not read.
    public let extra: [UInt8]?
    /// The length of the `body` column in bytes, whether or not it was read.
    public let bodySize: Int
    /// The length of the `extra` column in bytes, whether or not it was read.
    public let extraSize: Int
    /// When it expires, in milliseconds since 1970; nil if it does not expire.
    public let expiration: Int64?
    /// Whether the row is in the tombstone table.
    @usableFromInline package let isInTombstoneTable: Bool

    @inlinable
    package init(
        key: String, sequence: Int64, subsequence: Int, flags: DocumentFlags, version: [UInt8],
        body: [UInt8]?, extra: [UInt8]?, bodySize: Int, extraSize: Int, expiration: Int64?,
        isInTombstoneTable: Bool
    ) {
        self.key = key
        self.sequence = sequence
        self.subsequence = subsequence
        self.flags = flags
        self.version = version
        self.body = body
        self.extra = extra
        self.bodySize = bodySize
        self.extraSize = extraSize
        self.expiration = expiration
        self.isInTombstoneTable = isInTombstoneTable
    }
}

/// Which columns of a record are read.
public enum RecordContent: Sendable {
    /// All columns except `body` and `extra`, of which only the lengths are read.
    case metadata
    /// All columns except `extra`, of which only the length is read.
    case body
    /// All columns.
    case all
}
