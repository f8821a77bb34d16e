import CSQLite

/// A SQLite result code, primary (`SQLITE_BUSY`) or extended (`SQLITE_BUSY_SNAPSHOT`).
///
/// A primary code matches its extended ones in `catch` and `switch`:
/// ```swift
/// catch let error as SQLError where .busy ~= error.code { … }
/// ```
public struct SQLResultCode: RawRepresentable, Hashable, Sendable {
    /// The number that SQLite gives it.
    public let rawValue: Int32

    /// Wraps a number that SQLite returned; unknown numbers are kept.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without its extension: the low eight bits.
    public var primary: SQLResultCode { SQLResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `code` is `pattern`, or one of its extended codes when `pattern` is primary.
    public static func ~= (pattern: SQLResultCode, code: SQLResultCode) -> Bool {
        pattern == code || pattern == code.primary
    }
}

extension SQLResultCode {
    /// `SQLITE_OK`
    public static let ok = SQLResultCode(rawValue: SQLITE_OK)
    /// `SQLITE_ERROR`: an error in the SQL, or a missing table.
    public static let error = SQLResultCode(rawValue: SQLITE_ERROR)
    /// `SQLITE_ABORT_ROLLBACK`: the transaction was rolled back under the statement.
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
    /// `SQLITE_READONLY_ROLLBACK`: a rollback journal must be played back, and cannot be.
    public static let hotJournal = SQLResultCode(rawValue: SQLITE_READONLY | (3 << 8))
    /// `SQLITE_CANTOPEN_SYMLINK`: the file was opened with `.noFollow`, and there is a link.
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
    /// `SQLITE_TOOBIG`: a text, blob or row beyond what is allowed.
    public static let tooBig = SQLResultCode(rawValue: SQLITE_TOOBIG)
    /// `SQLITE_RANGE`: a parameter or column that does not exist.
    public static let range = SQLResultCode(rawValue: SQLITE_RANGE)
    /// `SQLITE_NOTADB`: the file is not a SQLite database, or it is encrypted.
    public static let notADatabase = SQLResultCode(rawValue: SQLITE_NOTADB)
}

extension SQLResultCode: CustomStringConvertible {
    /// SQLite's English for the code, and its number.
    public var description: String {
        let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown"
        return "\(text) (\(rawValue))"
    }
}
