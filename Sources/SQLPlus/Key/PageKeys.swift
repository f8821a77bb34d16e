internal import Crypto
internal import CryptoExtras

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
