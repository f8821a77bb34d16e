/// An error of the store. Its message states what failed, on which file, why, and what to do.
///
/// All functions of the package throw this type, except those that only encode or decode values:
/// they throw ``FleeceError``, `EncodingError` or `DecodingError`. Handle an error by its code, and
/// show the others to a person:
///
/// ```swift
/// do {
///     try file.write { transaction in
///         show(try people.get(id, in: transaction)?.sequence ?? 0)
///     }
/// } catch let error as StoreError where error.has(.busy) {
///     show("another process writes; try again later")
/// } catch let error as StoreError {
///     show(error.message)
/// }
/// ```
///
/// Expected outcomes are return values, not errors: reading a document that does not exist is nil,
/// and a save that would overwrite another change is a result.
///
/// Most errors have one of LiteCore's codes, so that code ported from Couchbase Lite can compare
/// numbers. An error of the operating system or of SQLite that has no such code keeps its own
/// number; `domain` states which numbering applies:
///
/// ```swift
/// func isFullDisk(_ error: StoreError) -> Bool {
///     error.domain == .posix && error.code == 28  // ENOSPC
/// }
/// ```
///
/// ``underlying`` is the cause, for logging; its type can change in later versions.
public struct StoreError: Error, Sendable {
    /// The numbering that the `code` of a ``StoreError`` belongs to, as in LiteCore.
    ///
    /// Most errors are in ``liteCore``; the others are those that LiteCore's codes do not
    /// distinguish.
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
    ///
    /// It is a structure rather than an enumeration, since later versions can add codes. Compare it
    /// with ``StoreError/has(_:)``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// LiteCore's number, or one from 1001 on that LiteCore does not have.
        public let rawValue: Int

        /// Wraps a number, known or unknown.
        ///
        /// ```swift
        /// let code = StoreError.Code(rawValue: 16)
        /// let isBusy = code == .busy  // true
        /// ```
        /// - Parameter rawValue: the number.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }

    /// The numbering of the code: LiteCore's own, `errno`, SQLite's or Fleece's.
    ///
    /// Use ``has(_:)`` to compare domain and code together.
    public let domain: Domain
    /// The number in its domain; the number of a `Code` in the domain `liteCore`.
    ///
    /// Use ``has(_:)`` to compare it, which also compares the domain.
    public let code: Int
    /// One line: what happened, to what, and what to do.
    ///
    /// It names the file, and the document if there is one, so it can be shown or logged without
    /// further context. Its wording can change; do not compare it.
    public let message: String
    /// The underlying cause, such as an error of SQLite; nil if there is none.
    ///
    /// ```swift
    /// func isSyntaxError(_ error: StoreError) -> Bool {
    ///     error.has(.invalidQuery) && error.underlying is QuerySyntaxError
    /// }
    /// ```
    public let underlying: (any Error)?

    /// Creates an error with one of LiteCore's codes.
    ///
    /// ```swift
    /// func requireAdult(_ person: Person) throws {
    ///     guard person.age >= 18 else {
    ///         throw StoreError(.invalidParameter, "\(person.name.first) is not of age")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - code: the code.
    ///   - message: what happened, to what, and what to do; one line without a final period.
    ///   - underlying: the cause (default: nil).
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.init(domain: .liteCore, code: code.rawValue, message, underlying: underlying)
    }

    /// Creates an error of another domain.
    ///
    /// - Parameters:
    ///   - domain: the numbering of `code`.
    ///   - code: the number, such as an `errno` in the domain `posix`.
    ///   - message: what happened, to what, and what to do; one line without a final period.
    ///   - underlying: the cause (default: nil).
    public init(domain: Domain, code: Int, _ message: String, underlying: (any Error)? = nil) {
        self.domain = domain
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether this is the given error of the domain `liteCore`.
    ///
    /// ```swift
    /// do {
    ///     show(try file.read { try people.get(id, in: $0)?.isDeleted ?? true })
    /// } catch let error as StoreError where error.has(.notFound) {
    ///     show("the collection does not exist")
    /// }
    /// ```
    ///
    /// - Parameter code: the code to compare with.
    /// - Returns: false for an error of another domain, even if the number is the same.
    public func has(_ code: Code) -> Bool {
        domain == .liteCore && self.code == code.rawValue
    }
}

extension StoreError: CustomStringConvertible {
    /// The message, without the code and the underlying error.
    ///
    /// It is what string interpolation of the error yields.
    public var description: String { message }
}

