public import StoreFormat

/// Statistics of a file's contents and of the space they occupy, as of one snapshot.
///
/// ```swift
/// let statistics = try file.statistics()
/// for store in statistics.stores {
///     show(store.name.rawName, store.liveRecords, store.tombstones, store.bodyBytes)
/// }
/// let free = statistics.freePages * statistics.pageSize
/// show("\(free) bytes can be reclaimed by compact()")
/// ```
///
/// `DataFile.statistics` gathers them in one pass over each table, which does not block writers.
/// Lengths come from the rows' headers: the pages of large bodies are not read.
///
/// The lengths are those of the stored columns. Free pages and unused bytes inside pages count
/// towards the file's size, but not towards any store's.
public struct FileStatistics: Sendable {
    /// The contents of a KeyStore.
    public struct Store: Hashable, Sendable {
        /// The store's name.
        public let name: KeyStoreName
        /// The number of live records.
        public internal(set) var liveRecords = 0
        /// The number of tombstones, in either table. They remain until they are purged.
        public internal(set) var tombstones = 0
        /// The number of records with an expiration, live or deleted.
        public internal(set) var expiringRecords = 0
        /// The total size of the keys in bytes.
        public internal(set) var keyBytes = 0
        /// The total size of the bodies in bytes, as stored.
        public internal(set) var bodyBytes = 0
        /// The total size of the other revisions (the column `extra`) in bytes. If it is large in
        /// comparison with ``bodyBytes``, the documents have long revision trees or many conflicts.
        public internal(set) var extraBytes = 0
    }

    /// The space that a table or index occupies.
    ///
    /// ```swift
    /// let trees = try file.statistics().trees ?? []
    /// for tree in trees.sorted(by: { $0.bytes > $1.bytes }).prefix(10) {
    ///     show(tree.name, tree.isIndex ? "index on \(tree.table)" : "table", tree.bytes)
    /// }
    /// ```
    public struct Tree: Hashable, Sendable {
        /// The name of the table or index in SQLite's schema, such as `kv_default`.
        public let name: String
        /// The table that is indexed; for a table, its own name.
        public let table: String
        /// Whether it is an index.
        public let isIndex: Bool
        /// The number of pages.
        public let pages: Int
        /// The size of the pages in bytes.
        public let bytes: Int
        /// The unused part of that in bytes: space inside pages, which later rows use.
        /// `DataFile.vacuum()` reduces it.
        public let unusedBytes: Int
    }

    /// The stores, sorted by name.
    public let stores: [Store]
    /// The tables and indexes, sorted by name; nil if SQLite was compiled without `dbstat`.
    public let trees: [Tree]?
    /// The size of a page in bytes.
    public let pageSize: Int
    /// The number of pages of the file, including free ones.
    public let pages: Int
    /// The number of free pages, which later writes use, and which `DataFile.compact` returns to
    /// the file system.
    public let freePages: Int
    /// The size of the WAL in bytes.
    public let walBytes: Int
    /// The number of shared keys, at most 2,048; nil if they are damaged.
    public let sharedKeyCount: Int?
}
