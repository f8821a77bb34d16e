/// An error of the store. Its message states what failed, on which file, why, and what to do.
///
/// Expected outcomes are return values, not errors: reading a record that does not exist is nil.
public struct StoreError: Error, Sendable {
    /// The numbering that `code` belongs to, as in LiteCore.
    public enum Domain: Int, Sendable {
        /// LiteCore's own codes.
        case liteCore = 1
        /// `errno`
        case posix = 2
        /// SQLite's result codes, extended ones included.
        case sqlite = 3
        /// The codes of `FleeceError`.
        case fleece = 4
    }

    /// An error number of the domain `liteCore`.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// LiteCore's number.
        public let rawValue: Int

        /// Wraps a number, known or unknown.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The numbering of `code`.
    public let domain: Domain
    /// The number; a `Code` in the domain `liteCore`.
    public let code: Int
    /// One line: what happened, to what, and what to do.
    public let message: String
    /// The underlying cause.
    public let underlying: (any Error)?

    /// An error with one of LiteCore's codes.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.init(domain: .liteCore, code: code.rawValue, message, underlying: underlying)
    }

    /// An error of another domain.
    public init(domain: Domain, code: Int, _ message: String, underlying: (any Error)? = nil) {
        self.domain = domain
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether this is the given error of the domain `liteCore`:
    /// `catch let error as StoreError where error.has(.busy)`.
    public func has(_ code: Code) -> Bool {
        domain == .liteCore && self.code == code.rawValue
    }
}

extension StoreError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}

extension StoreError.Code {
    /// A revision id that cannot be read, or cannot have a successor.
    public static let badRevisionID = Self(rawValue: 4)
    /// A revision tree or version vector whose bytes are damaged.
    public static let corruptRevisionData = Self(rawValue: 5)
    /// The data file has been closed.
    public static let notOpen = Self(rawValue: 6)
    /// The file, collection or document does not exist.
    public static let notFound = Self(rawValue: 7)
    /// The document was changed by another writer first.
    public static let conflict = Self(rawValue: 8)
    /// An invalid argument.
    public static let invalidParameter = Self(rawValue: 9)
    /// The file cannot be opened.
    public static let cannotOpenFile = Self(rawValue: 11)
    /// Reading or writing the file failed.
    public static let inputOutput = Self(rawValue: 12)
    /// Out of memory.
    public static let memory = Self(rawValue: 13)
    /// The file, or this handle, is read-only.
    public static let notWriteable = Self(rawValue: 14)
    /// The file's contents are damaged.
    public static let corruptData = Self(rawValue: 15)
    /// Another process or thread holds the lock.
    public static let busy = Self(rawValue: 16)
    /// A transaction or snapshot was used after its end.
    public static let notInTransaction = Self(rawValue: 17)
    /// A transaction was started inside another one.
    public static let transactionNotClosed = Self(rawValue: 18)
    /// This version does not support the operation.
    public static let unsupported = Self(rawValue: 19)
    /// The file is not a SQLite database, or it is encrypted.
    public static let notADatabaseFile = Self(rawValue: 20)
    /// A SQLite database that is not a document store, or is missing parts of one.
    public static let wrongFormat = Self(rawValue: 21)
    /// An invalid query or index expression; if its syntax is wrong, the underlying error is a
    /// `QuerySyntaxError`.
    public static let invalidQuery = Self(rawValue: 23)
    /// A query needs an index that does not exist.
    public static let missingIndex = Self(rawValue: 24)
    /// A value for a parameter that the query does not have, or of an unsupported type.
    public static let invalidQueryParameter = Self(rawValue: 25)
    /// The file's schema is older than the oldest readable one.
    public static let databaseTooOld = Self(rawValue: 27)
    /// The file's schema is newer than the newest readable one.
    public static let databaseTooNew = Self(rawValue: 28)
    /// An invalid document id.
    public static let badDocumentID = Self(rawValue: 29)
    /// The operation requires an upgrade of the file to a newer schema.
    public static let cannotUpgradeDatabase = Self(rawValue: 30)
    /// A query exceeded one of its `QueryLimits`. LiteCore has neither limits nor this code.
    public static let queryLimitExceeded = Self(rawValue: 1001)
}
