/// A row of a KeyStore: a document of a collection with its metadata, or a record of a raw store.
///
/// Applications use ``Document``, whose properties are decoded. A record has the columns of the
/// file, and is for tools that copy, check or convert files:
///
/// ```swift
/// let record = try file.read { try store.get(id, in: $0) }
/// if let record {
///     show(record.key, record.sequence, record.flags.names, record.bodySize)
/// }
/// ```
///
/// It is immutable, and independent of the snapshot from which it was read. To change a row, pass a
/// ``RecordUpdate`` to ``KeyStore/put(_:in:)``.
///
/// ``RecordContent`` chooses the columns to read. The columns of revisions have different forms in
/// one file, since upgrades are lazy; ``layout`` states which one a row has.
public struct Record: Sendable {
    /// The document ID, or the key of a raw record. Keys are equal if their UTF-8 is; see
    /// ``ExactString``.
    public let key: String
    /// The number of the change that wrote it, counted per KeyStore from 1; 0 in raw stores.
    ///
    /// Each save gives a record a higher sequence than all others of its store.
    public let sequence: Int64
    /// How many saves since then have retained the sequence, such as changes of flags.
    ///
    /// A record has not changed if its sequence and subsequence have not.
    public let subsequence: Int
    /// Whether the document is deleted, conflicted, has attachments, and so on; empty in a raw
    /// store.
    public let flags: DocumentFlags
    /// The revision in binary form; empty in a raw store.
    ///
    /// ``revisionID()`` decodes it.
    public let version: [UInt8]
    /// The `body` column; nil if it is `NULL` or was not read.
    ///
    /// It is the Fleece of the current revision, or a revision tree in rows of 2.x: see
    /// ``currentBody``.
    public let body: [UInt8]?
    /// The `extra` column; nil if it is `NULL` or was not read.
    ///
    /// It is a revision tree in rows of 3.x, and the revisions of remotes in rows of 4.x.
    public let extra: [UInt8]?
    /// The length of the `body` column in bytes, whether or not it was read; 0 if it is `NULL`.
    ///
    /// In rows of 2.x it includes the bodies of older revisions.
    public let bodySize: Int
    /// The length of the `extra` column in bytes, whether or not it was read; 0 if it is `NULL`.
    ///
    /// It is what the history of the document takes.
    public let extraSize: Int
    /// When it expires, in milliseconds since 1970 in UTC; nil if it does not expire.
    ///
    /// Maintenance purges it some time after.
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
///
/// SQLite stores long rows in chains of pages, which are read only if their columns are. Choose
/// ``metadata`` to list keys, sequences and sizes:
///
/// ```swift
/// let sizes = try file.read { snapshot in
///     let records = try store.get(["ada", "grace"], content: .metadata, in: snapshot)
///     return records.map { $0?.bodySize ?? 0 }
/// }
/// ```
public enum RecordContent: Sendable {
    /// All columns except `body` and `extra`, of which only the lengths are read.
    case metadata
    /// All columns except `extra`, of which only the length is read.
    case body
    /// All columns.
    case all
}
