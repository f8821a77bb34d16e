/// A failure of encryption: the ``SQLError/cause`` of the ``SQLError`` that a statement throws, or
/// thrown directly where no statement is involved.
///
/// ```swift
/// do {
///     _ = try database.selectValue(sql: "SELECT count(*) FROM sqlite_master")
/// } catch let error as SQLError {
///     switch error.encryption {
///     case .keyRequired, .wrongKeyOrNotADatabase: use("ask for the passphrase")
///     case .tampered(let page): use("page \(page) was changed without the key")
///     case nil: throw error
///     default: use(error)
///     }
/// }
/// ```
/// No case contains any part of a key. Errors of the same kind are equal, so they can be compared
/// with `==`.
public enum EncryptionError: Error, Hashable, Sendable {
    /// The key is empty.
    case emptyKey
    /// A raw key does not have 64 or 96 hexadecimal digits, or 32 or 48 bytes.
    case malformedRawKey
    /// The first page cannot be decrypted: the key is wrong, or the file was encrypted with other
    /// settings, is damaged at its beginning, or is not a database.
    case wrongKeyOrNotADatabase
    /// A page is damaged, or was changed without the key.
    ///
    /// - Parameter page: The page number; the first page is 1.
    case tampered(page: Int)
    /// The file ends within a page.
    ///
    /// - Parameters:
    ///   - bytes: The length of the file in bytes.
    ///   - pageSize: The page size in bytes, of which the length should be a multiple.
    case truncated(bytes: Int, pageSize: Int)
    /// A key was given, but the database is not encrypted.
    case notEncrypted
    /// No key was given, but the file is encrypted, or is not a database.
    case keyRequired
    /// The file was read or written before the key was set, or has another key already.
    case keyTooLate
    /// The pages have no reserved space for encryption: the first page was written before the key
    /// was set.
    case noSpaceInPages
    /// The page size of an encrypted database cannot be changed; a copy that `export` writes can
    /// have another page size.
    case fixedPageSize
    /// The operation is done, but a subsequent step failed.
    ///
    /// - Parameter but: What failed, and what to do.
    case converted(but: String)
    /// The database cannot have a key: its path is a URI, or it is in memory.
    case noFile
    /// The connection was not opened with `SQLiteConfiguration.plus`.
    case noEncryption
    /// The key cannot be changed, for example because another connection uses the database.
    ///
    /// - Parameter reason: What prevents it, and what to do.
    case cannotRekey(reason: String)
    /// Changing the key failed, and so did restoring the pages. Reopen the file with the old key,
    /// which restores them.
    case rekeyRollbackFailed
    /// The file system failed.
    ///
    /// - Parameter code: SQLite's result code.
    case fileFailed(code: Int32)
    /// A cipher or the random number generator of the system failed.
    case cipherFailed
}

extension EncryptionError: CustomStringConvertible {
    /// What failed, and what to do. It never contains any part of a key.
    public var description: String {
        switch self {
        case .emptyKey: "the key is empty; specify a key, or none for a plaintext database"
        case .malformedRawKey:
            "a raw key has 32 bytes (64 hexadecimal digits), or 48 bytes (96) with a salt"
        case .wrongKeyOrNotADatabase:
            "the key is wrong, or this is not an encrypted database (SQLCipher 4, its own settings)"
        case .tampered(let page):
            "page \(page) was tampered with or is damaged; the others can be read"
        case .truncated(let bytes, let pageSize):
            "the file ends within a page: it has \(bytes) bytes, and pages of \(pageSize)"
        case .notEncrypted: "the database is not encrypted; open it without a key"
        case .keyRequired: "the file is encrypted, or is not a database; open it with its key"
        case .keyTooLate: "the key must be set before any other operation on the database"
        case .noSpaceInPages:
            "the pages of the database have no space for encryption; encrypt it in place, or "
                + "export it with a key"
        case .fixedPageSize:
            "the page size of an encrypted database is fixed; export it to change the page size"
        case .converted(let reason): "the database is converted, but \(reason)"
        case .noFile:
            "only a file that is opened by its path can have a key, not a URI or one in memory"
        case .noEncryption: "the connection cannot use keys; open it with the configuration .plus"
        case .cannotRekey(let reason): "the key cannot be changed: \(reason)"
        case .rekeyRollbackFailed:
            "changing the key failed, and so did restoring the pages; reopen the file with the old "
                + "key"
        case .fileFailed(let code): "the file cannot be read or written (SQLite \(code))"
        case .cipherFailed: "the system's ciphers or random numbers failed"
        }
    }
}

extension EncryptionError {
    /// Whether the operation is done in spite of the error.
    package var isConverted: Bool { if case .converted = self { true } else { false } }

    /// The new key contains a salt, which only a new file could use.
    package static let otherSalt = EncryptionError.cannotRekey(
        reason: "the new key contains a salt, but the salt of a file cannot be changed")

    /// The directory in which a file was replaced or removed could not be synced.
    package static func unsynced(_ reason: any Error) -> EncryptionError {
        .converted(
            but: "its directory could not be synced (\(reason)); after a power failure the file "
                + "can be as it was before: keep both keys")
    }
}
