import CSQLite

/// What SQLite notes in order to undo one statement of a transaction: the pages as they were.
enum StatementJournal {
    /// Beyond this it goes to a temporary file, which costs two calls of the system for each page.
    ///
    /// SQLite says 64 KB, which one document with some indexes and triggers exceeds. It must be
    /// less than 128 KB: SQLite takes this for the size of a piece of memory, and writes a larger
    /// one to the file only in part (`seekAndWriteFd`), which it then takes for a full disk.
    static let bytesInMemory: Int32 = 120 << 10

    /// Whether the process has the setting: it is one of the library, not of a connection, and
    /// cannot be made where others have used the library before. `SQLITE_CONFIG_STMTJRNL_SPILL`
    ///
    /// Apple's frameworks have, and it would be logged there as a mistake.
    static let isSetUp: Bool = {
        #if canImport(Darwin)
            return false
        #else
            return shim_config_int(SQLITE_CONFIG_STMTJRNL_SPILL, bytesInMemory) == SQLITE_OK
        #endif
    }()
}
