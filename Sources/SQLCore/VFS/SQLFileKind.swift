import CSQLite

/// The purpose of a file: one of the file types among the flags of `xOpen`.
///
/// A ``SQLFile`` decides by it what to do: an encrypting file system treats the pages of the main
/// database and the frames of the WAL differently.
public enum SQLFileKind: Sendable {
    /// `SQLITE_OPEN_MAIN_DB`
    case mainDatabase
    /// `SQLITE_OPEN_MAIN_JOURNAL`: the rollback journal.
    case mainJournal
    /// `SQLITE_OPEN_WAL`: the write-ahead log.
    case wal
    /// `SQLITE_OPEN_TEMP_DB`
    case temporaryDatabase
    /// `SQLITE_OPEN_TEMP_JOURNAL`
    case temporaryJournal
    /// `SQLITE_OPEN_TRANSIENT_DB`: a temporary table of one statement.
    case transientDatabase
    /// `SQLITE_OPEN_SUBJOURNAL`: the journal of a savepoint or a statement.
    case subjournal
    /// `SQLITE_OPEN_SUPER_JOURNAL`: the journal of a transaction over several files.
    case superJournal
    /// A kind that this library does not know.
    case other

    init(flags: Int32) {
        let kinds: [(Int32, SQLFileKind)] = [
            (SQLITE_OPEN_MAIN_DB, .mainDatabase), (SQLITE_OPEN_MAIN_JOURNAL, .mainJournal),
            (SQLITE_OPEN_WAL, .wal), (SQLITE_OPEN_TEMP_DB, .temporaryDatabase),
            (SQLITE_OPEN_TEMP_JOURNAL, .temporaryJournal),
            (SQLITE_OPEN_TRANSIENT_DB, .transientDatabase), (SQLITE_OPEN_SUBJOURNAL, .subjournal),
            // SQLITE_OPEN_SUPER_JOURNAL, which had another name before 3.33.
            (0x4000, .superJournal),
        ]
        self = kinds.first { flags & $0.0 != 0 }?.1 ?? .other
    }

    /// Whether the parameters of the database's URI are accessible by the name that SQLite passes.
    var hasParameters: Bool {
        switch self {
        case .mainDatabase, .mainJournal, .wal: true
        default: false
        }
    }
}

extension SQLResultCode {
    /// `SQLITE_IOERR_SHORT_READ`: the file has fewer bytes than requested; the rest must be zeros.
    public static let shortRead = SQLResultCode(rawValue: SQLITE_IOERR | 2 << 8)
    /// `SQLITE_IOERR_READ`: reading from the disk failed.
    public static let readFailed = SQLResultCode(rawValue: SQLITE_IOERR | 1 << 8)
    /// `SQLITE_IOERR_WRITE`: writing to the disk failed.
    public static let writeFailed = SQLResultCode(rawValue: SQLITE_IOERR | 3 << 8)
    /// `SQLITE_IOERR_FSYNC`: flushing to the disk failed; it is unknown what has been written.
    public static let syncFailed = SQLResultCode(rawValue: SQLITE_IOERR | 4 << 8)
    /// `SQLITE_IOERR_TRUNCATE`: changing the length of the file failed.
    public static let truncateFailed = SQLResultCode(rawValue: SQLITE_IOERR | 6 << 8)
}
