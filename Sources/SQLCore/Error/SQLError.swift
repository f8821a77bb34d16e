/// An error of SQLite or of a function, virtual table or file system that SQLite called.
///
/// All calls of ``SQLContext``, ``SQLStatement`` and ``SQLPool`` throw it. The code determines what
/// a program does; the message is for a developer.
///
/// ```swift
/// do {
///     try database.exec(sql: "INSERT INTO city (name) VALUES ('Oslo')")
/// } catch let error as SQLError where error.code == .uniqueConstraint {
///     use("the city exists already")
/// } catch let error as SQLError where .busy ~= error.code {
///     use("another process is writing; try again later")
/// }
/// ```
/// An extended code such as ``SQLResultCode/uniqueConstraint`` is compared with `==`; a primary
/// code such as ``SQLResultCode/constraint`` matches all its extended codes with `~=`.
///
/// ``message`` and ``sql`` are unredacted and can contain values: parts of the statement, or of
/// bound values that SQLite could not parse. ``description`` omits them, so it is safe for a log. A
/// key of an encrypted database is in neither of them.
///
/// ```swift
/// do {
///     try database.exec(sql: "SELEC secret")
/// } catch let error as SQLError {
///     print(error)  // for a log
///     use(error.sql ?? "", error.offset ?? 0)  // for a developer's console
/// }
/// ```
/// After most errors only the statement is undone, and a transaction remains open. After a full
/// disk, an I/O error, a lack of memory or an interrupted write, SQLite can roll back the whole
/// transaction; see ``SQLContext/isInTransaction``. See <doc:Errors>.
public struct SQLError: Error, Sendable {
    /// The extended result code. `.constraint ~= code` matches all codes of a constraint; `==`
    /// compares the extended code.
    public let code: SQLResultCode
    /// SQLite's own message, such as `no such table: city`, or that of the function, table or file
    /// that failed. It can contain values.
    public let message: String
    /// The statement that failed, if there is one, as it was passed, with its literals. A statement
    /// that sets a key is replaced.
    public let sql: String?
    /// The byte offset of the error in ``sql``, if SQLite knows it: mostly for a syntax error or an
    /// unknown name. In a script it counts from the beginning of the script.
    public let offset: Int?
    /// The underlying error of the file or file system, if it is more specific than ``code``: an
    /// ``EncryptionError``, a ``SQLFileRefusal``, or the error of a ``SQLFile``.
    public let cause: (any Error)?

    /// Creates an error from its parts: for functions, virtual tables and file systems that report
    /// errors to SQLite.
    ///
    /// ```swift
    /// try database.registerFunction("checked", argumentCount: 1) { call in
    ///     guard let number = call.value(at: 0).longValue, number >= 0 else {
    ///         throw SQLError(code: .constraint, message: "checked() needs a positive integer")
    ///     }
    ///     return .long(number)
    /// }
    /// ```
    /// - Parameters:
    ///   - code: The code that the statement fails with.
    ///   - message: The message for a developer.
    ///   - sql: The statement; nil for none. SQLite's caller adds it.
    ///   - offset: The byte offset of the error in `sql`.
    ///   - cause: The underlying error.
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
    /// The message, the code, the offset and the statement, with `?` in place of quoted parts of
    /// the message and of each value in the statement: safe for a log.
    public var description: String {
        text(SQLRedaction.redactedMessage(message), sql.map(SQLRedaction.redacted))
    }

    /// The same as ``description``, since collections and optionals use it to print their elements.
    public var debugDescription: String { description }

    /// The description without redaction: it can contain values, so show it only to those who may
    /// see the data.
    public var unredactedDescription: String { text(message, sql) }

    private func text(_ message: String, _ sql: String?) -> String {
        let location = offset.map { " at byte \($0)" } ?? ""
        let statement = sql.map { ", in: \($0)" } ?? ""
        let cause = cause.map { ": \($0)" } ?? ""
        return "\(message)\(cause) (SQLite \(code.rawValue))\(location)\(statement)"
    }
}

extension SQLError: CustomReflectable {
    /// The children that `dump` prints: the code and `description`, without values.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.rawValue, "description": description])
    }
}

extension SQLError {
    /// The ``cause`` as an ``EncryptionError``, if it is one.
    ///
    /// ```swift
    /// do {
    ///     _ = try database.selectValue(sql: "SELECT count(*) FROM sqlite_master")
    /// } catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase {
    ///     use("the passphrase is wrong")
    /// }
    /// ```
    public var encryption: EncryptionError? { cause as? EncryptionError }

    /// Wraps an encryption error.
    package init(_ code: SQLResultCode, _ error: EncryptionError) {
        self.init(code: code, message: "encryption", cause: error)
    }
}

extension EncryptionError {
    /// The result code for SQLite: the one that SQLCipher returns for the same failure.
    package var code: SQLResultCode {
        switch self {
        case .wrongKeyOrNotADatabase, .notEncrypted, .keyRequired: .notADatabase
        case .tampered, .truncated: .corrupt
        case .fileFailed(let code): SQLResultCode(rawValue: code)
        case .cipherFailed, .converted, .rekeyRollbackFailed: .inputOutput
        default: .misuse
        }
    }
}
