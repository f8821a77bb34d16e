internal import Crypto
internal import CryptoExtras
internal import SQLCore
internal import StorePlatform

/// The key of an encrypted database, in SQLCipher's form.
///
/// ```swift
/// let key = try EncryptionKey("correct horse battery staple")
/// let raw = try EncryptionKey(raw: bytesOfTheKeychain)
/// ```
/// From a passphrase the keys of a file are derived by 256,000 rounds of PBKDF2, a tenth of a
/// second: a value remembers them for each file, so keep it for several connections. It can be used
/// from all threads. When the last reference to it goes, its bytes are overwritten; those of a
/// `String` that it was made of are not.
public final class EncryptionKey: Sendable {
    private enum Secret: Sendable {
        case passphrase(SymmetricKey)
        case raw(SymmetricKey)
    }

    private let secret: Secret
    /// The salt that came with a raw key.
    let salt: FileSalt?
    private let derived = Locked<[FileSalt: PageKeys]>([:])

    /// A key as SQLCipher's `PRAGMA key` takes it: `x'…'` with 64 hexadecimal digits is a raw key,
    /// with 96 one and its salt, anything else a passphrase.
    ///
    /// Throws `EncryptionError.emptyKey`, or `.malformedRawKey` for `x'…'` of another length.
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

    /// A passphrase of any bytes.
    ///
    /// Throws `EncryptionError.emptyKey`.
    public init(passphrase: some Collection<UInt8>) throws {
        guard !passphrase.isEmpty else { throw EncryptionError.emptyKey }
        secret = .passphrase(Self.copy(passphrase))
        salt = nil
    }

    /// The 32 bytes of a key from which none is derived, or 48 with the salt of the file.
    ///
    /// Throws `EncryptionError.emptyKey`, or `.malformedRawKey` for another number of bytes.
    public init(raw: some Collection<UInt8>) throws {
        guard !raw.isEmpty else { throw EncryptionError.emptyKey }
        guard raw.count == 32 || raw.count == 48 else { throw EncryptionError.malformedRawKey }
        secret = .raw(Self.copy(raw.prefix(32)))
        salt = raw.count == 48 ? FileSalt(Array(raw.suffix(16))) : nil
    }

    /// A raw key of random bytes.
    public static func random() -> EncryptionKey {
        EncryptionKey(SymmetricKey(size: .bits256))
    }

    /// The bytes in memory that is overwritten at its end, with no other copy where that can be.
    private static func copy(_ bytes: some Collection<UInt8>) -> SymmetricKey {
        let key = bytes.withContiguousStorageIfAvailable {
            SymmetricKey(data: UnsafeRawBufferPointer($0))
        }
        return key ?? SymmetricKey(data: Array(bytes))
    }

    /// Overwrites bytes that nobody else has.
    static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { $0.clear() }
    }

    private init(_ key: SymmetricKey) {
        secret = .raw(key)
        salt = nil
    }

    /// The keys of a file's pages; derived the first time, which a passphrase takes long for.
    ///
    /// Threads that come at the same time wait for the first one.
    func pageKeys(_ salt: FileSalt) throws -> PageKeys {
        try derived.withLock { derived in
            if let found = derived[salt] { return found }
            let keys = try PageKeys(cipher: cipherKey(salt), salt: salt)
            derived[salt] = keys
            return keys
        }
    }

    private func cipherKey(_ salt: FileSalt) throws -> SymmetricKey {
        switch secret {
        case .raw(let key): key
        case .passphrase(let phrase):
            try PageKeys.derive(phrase, salt: salt.bytes, rounds: PageKeys.rounds)
        }
    }
}

// The text of a raw key.
extension EncryptionKey {
    private static func rawDigits(_ text: String) -> Substring? {
        guard text.utf8.count >= 3, text.first == "x" || text.first == "X", text.last == "'",
            text.dropFirst().first == "'"
        else { return nil }
        return text.dropFirst(2).dropLast()
    }

    /// The bytes that pairs of hexadecimal digits stand for.
    static func bytes(hexadecimal text: Substring) -> [UInt8]? {
        var digits = Array(text.utf8)
        defer { wipe(&digits) }
        return Hexadecimal.decoded(digits)
    }
}

extension EncryptionKey: Equatable {
    /// Whether both open the same files; how long it takes says nothing of the keys.
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
    /// Nothing of the key.
    public var description: String { "EncryptionKey" }

    /// Nothing of the key.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The two keys of a file's pages.
struct PageKeys: Sendable {
    /// Rounds of PBKDF2 between a passphrase and a key, as SQLCipher 4 has them.
    static let rounds = 256_000
    /// The salt of the second key is that of the first with these bits turned.
    private static let mask: UInt8 = 0x3A

    let cipher: SymmetricKey
    /// Ready to take the bytes of a page.
    let authentication: HMAC<SHA512>

    init(cipher: SymmetricKey, salt: FileSalt) throws {
        self.cipher = cipher
        let salt = salt.bytes.map { $0 ^ Self.mask }
        authentication = HMAC(key: try Self.derive(cipher, salt: salt, rounds: 2))
    }

    /// PBKDF2 with HMAC-SHA512 gives 32 bytes.
    static func derive(
        _ secret: SymmetricKey, salt: [UInt8], rounds: Int
    ) throws -> SymmetricKey {
        do {
            return try secret.withUnsafeBytes { secret in
                try KDF.Insecure.PBKDF2.deriveKey(
                    from: secret, salt: salt, using: .sha512, outputByteCount: 32,
                    unsafeUncheckedRounds: rounds)
            }
        } catch {
            throw EncryptionError.cipherFailed
        }
    }
}
