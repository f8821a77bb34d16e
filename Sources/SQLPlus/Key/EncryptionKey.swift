internal import Crypto
internal import CryptoExtras
internal import SQLCore
internal import StorePlatform

/// The key of an encrypted database in SQLCipher's format.
///
/// A key is a passphrase, or raw bytes that are stored in a safe place of the system, such as its
/// keychain.
///
/// ```swift
/// let key = try EncryptionKey("correct horse battery staple")
/// let database = try SQLContext(path: path, configuration: .plus(key: key))
/// try database.exec(sql: "CREATE TABLE IF NOT EXISTS secret (body TEXT)")
/// ```
/// The keys of a file are derived from a passphrase by 256,000 iterations of PBKDF2, which takes a
/// tenth of a second. An `EncryptionKey` caches them for each file, so use the same object for
/// several connections. A raw key is used without this derivation.
///
/// It can be used on all threads. When it is deinitialized, its bytes are overwritten; those of a
/// `String` from which it was created are not. Descriptions and mirrors show no part of it.
///
/// A lost key cannot be recovered, and neither can the data.
public final class EncryptionKey: Sendable {
    private enum Secret: Sendable {
        case passphrase(SymmetricKey)
        case raw(SymmetricKey)
    }

    private let secret: Secret
    /// The salt of a raw key, if it has one.
    let salt: FileSalt?
    private let derived = Locked<[FileSalt: PageKeys]>([:])

    /// Creates a key from text in the form of SQLCipher's `PRAGMA key`.
    ///
    /// ```swift
    /// let passphrase = try EncryptionKey("correct horse battery staple")
    /// let raw = try EncryptionKey("x'" + String(repeating: "0f", count: 32) + "'")
    /// ```
    ///
    /// - Parameter text: `x'…'` with 64 hexadecimal digits is a raw key, with 96 digits a raw key
    ///   and its salt; anything else is a passphrase.
    /// - Throws: `EncryptionError.emptyKey`, or `.malformedRawKey` for `x'…'` of another length.
    public convenience init(_ text: String) throws {
        if let digits = Self.rawDigits(text) {
            guard digits.utf8.count == 64 || digits.utf8.count == 96,
                var bytes = Self.bytes(hexadecimal: digits)
            else {
                throw EncryptionError.malformedRawKey
            }
            defer { Self.wipe(&bytes) }
            try self.init(raw: bytes)
        } else {
            try self.init(passphrase: text.utf8)
        }
    }

    /// Creates a key from a passphrase of any bytes.
    ///
    /// A string and its UTF-8 are the same passphrase. Bytes can be overwritten after use, unlike a
    /// string:
    ///
    /// ```swift
    /// var typed = Array("correct horse battery staple".utf8)
    /// let key = try EncryptionKey(passphrase: typed)
    /// for index in typed.indices { typed[index] = 0 }
    /// ```
    /// - Parameter passphrase: The bytes, which are copied. They are not normalized: `é` can be
    ///   entered in two forms, which are different passphrases.
    /// - Throws: `EncryptionError.emptyKey` if it is empty.
    public init(passphrase: some Collection<UInt8>) throws {
        guard !passphrase.isEmpty else { throw EncryptionError.emptyKey }
        secret = .passphrase(Self.copy(passphrase))
        salt = nil
    }

    /// Creates a raw key, which is used without a slow derivation.
    ///
    /// It must be random: a passphrase as raw bytes could be guessed quickly.
    ///
    /// ```swift
    /// let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    /// let key = try EncryptionKey(raw: bytes)
    /// ```
    ///
    /// - Parameter raw: The 32 bytes of the key, or 48 bytes with the salt of the file.
    /// - Throws: `EncryptionError.emptyKey`, or `.malformedRawKey` for another number of bytes.
    public init(raw: some Collection<UInt8>) throws {
        guard !raw.isEmpty else { throw EncryptionError.emptyKey }
        guard raw.count == 32 || raw.count == 48 else { throw EncryptionError.malformedRawKey }
        secret = .raw(Self.copy(raw.prefix(32)))
        salt = raw.count == 48 ? FileSalt(Array(raw.suffix(16))) : nil
    }

