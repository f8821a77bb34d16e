import CSQLite

/// An SQLite result code, primary (`SQLITE_BUSY`) or extended (`SQLITE_BUSY_SNAPSHOT`).
///
/// A primary code matches its extended ones in `catch` and `switch`:
/// ```swift
/// do {
///     try database.exec(sql: "DELETE FROM city")
/// } catch let error as SQLError {
///     switch error.code {
///     case .busy, .locked: use("try again")
///     case .constraint: use("a row refers to the city")
///     case .full, .inputOutput: use("the disk is full or fails")
///     default: throw error
///     }
/// }
/// ```
/// Codes without a name here are created by their number: `SQLResultCode(rawValue: 787)` is
/// `SQLITE_CONSTRAINT_FOREIGNKEY`. The names of SQLite's codes are in its manual.
public struct SQLResultCode: RawRepresentable, Hashable, Sendable {
    /// SQLite's number: the primary code in the low eight bits, the extension above them.
    public let rawValue: Int32

    /// Wraps a number that SQLite returned, including unknown ones.
    ///
    /// ```swift
    /// let foreignKey = SQLResultCode(rawValue: 787)
    /// assert(foreignKey.primary == .constraint && .constraint ~= foreignKey)
    /// ```
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The primary code: the low eight bits. For a primary code it is the code itself.
    public var primary: SQLResultCode { SQLResultCode(rawValue: rawValue & 0xFF) }

    /// Whether `code` equals `pattern`, or is one of its extended codes if `pattern` is primary.
    ///
    /// It makes `catch` and `switch` work with primary codes.
    ///
    /// - Parameters:
    ///   - pattern: The code to match, such as `.constraint`.
    ///   - code: The code of an error.
    public static func ~= (pattern: SQLResultCode, code: SQLResultCode) -> Bool {
        pattern == code || pattern == code.primary
    }
}

extension SQLResultCode {
    /// `SQLITE_OK`: success. No error has this code.
    public static let ok = SQLResultCode(rawValue: SQLITE_OK)
    /// `SQLITE_ERROR`: an error in the SQL, or a missing table, column or function.
    ///
    /// The message and ``SQLError/offset`` show where. Trying again does not help.
    public static let error = SQLResultCode(rawValue: SQLITE_ERROR)
    /// `SQLITE_ABORT_ROLLBACK`: the transaction was rolled back while the statement was active.
    ///
    /// ``SQLContext/transaction(_:_:)`` also throws it if the transaction has ended before its
    /// commit.
    public static let abortedByRollback = SQLResultCode(
        rawValue: SQLITE_ABORT | (2 << 8))
    /// `SQLITE_PERM`: the file could not be created with the requested access.
    public static let permission = SQLResultCode(rawValue: SQLITE_PERM)
    /// `SQLITE_BUSY`: another connection holds the lock longer than the busy timeout.
    ///
    /// Also if a statement or backup is open when a context is closed. Roll the transaction back
    /// and run it again. See `SQLContext.setBusyTimeout(milliseconds:)`.
    public static let busy = SQLResultCode(rawValue: SQLITE_BUSY)
    /// `SQLITE_LOCKED`: a conflict within one connection, or between connections with a shared
    /// cache.
    ///
    /// For example, a table is dropped while a statement reads it.
    public static let locked = SQLResultCode(rawValue: SQLITE_LOCKED)
    /// `SQLITE_NOMEM`: memory is exhausted, or the limit of ``SQLContext/limitMemory(bytes:)`` is
    /// reached.
    public static let noMemory = SQLResultCode(rawValue: SQLITE_NOMEM)
    /// `SQLITE_READONLY`: a write by a connection or to a file that is read-only.
    ///
    /// Extended codes state the reason; see ``hotJournal``.
    public static let readOnly = SQLResultCode(rawValue: SQLITE_READONLY)
    /// `SQLITE_READONLY_ROLLBACK`: a hot journal must be played back, but the file is read-only.
    public static let hotJournal = SQLResultCode(rawValue: SQLITE_READONLY | (3 << 8))
    /// `SQLITE_CANTOPEN_SYMLINK`: the path contains a symbolic link, and `.noFollow` was specified.
    public static let symbolicLink = SQLResultCode(rawValue: SQLITE_CANTOPEN | (6 << 8))
    /// `SQLITE_INTERRUPT`: the statement was ended by ``SQLContext/interrupt()`` or
    /// ``SQLInterrupter``.
    ///
    /// A pooled connection throws `CancellationError` instead if its task was cancelled.
    public static let interrupted = SQLResultCode(rawValue: SQLITE_INTERRUPT)
    /// `SQLITE_IOERR`: the operating system failed to read or write.
    ///
    /// The extended code names the operation, such as ``readFailed``; ``SQLError/cause`` can have
    /// the reason.
    public static let inputOutput = SQLResultCode(rawValue: SQLITE_IOERR)
    /// `SQLITE_CORRUPT`: the file is damaged.
    ///
    /// Copy what can be read, and restore the rest from a backup. `PRAGMA integrity_check` lists
    /// the damage.
    public static let corrupt = SQLResultCode(rawValue: SQLITE_CORRUPT)
    /// `SQLITE_FULL`: the disk is full, or the database has reached its maximum size.
    ///
    /// SQLite may roll the transaction back. ``SQLContext/registerTokenizer(_:_:)`` uses it for its
    /// own limit.
    public static let full = SQLResultCode(rawValue: SQLITE_FULL)
    /// `SQLITE_CANTOPEN`: the file cannot be opened, for example because its directory does not
    /// exist.
    public static let cannotOpen = SQLResultCode(rawValue: SQLITE_CANTOPEN)
    /// `SQLITE_CONSTRAINT`: a constraint is violated; the statement is undone, the transaction
    /// remains open.
    ///
    /// The extended code names the constraint; see ``uniqueConstraint`` and
    /// ``primaryKeyConstraint``. A commit hook that refuses a commit also has it.
    public static let constraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT)
    /// `SQLITE_CONSTRAINT_UNIQUE`: a row has the same values in the columns of a unique index.
    public static let uniqueConstraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
    /// `SQLITE_CONSTRAINT_PRIMARYKEY`: a row has the same primary key.
    public static let primaryKeyConstraint = SQLResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
    /// `SQLITE_MISUSE`: a call that the API does not permit, such as one on a closed context or
    /// within a hook.
    ///
    /// It is an error of the program.
    public static let misuse = SQLResultCode(rawValue: SQLITE_MISUSE)
    /// `SQLITE_TOOBIG`: a string, blob or row exceeds a limit, by default a billion bytes.
    public static let tooBig = SQLResultCode(rawValue: SQLITE_TOOBIG)
    /// `SQLITE_RANGE`: a parameter or column does not exist, or the number of bound values is
    /// wrong.
    public static let range = SQLResultCode(rawValue: SQLITE_RANGE)
    /// `SQLITE_NOTADB`: the file is not an SQLite database, or it is encrypted.
    ///
    /// ``SQLError/encryption`` distinguishes the cases if the context was opened with encryption.
    public static let notADatabase = SQLResultCode(rawValue: SQLITE_NOTADB)
}

extension SQLResultCode: CustomStringConvertible {
    /// SQLite's English description of the code, and its number.
    public var description: String {
        let text = sqlite3_errstr(rawValue).map { String(cString: $0) } ?? "unknown"
        return "\(text) (\(rawValue))"
    }
}
