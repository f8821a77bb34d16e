public import StoreFormat

/// How much a file holds, and where.
public struct FileStatistics: Sendable {
    /// What a KeyStore holds.
    public struct Store: Hashable, Sendable {
        /// The store.
        public let name: KeyStoreName
        /// Records that are not tombstones.
        public internal(set) var liveRecords = 0
        /// Tombstones, in either table.
        public internal(set) var tombstones = 0
        /// Records that expire some day.
        public internal(set) var expiringRecords = 0
        /// The bytes of all keys.
        public internal(set) var keyBytes = 0
        /// The bytes of all bodies, as they stand in the column.
        public internal(set) var bodyBytes = 0
        /// The bytes of the other revisions: the column `extra`.
        public internal(set) var extraBytes = 0
    }

    /// What a table or index takes up.
    public struct Tree: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// The table that it indexes, or itself.
        public let table: String
        /// Whether it is an index.
        public let isIndex: Bool
        /// How many pages it has.
        public let pages: Int
        /// What they take up.
        public let bytes: Int
        /// What of that is not used.
        public let unusedBytes: Int
    }

    /// The stores, sorted by name.
    public let stores: [Store]
    /// The tables and indexes, sorted by name; nil if SQLite was compiled without `dbstat`, which
    /// alone knows.
    public let trees: [Tree]?
    /// The size of a page in bytes.
    public let pageSize: Int
    /// How many pages the file has.
    public let pages: Int
    /// How many of them nothing stands in.
    public let freePages: Int
    /// The size of the log in bytes.
    public let walBytes: Int
    /// How many shared keys there are, of at most 2,048; nil if they are damaged.
    public let sharedKeyCount: Int?
}