    /// Returns a raw key of random bytes.
    ///
    /// The bytes cannot be read from it, so it suits temporary databases, which nothing opens
    /// again:
    ///
    /// ```swift
    /// let scratch = try SQLContext(
    ///     path: path, configuration: .plus(key: EncryptionKey.random()))
    /// ```
    public static func random() -> EncryptionKey {
        EncryptionKey(SymmetricKey(size: .bits256))
    }

    /// Copies bytes to memory that is overwritten when it is released, if possible without another
    /// copy.
    private static func copy(_ bytes: some Collection<UInt8>) -> SymmetricKey {
        let key = bytes.withContiguousStorageIfAvailable {
            SymmetricKey(data: UnsafeRawBufferPointer($0))
        }
        return key ?? SymmetricKey(data: Array(bytes))
    }

    /// Overwrites bytes that are not shared.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { $0.clear() }
    }

    private init(_ key: SymmetricKey) {
        secret = .raw(key)
        salt = nil
    }

    /// Returns the keys of a file's pages, derived at the first call, which is slow for a
    /// passphrase.
    ///
    /// Concurrent callers wait for the first one.
    func pageKeys(_ salt: FileSalt) throws -> PageKeys {
        try derived.withLock { derived in
            if let existing = derived[salt] { return existing }
            let keys = try PageKeys(cipher: cipherKey(salt), salt: salt)
            derived[salt] = keys
            return keys
        }
    }

    private func cipherKey(_ salt: FileSalt) throws -> SymmetricKey {
        switch secret {
        case .raw(let key): key
        case .passphrase(let phrase):
            try PageKeys.derive(phrase, salt: salt.bytes, iterations: PageKeys.iterations)
        }
    }
}

// Parsing of raw keys.
extension EncryptionKey {
    private static func rawDigits(_ text: String) -> Substring? {
        guard text.utf8.count >= 3, text.first == "x" || text.first == "X", text.last == "'",
            text.dropFirst().first == "'"
        else { return nil }
        return text.dropFirst(2).dropLast()
    }

    /// Decodes pairs of hexadecimal digits.
    static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        var digits = Array(text.utf8)
        defer { wipe(&digits) }
        return Hexadecimal.decoded(digits)
    }
}

extension EncryptionKey: Equatable {
    /// Whether both keys open the same files. The bytes are compared in constant time.
    public static func == (left: EncryptionKey, right: EncryptionKey) -> Bool {
        if left === right { return true }
        guard left.salt == right.salt else { return false }
        return switch (left.secret, right.secret) {
        case (.passphrase(let left), .passphrase(let right)): left == right
        case (.raw(let left), .raw(let right)): left == right
        default: false
        }
    }
}

extension EncryptionKey: CustomStringConvertible, CustomReflectable {
    /// The name of the type; no part of the key.
    public var description: String { "EncryptionKey" }

    /// No children; no part of the key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The two keys of a file's pages.
struct PageKeys: Sendable {
    /// The number of PBKDF2 iterations to derive a key from a passphrase, as in SQLCipher 4.
    static let iterations = 256_000
    /// The salt of the second key is that of the first with these bits inverted.
    private static let mask: UInt8 = 0x3A

    let cipher: SymmetricKey
    /// Initialized with the key; a copy authenticates one page.
    let authentication: HMAC<SHA512>

    init(cipher: SymmetricKey, salt: FileSalt) throws {
        self.cipher = cipher
        let salt = salt.bytes.map { $0 ^ Self.mask }
        authentication = HMAC(key: try Self.derive(cipher, salt: salt, iterations: 2))
    }

    /// Derives a key of 32 bytes by PBKDF2 with HMAC-SHA512.
    static func derive(
        _ secret: SymmetricKey, salt: [UInt8], iterations: Int
    ) throws -> SymmetricKey {
        do {
            return try secret.withUnsafeBytes { secret in
                try KDF.Insecure.PBKDF2.deriveKey(
                    from: secret, salt: salt, using: .sha512, outputByteCount: 32,
                    unsafeUncheckedRounds: iterations)
            }
        } catch {
            throw EncryptionError.cipherFailed
        }
    }
}
