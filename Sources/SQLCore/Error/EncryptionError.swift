/// Why an encrypted file cannot be used: the `cause` of the `SQLError` that a statement throws, or
/// thrown as it is where there is no statement.
public enum EncryptionError: Error, Hashable, Sendable {
    /// A key without a byte.
    case emptyKey
    /// A key that is marked as raw is not 64 or 96 hexadecimal digits, or 32 or 48 bytes.
    case malformedRawKey
    /// The first page does not belong to this key: the key is another one, the file was encrypted
    /// with other settings, is damaged at its beginning, or is not a database.
    case wrongKeyOrNotADatabase
    /// A page was changed by somebody who does not have the key, or damaged. The first page is 1.
    case tampered(page: Int)
    /// The file ends within a page.
    ///
    /// - Parameters:
    ///   - bytes: how long the file is.
    ///   - pageSize: what its length should be a multiple of.
    case truncated(bytes: Int, pageSize: Int)
    /// The database is not encrypted, and a key was given.
    case notEncrypted
    /// No key was given, and the database is encrypted, or is none.
    case keyRequired
    /// The file was read or written before the key was given, or has another key already.
    case keyTooLate
    /// A page has no space for what belongs to its encryption: the database was laid out before the
    /// key was given.
    case noSpaceInPages
    /// The database is encrypted, and its pages keep their size: a copy that `export` makes can
    /// have another one.
    case fixedPageSize
    /// What was asked for is done, and something that belongs to it could not be.
    ///
    /// - Parameter but: what, and what to do.
    case converted(but: String)
    /// A file cannot have a key: it is a URI, or in memory.
    case noFile
    /// The connection was not opened with `SQLiteConfiguration.plus`.
    case noEncryption
    /// The key of a database can be changed only while nobody else uses it.
    ///
    /// - Parameter reason: what is in the way, and what to do.
    case cannotRekey(reason: String)
    /// Changing the key failed, and so did putting the pages back: the file is to be reopened,
    /// with the old key, which puts them back.
    case betweenKeys
    /// The file system failed.
    ///
    /// - Parameter code: SQLite's code of the failure.
    case fileFailed(code: Int32)
    /// The random numbers or ciphers of the system failed.
    case cipherFailed
}

extension EncryptionError: CustomStringConvertible {
    /// What is wrong, and what to do; no key and no part of one.
    public var description: String {
        switch self {
        case .emptyKey: "the key is empty; give one, or none for a plain database"
        case .malformedRawKey:
            "a raw key is 64 hexadecimal digits or 32 bytes, or with its salt 96 or 48"
        case .wrongKeyOrNotADatabase:
            "the key is wrong, or this is not an encrypted database (SQLCipher 4, its own settings)"
        case .tampered(let page):
            "page \(page) was tampered with or is damaged; the others can be read"
        case .truncated(let bytes, let pageSize):
            "the file ends within a page: it has \(bytes) bytes, and pages of \(pageSize)"
        case .notEncrypted: "the database is not encrypted; open it without a key"
        case .keyRequired: "the database is encrypted, or is none; open it with its key"
        case .keyTooLate: "the key must be given before anything else is done"
        case .noSpaceInPages:
            "the database was laid out without space for its encryption; encrypt it in place, or "
                + "export it with a key"
        case .fixedPageSize:
            "an encrypted database keeps the size of its pages; export it for another one"
        case .converted(let reason): "the database is converted, but \(reason)"
        case .noFile:
            "a key is for a file, given by its path: no URI and no database in memory can have one"
        case .noEncryption: "open it with the configuration .plus to use keys"
        case .cannotRekey(let reason): "the key cannot be changed: \(reason)"
        case .betweenKeys:
            "changing the key failed, and so did going back; close it, and open it with the old key"
        case .fileFailed(let code): "the file cannot be read or written (SQLite \(code))"
        case .cipherFailed: "the system's ciphers or random numbers failed"
        }
    }
}

extension EncryptionError {
    /// Whether what was asked for is done.
    package var isConverted: Bool { if case .converted = self { true } else { false } }

    /// A new key brings a salt, which only a new file could take.
    package static let otherSalt = EncryptionError.cannotRekey(
        reason: "the new key brings a salt, and the file keeps its own")

    /// The directory could not be synced in which a file took another one's place, or was removed.
    package static func unsynced(_ reason: any Error) -> EncryptionError {
        .converted(
            but: "its directory could not be synced (\(reason)); if the power fails now, the file may "
                + "be as it was before: keep both keys")
    }
}
