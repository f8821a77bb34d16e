#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The key of an encrypted database and its ciphers. The layers above use only this protocol, so
/// that a program without encrypted databases does not link the encryption.
///
/// `EncryptionKey` of SQLPlus conforms to it. The methods are for the storage engine, not for
/// applications.
///
/// An application creates a key and passes it to the call that opens the database. Functions that
/// accept `any DatabaseKey` compile without the encryption.
public protocol DatabaseKey: AnyObject, Sendable {
    /// Returns a configuration that adds encryption with this key to another one.
    ///
    /// Throws `SQLError` if the file system that the configuration names does not exist.
    func encrypting(_ configuration: SQLiteConfiguration) throws -> SQLiteConfiguration

    /// Whether both keys open the same files. The comparison takes constant time.
    ///
    /// - Parameter other: A key, possibly of another type.
    func opensSameFiles(as other: any DatabaseKey) -> Bool

    /// Encrypts a plaintext database with this key, or decrypts an encrypted one, in place: a copy
    /// replaces the file atomically.
    ///
    /// - Parameters:
    ///   - path: The file; symbolic links are not followed.
    ///   - direction: Whether the database is encrypted or decrypted.
    ///   - setUp: Called with the connection to the file once it has exclusive access.
    ///   - prepare: Called with the connection to the copy before it replaces the file.
    ///
    /// Throws `SQLError`, with `.encryption` `.converted` if the copy has replaced the file; after
    /// any other error the file is unchanged.
    func convert(
        _ path: String, _ direction: EncryptionDirection,
        setUp: (SQLContext) throws -> Void, prepare: (SQLContext) throws -> Void
    ) throws

    /// Makes this the key of the database of a connection that was opened with another one.
    ///
    /// Throws `SQLError`, with `.encryption` `.cannotRekey` if another connection uses the
    /// database. The old key remains valid unless the error is `.converted`.
    func rekey(_ context: SQLContext) throws

    /// The number of bytes of the salt, with which a file begins.
    var saltLength: Int { get }

    /// Returns a reader that decrypts the pages of a file one by one.
    ///
    /// - Parameter salt: The first bytes of the file.
    ///
    /// Throws `EncryptionError.notEncrypted` if they are those of a plaintext database.
    func pageReader(salt: [UInt8]) throws -> any EncryptedPageReader

    /// Returns a sealer for the files that accompany the database.
    ///
    /// - Parameter key: 32 bytes, which are stored in the encrypted database; not this key.
    func fileSealer(key: some Sequence<UInt8>) -> any FileSealer
}

/// The direction of a conversion between a plaintext and an encrypted database.
public enum EncryptionDirection: Sendable {
    /// A plaintext database is encrypted.
    case encrypt
    /// An encrypted database is decrypted.
    case decrypt
}

/// Decrypts the pages of a file one by one, to recover data that SQLite cannot read.
public protocol EncryptedPageReader: Sendable {
    /// The number of reserved bytes at the end of each page.
    var reservedBytes: Int { get }
    /// The possible page sizes in bytes, the usual one first.
    var pageSizes: [Int] { get }

    /// Whether a page was written with the key under this page number (from 1) and is unchanged.
    func isAuthentic(_ page: some Swift.Collection<UInt8>, number: Int) -> Bool

    /// Decrypts a page; its reserved bytes are zeros. Nil if the page is not authentic.
    func open(_ page: [UInt8], number: Int) -> [UInt8]?
}

/// Seals files (authenticated encryption), each with a separate key derived from one key.
public protocol FileSealer: Sendable {
    /// A keyed code of 32 bytes, from which the original bytes cannot be inferred without the key.
    func code(for bytes: [UInt8]) -> [UInt8]

    /// Returns a sealer for the parts of one file.
    ///
    /// - Parameter nonce: Random bytes, which are stored in the file.
    func parts(nonce: [UInt8]) -> any FilePartSealer
}

/// Seals and opens the parts of one file, each under its number.
public protocol FilePartSealer: Sendable {
    /// Encrypts bytes and appends an authentication tag of 16 bytes.
    func seal(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) throws -> [UInt8]

    /// Decrypts bytes; nil if they are not those that were sealed under this number.
    func open(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) -> Data?
}
