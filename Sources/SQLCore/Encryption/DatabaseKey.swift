#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The key of an encrypted database, and the ciphers that go with it: what the layers above know
/// of encryption, so that a program without encrypted databases links none.
///
/// `EncryptionKey` of SQLPlus is one; the methods are for the storage engine, not for programs.
public protocol DatabaseKey: AnyObject, Sendable {
    /// A configuration of connections to databases with this key, on top of another one.
    ///
    /// Throws `SQLError` where there is no file system of that name.
    func encrypting(_ configuration: SQLiteConfiguration) throws -> SQLiteConfiguration

    /// Whether both open the same files; how long the answer takes says nothing of the keys.
    func opensSameFiles(as other: any DatabaseKey) -> Bool

    /// Encrypts a plain database with this key, or makes an encrypted one plain, in place: a copy
    /// takes the file's place at one moment.
    ///
    /// - Parameters:
    ///   - path: the file, which is not opened through links.
    ///   - setUp: called with the connection to the file, once it has it alone.
    ///   - prepare: called with the copy before it takes the file's place.
    ///
    /// Throws `SQLError`, with `.encryption` `.converted` if the copy has taken the file's place;
    /// for any other error the file is as it was.
    func convert(
        _ path: String, _ direction: EncryptionDirection,
        setUp: (SQLContext) throws -> Void, prepare: (SQLContext) throws -> Void
    ) throws

    /// Makes this the key of the database of a connection that was opened with another one.
    ///
    /// Throws `SQLError`, with `.encryption` `.cannotRekey` if others use the database; the old key
    /// is still right unless it is `.converted`.
    func rekey(_ context: SQLContext) throws

    /// As many bytes as a file's salt has, with which the file begins.
    var saltLength: Int { get }

    /// What opens the pages of a file one by one.
    ///
    /// - Parameter salt: the first bytes of the file.
    ///
    /// Throws `EncryptionError.notEncrypted` for those of a plain database.
    func pageReader(salt: [UInt8]) throws -> any EncryptedPageReader

    /// What seals the files beside the database.
    ///
    /// - Parameter key: 32 bytes, which the encrypted database keeps; not this key.
    func fileSealer(key: some Sequence<UInt8>) -> any FileSealer
}

/// What becomes of a database whose encryption changes.
public enum EncryptionDirection: Sendable {
    /// A plain database is encrypted.
    case encrypt
    /// An encrypted database is made plain.
    case decrypt
}

/// Opens the pages of an encrypted file one by one, for whoever saves what SQLite cannot read.
public protocol EncryptedPageReader: Sendable {
    /// Bytes at the end of each page that SQLite leaves free.
    var reservedBytes: Int { get }
    /// The sizes in bytes that pages can have, the usual first.
    var pageSizes: [Int] { get }

    /// Whether a page is as somebody with the key wrote it under this number, from 1 on.
    func isAuthentic(_ page: some Swift.Collection<UInt8>, number: Int) -> Bool

    /// A page as it was before it was encrypted, zeros at its end; nil if it is not authentic.
    func open(_ page: [UInt8], number: Int) -> [UInt8]?
}

/// Seals files, each with a key of its own that comes from one key.
public protocol FileSealer: Sendable {
    /// 32 bytes that stand for others, and do not tell which to whoever has no key.
    func code(for bytes: [UInt8]) -> [UInt8]

    /// What seals and opens the parts of one file.
    ///
    /// - Parameter nonce: random bytes, which stand in the file.
    func parts(nonce: [UInt8]) -> any FilePartSealer
}

/// Seals and opens the parts of one file, each under its number.
public protocol FilePartSealer: Sendable {
    /// The bytes encrypted, and 16 bytes that prove that they were not changed.
    func seal(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) throws -> [UInt8]

    /// Nil if the bytes are not those that were sealed under this number.
    func open(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) -> Data?
}
