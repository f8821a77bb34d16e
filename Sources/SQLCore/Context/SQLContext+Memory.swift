import CSQLite

extension SQLContext {
    /// The most memory that SQLite takes in this process, by all connections together; a statement
    /// that needs more fails with `.noMemory`. `sqlite3_hard_heap_limit64`
    ///
    /// For programs that open files of strangers. It cannot be raised again, only lowered.
    ///
    /// - Parameter bytes: nothing is changed if it is not above 0.
    public static func limitMemory(bytes: Int) {
        if bytes > 0 { _ = sqlite3_hard_heap_limit64(sqlite3_int64(bytes)) }
    }
}
