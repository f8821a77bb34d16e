internal import StoreFormat

/// A row of a store's tables with all its columns, to be copied to another file.
///
/// It has the form of the file from which it was read: each row itself specifies how its revisions
/// are stored.
package struct StoredRow: Hashable, Sendable {
    /// The document ID, or the key of a raw record.
    package var key: String
    /// The sequence of the change that wrote it; nil for `NULL`, as in raw stores.
    package var sequence: Int64?
    /// The whole column, including the subsequence in its upper bits; `NULL` counts as 0.
    package var flags: Int64
    /// The revision ID or version vector in binary form; nil for `NULL`.
    package var version: [UInt8]?
    /// The column `body`; nil for `NULL`.
    package var body: [UInt8]?
    /// The column `extra`; nil for `NULL`, and in files of Couchbase Lite 2, which lack it.
    package var extra: [UInt8]?
    /// The expiration in milliseconds since 1970 (seconds in files of Couchbase Lite 2); nil for
    /// never.
    package var expiration: Int64?
    /// Whether it is in the tombstone table.
    package var isInTombstoneTable: Bool

    package init(
        key: String, sequence: Int64? = nil, flags: Int64 = 0, version: [UInt8]? = nil,
        body: [UInt8]? = nil, extra: [UInt8]? = nil, expiration: Int64? = nil,
        isInTombstoneTable: Bool = false
    ) {
        self.key = key
        self.sequence = sequence
        self.flags = flags
        self.version = version
        self.body = body
        self.extra = extra
        self.expiration = expiration
        self.isInTombstoneTable = isInTombstoneTable
    }

    /// Whether its flags mark the document as deleted.
    package var isDeleted: Bool { flags & Int64(DocumentFlags.deleted.rawValue) != 0 }
}

/// A position in an enumeration of a store's rows.
package struct StoredRowPosition: Hashable, Sendable {
    /// Whether it is in the tombstone table, which comes second.
    package var isInTombstoneTable: Bool
    /// The key of the last row.
    package var key: String

    package init(isInTombstoneTable: Bool, key: String) {
        self.isInTombstoneTable = isInTombstoneTable
        self.key = key
    }
}

extension StoredRow {
    /// The row as a record with all its content.
    var record: Record {
        Record(
            key: key, sequence: sequence ?? 0, subsequence: Int(flags >> 16),
            flags: DocumentFlags(rawValue: UInt16(truncatingIfNeeded: flags)),
            version: version ?? [], body: body, extra: extra, bodySize: body?.count ?? 0,
            extraSize: extra?.count ?? 0, expiration: expiration,
            isInTombstoneTable: isInTombstoneTable)
    }
}
