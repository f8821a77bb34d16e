/// What a commit guarantees; the same for all databases of a table.
package enum Durability: String, CaseIterable, Sendable {
    /// Each commit is on the disk: `synchronous=FULL` with a write-ahead log, LMDB's default.
    case full
    /// A loss of power can lose the last commits, but not damage the file: `synchronous=NORMAL`
    /// with a write-ahead log, LMDB's `MDB_NOMETASYNC`, which still flushes the data of each
    /// commit and delays only the page that refers to it.
    case normal

    /// The settings of each SQLite connection, except for those of the document store, which sets
    /// the same ones.
    var pragmas: String {
        """
        PRAGMA journal_mode=WAL; PRAGMA synchronous=\(rawValue); PRAGMA cache_size=-10240; \
        PRAGMA mmap_size=0; PRAGMA journal_size_limit=5242880; PRAGMA secure_delete=off; \
        PRAGMA busy_timeout=10000
        """
    }
}
