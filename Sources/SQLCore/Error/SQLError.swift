/// An error of SQLite or of a function, virtual table or file system that SQLite called.
///
/// `message` and `sql` are unredacted and can contain values: parts of the statement, or of bound
/// values that SQLite could not parse. `description` omits them.
public struct SQLError: Error, Sendable {
    /// The extended result code. `.constraint ~= code` matches all codes of a constraint.
    public let code: SQLResultCode
    /// SQLite's own message.
    public let message: String
    /// The statement that failed, if there is one.
    public let sql: String?
    /// The byte offset of the error in `sql`, if SQLite knows it.
    public let offset: Int?
    /// The underlying error of the file or file system, if it is more specific than `code`.
    public let cause: (any Error)?

    /// Creates an error from its parts.
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

    /// The same as `description`, since collections and optionals use it to print their elements.
    public var debugDescription: String { description }

    /// The description without redaction: it can contain values.
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
    /// The `cause` as an `EncryptionError`, if it is one.
    ///
    /// ```swift
    /// catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase { … }
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
        case .cipherFailed, .converted, .betweenKeys: .inputOutput
        default: .misuse
        }
    }
}
