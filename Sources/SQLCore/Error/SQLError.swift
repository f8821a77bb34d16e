import CSQLite

/// What SQLite refused, and why.
///
/// `message` and `sql` are as they are, and may hold values: parts of the statement, or of bound
/// values that SQLite could not read. How the error prints itself leaves them out.
public struct SQLError: Error, Sendable {
    /// The extended result code.
    public let code: SQLResultCode
    /// SQLite's own message.
    public let message: String
    /// The statement, where one was at fault.
    public let sql: String?
    /// The byte offset in `sql` at which SQLite stumbled, where it knows.
    public let offset: Int?
    /// What the file said that refused, where its file system knows more than SQLite's code says.
    public let cause: (any Error)?

    /// Makes an error from its parts.
    public init(
        code: SQLResultCode, message: String, sql: String? = nil, offset: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.offset = offset
        self.cause = cause
    }
}

extension SQLError: CustomStringConvertible, CustomDebugStringConvertible {
    /// The message, the code, the place and the statement, with `?` for what is in quotes in the
    /// message and for each value in the statement: what may stand in a log.
    public var description: String {
        text(SQLRedaction.redactedMessage(message), sql.map(SQLRedaction.redacted))
    }

    /// The same as `description`, since collections and optionals print their elements by it.
    public var debugDescription: String { description }

    /// The same with everything as it is.
    public var unredactedDescription: String { text(message, sql) }

    private func text(_ message: String, _ sql: String?) -> String {
        let place = offset.map { " at byte \($0)" } ?? ""
        let statement = sql.map { ", in: \($0)" } ?? ""
        let cause = cause.map { ": \($0)" } ?? ""
        return "\(message)\(cause) (SQLite \(code.rawValue))\(place)\(statement)"
    }
}

extension SQLError: CustomReflectable {
    /// What `dump` shows: no more than `description`.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.rawValue, "description": description])
    }
}

extension SQLError {
    /// The error that `handle` has just met.
    ///
    /// - Parameter start: where in `sql` the statement begins that was at fault.
    init(handle: OpaquePointer?, code: Int32, sql: String? = nil, from start: Int = 0) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A connection keeps the code of its latest failure: use it only if it is this one.
        let isLatest = extended & 0xFF == code & 0xFF
        let latest = isLatest ? handle.flatMap { sqlite3_errmsg($0) } : nil
        let hasKey = sql.map(SQLRedaction.mayHoldKey) ?? false
        // SQLite's message may have parts of the statement in it.
        let text = (hasKey ? nil : latest) ?? sqlite3_errstr(code)
        let message = text.map { String(cString: $0) } ?? "unknown error"
        let offset = isLatest ? handle.map { Int(shim_error_offset($0)) } ?? -1 : -1
        self.init(
            code: SQLResultCode(rawValue: isLatest ? extended : code),
            message: message,
            sql: hasKey ? SQLRedaction.statementWithKey : sql,
            offset: sql == nil || offset < 0 ? nil : start + offset,
            cause: handle.flatMap { Self.cause($0, isLatest ? extended : code) })
    }

    /// What a file says of the failure; only of codes that files return.
    private static func cause(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY,
            SQLITE_MISUSE:
            SQLFile.takeFailure(handle, code)
        default: nil
        }
    }
}