extension StoreError.Code {
    /// A revision ID that cannot be read, or cannot have a successor.
    ///
    /// It is also thrown if a revision has another form than those of the document: a digest where
    /// there are version vectors, or the reverse.
    public static let badRevisionID = Self(rawValue: 4)
    /// A revision tree or version vector whose bytes are damaged.
    ///
    /// The document's history cannot be read. Restore the file from a backup, or recover its
    /// documents.
    public static let corruptRevisionData = Self(rawValue: 5)
    /// The data file, or a blob that is read or written, has been closed.
    ///
    /// Open it again. An in-memory database whose last connection was lost has this error, too.
    public static let notOpen = Self(rawValue: 6)
    /// The file, collection, index or blob does not exist.
    ///
    /// A document that does not exist is not an error; reading it is nil.
    public static let notFound = Self(rawValue: 7)
    /// The document was changed by another writer first, or a revision would start a branch that is
    /// not allowed.
    ///
    /// Saves that detect a conflict return it as a result. This error occurs where there is no such
    /// result, such as inserting revisions from a remote.
    public static let conflict = Self(rawValue: 8)
    /// An invalid argument: the message names it and states which values are allowed.
    ///
    /// It is an error in the calling program, except where the argument is input from outside.
    public static let invalidParameter = Self(rawValue: 9)
    /// The file cannot be opened: missing permissions, a path that is not a directory of a
    /// database, other files in it, a journal that must be rolled back first, or a symbolic link.
    public static let cannotOpenFile = Self(rawValue: 11)
    /// Reading or writing the file failed in the operating system; the message contains SQLite's
    /// code.
    ///
    /// The device may be damaged or disconnected. A full disk is an error of the domain `posix`
    /// instead.
    public static let inputOutput = Self(rawValue: 12)
    /// Out of memory: SQLite could not allocate the memory that a statement needs.
    public static let memory = Self(rawValue: 13)
    /// The file, or this handle, is read-only.
    ///
    /// It is also thrown for a file to which writing was stopped because a commit or checkpoint
    /// failed: close it and open it again.
    public static let notWriteable = Self(rawValue: 14)
    /// The file's contents are damaged: a table, an index, the shared keys or a blob.
    ///
    /// If the message names an index, the documents are intact: verify the file and fix it.
    /// Otherwise restore it from a backup, or recover its documents.
    public static let corruptData = Self(rawValue: 15)
    /// Another process or thread holds the lock, for longer than the operation waits.
    ///
    /// Try again, or increase ``DataFileOptions/busyTimeoutMilliseconds``. An operation that needs
    /// exclusive access, such as a change of the key, has this error while the file is open
    /// elsewhere.
    public static let busy = Self(rawValue: 16)
    /// A transaction, snapshot or enumeration was used after its end, or after a statement that
    /// rolled it back.
    ///
    /// Do not store them outside of the closures of reads and writes.
    public static let notInTransaction = Self(rawValue: 17)
    /// A transaction was started inside another one, or an operation that needs a connection of its
    /// own inside a read or write.
    ///
    /// Call it after the closure of the read or write has returned.
    public static let transactionNotClosed = Self(rawValue: 18)
    /// This version does not support the operation, or the file uses functions or collations that
    /// it does not have.
    public static let unsupported = Self(rawValue: 19)
    /// The file is not an SQLite database, or it is encrypted and was opened without its key or
    /// with another one.
    ///
    /// The formats cannot be distinguished without the key, so the message mentions both causes.
    public static let notADatabaseFile = Self(rawValue: 20)
    /// An SQLite database that is not a document store, or is missing parts of one.
    ///
    /// It is not changed. Open it with the program that created it.
    public static let wrongFormat = Self(rawValue: 21)
    /// An invalid query or index expression.
    ///
    /// If its syntax is wrong, the underlying error is a ``QuerySyntaxError`` with the position; if
    /// its meaning is wrong, and it is an SQL++ query, a ``QuerySemanticError``:
    ///
    /// ```swift
    /// do {
    ///     show(try Query("SELECT name FROM"))
    /// } catch let error as StoreError where error.has(.invalidQuery) {
    ///     show(error.message)
    /// }
    /// ```
    public static let invalidQuery = Self(rawValue: 23)
    /// A query needs a full-text or vector index that does not exist. Create the index, then run
    /// the query again.
    public static let missingIndex = Self(rawValue: 24)
    /// A value for a parameter that the query does not have, or of an unsupported type; also a
    /// `LIMIT` or `OFFSET` that is not an integer.
    public static let invalidQueryParameter = Self(rawValue: 25)
    /// The file's schema is older than the oldest readable one; see ``FileFormat/readableSchemas``.
    ///
    /// It is a file of Couchbase Lite 1, or its creation was interrupted.
    public static let databaseTooOld = Self(rawValue: 27)
    /// The file's schema is newer than the newest readable one; see ``FileFormat/readableSchemas``.
    ///
    /// Open it with the version that wrote it, or a newer version of this package.
    public static let databaseTooNew = Self(rawValue: 28)
    /// An invalid document ID; the message states which rule it violates.
    ///
    /// An ID has 1 to 240 bytes of UTF-8, no control characters, and no `_` at the start.
    /// ``DocumentID`` checks IDs, and derives valid ones from any string.
    public static let badDocumentID = Self(rawValue: 29)
    /// The operation requires an upgrade of the file to a newer schema, or the file has a newer
    /// schema than the one that is written.
    ///
    /// The file can still be read; see ``FileFormat/writtenSchema``.
    public static let cannotUpgradeDatabase = Self(rawValue: 30)
    /// A query exceeded one of its ``QueryLimits``.
    ///
    /// Rows that were read before remain valid. LiteCore has neither limits nor this code.
    public static let queryLimitExceeded = Self(rawValue: 1001)
}
