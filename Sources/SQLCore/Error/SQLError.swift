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
    /// What an encrypted file said, if that was what refused.
    ///
    /// ```swift
    /// catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase { … }
    /// ```
    public var encryption: EncryptionError? { cause as? EncryptionError }

    /// An error of this layer as one of SQLite's.
    package init(_ code: SQLResultCode, _ error: EncryptionError) {
        self.init(code: code, message: "encryption", cause: error)
    }
}

extension EncryptionError {
    /// What SQLite is told: the codes that SQLCipher has for the same.
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
