/// A row of a KeyStore.
public struct Record: Sendable {
    /// The document id, or the key of a raw record.
    public let key: String
    /// The number of the change that wrote it, counted in its KeyStore; 0 in raw stores.
    public let sequence: Int64
    /// Saves since then that kept the sequence.
    public let subsequence: Int
    /// What the document is.
    public let flags: DocumentFlags
    /// The revision in binary form; empty in a raw store.
    public let version: [UInt8]
    /// The `body` column; nil if it is `NULL` or was not asked for.
    public let body: [UInt8]?
    /// The `extra` column; nil if it is `NULL` or was not asked for.
    public let extra: [UInt8]?
    /// The length of the `body` column in bytes, whether or not it was asked for.
    public let bodySize: Int
    /// The length of the `extra` column in bytes, whether or not it was asked for.
    public let extraSize: Int
    /// When it expires, in milliseconds since 1970; nil for never.
    public let expiration: Int64?
    /// Whether it stands in the table of tombstones.
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

/// How much of a record is read.
public enum RecordContent: Sendable {
    /// All columns but `body` and `extra`, of which the lengths are given.
    case metadata
    /// All columns but `extra`, of which the length is given.
    case body
    /// All columns.
    case all
}
