import CSQLite

/// A SQLite result code, primary (`SQLITE_BUSY`) or extended (`SQLITE_BUSY_SNAPSHOT`).
///
/// A primary code matches its extended ones in `catch` and `switch`:
/// ```swift
/// catch let error as SQLError where .busy ~= error.code { … }
/// ```
public struct SQLResultCode: RawRepresentable, Hashable, Sendable {
    /// SQLite's number.
    public let rawValue: Int32

    /// Wraps a number that SQLite returned, including unknown ones.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The primary code: the low eight bits.
    public var primary: SQLResultCode { SQLResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `code` equals `pattern`, or is one of its extended codes if `pattern` is primary.
    public static func ~= (pattern: SQLResultCode, code: SQLResultCode) -> Bool {
        pattern == code || pattern == code.primary
    }
}

extension SQLResultCode {
    /// `SQLITE_OK`
    public static let ok = SQLResultCode(rawValue: SQLITE_OK)
    /// `SQLITE_ERROR`: an error in the SQL, or a missing table.
    public static let error = SQLResultCode(rawValue: SQLITE_ERROR)
    /// `SQLITE_ABORT_ROLLBACK`: the transaction was rolled back while the statement was active.
    public static let abortedByRollback = SQLResultCode(
        rawValue: SQLITE_ABORT | (2 << 8))
    /// `SQLITE_PERM`
    public static let permission = SQLResultCode(rawValue: SQLITE_PERM)
    /// `SQLITE_BUSY`: another connection holds the lock.
    public static let busy = SQLResultCode(rawValue: SQLITE_BUSY)
    /// `SQLITE_LOCKED`
    public static let locked = SQLResultCode(rawValue: SQLITE_LOCKED)
    /// `SQLITE_NOMEM`
    public static let noMemory = SQLResultCode(rawValue: SQLITE_NOMEM)
    /// `SQLITE_READONLY`
    public static let readOnly = SQLResultCode(rawValue: SQLITE_READONLY)
    /// `SQLITE_READONLY_ROLLBACK`: a hot journal must be played back, but the file is read-only.
    public static let hotJournal = SQLResultCode(rawValue: SQLITE_READONLY | (3 << 8))
    /// `SQLITE_CANTOPEN_SYMLINK`: the path contains a symbolic link, and `.noFollow` was specified.
    public static let symbolicLink = SQLResultCode(rawValue: SQLITE_CANTOPEN | (6 << 8))
    /// `SQLITE_INTERRUPT`
    public static let interrupted = SQLResultCode(rawValue: SQLITE_INTERRUPT)
    /// `SQLITE_IOERR`
    public static let inputOutput = SQLResultCode(rawValue: SQLITE_IOERR)
    /// `SQLITE_CORRUPT`
    public static let corrupt = SQLResultCode(rawValue: SQLITE_CORRUPT)
    /// `SQLITE_FULL`
    public static let full = SQLResultCode(rawValue: SQLITE_FULL)
    /// `SQLITE_CANTOPEN`
    public static let cannotOpen = SQLResultCode(rawValue: SQLITE_CANTOPEN)
    /// `SQLITE_CONSTRAINT`
    public static let constraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT)
    /// `SQLITE_CONSTRAINT_UNIQUE`: a row has the same values in the columns of a unique index.
    public static let uniqueConstraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`: a row has the same primary key.
    public static let primaryKeyConstraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// `SQLITE_MISUSE`
    public static let misuse = SQLResultCode(rawValue: SQLITE_MISUSE)
    /// `SQLITE_TOOBIG`: a string, blob or row exceeds a limit.
    public static let tooBig = SQLResultCode(rawValue: SQLITE_TOOBIG)
    /// `SQLITE_RANGE`: the parameter or column does not exist.
    public static let range = SQLResultCode(rawValue: SQLITE_RANGE)
    /// `SQLITE_NOTADB`: the file is not a SQLite database, or it is encrypted.
    public static let notADatabase = SQLResultCode(rawValue: SQLITE_NOTADB)
}

extension SQLResultCode: CustomStringConvertible {
    /// SQLite's English description of the code, and its number.
    public var description: String {
        let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown"
        return "\(text) (\(rawValue))"
    }
}
