internal import Crypto
internal import StoreFormat

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// How the files of blobs are named in an encrypted database.
public enum BlobNames: Sendable {
    /// By digests under the key: who does not have it cannot tell whether a file is one that is
    /// known.
    case keyed
    /// By the digests of the bytes, as without encryption.
    case digests
}

/// Encrypts the blobs of a database, with a key of their own that the encrypted database holds.
///
/// A file is a header of 32 bytes (`KVBLOB`, 0, 1, and 24 random bytes), from which with the key
/// comes a key for this file (HKDF-SHA256); then 64 KiB of the blob at a time, and at the end its
/// digest and length, each sealed with AES-256-GCM under the number of the part
/// (`docs/encryption.md`).
package struct BlobCipher: Sendable {
    static let suffix = ".encrypted"
    static let header = magic.count + nonceLength
    static let chunk = 1 << 16
    static let tag = 16
    /// The digest, and the length as eight bytes, highest first.
    static let trailer = BlobDigest.length + 8 + tag

    private static let magic = Array("KVBLOB".utf8) + [0, 1]
    private static let nonceLength = 24
    /// How long what the database keeps is: a byte for the kind of names, and the key.
    private static let storedLength = 33

    private let names: BlobNames
    private let key: SymmetricKey
    private let nameKey: SymmetricKey

    /// Takes what the database keeps.
    ///
    /// Throws `.corruptData`.
    package init(stored: [UInt8]) throws {
        guard stored.count == Self.storedLength, stored[0] <= 1 else {
            throw StoreError(
                .corruptData, "the key of the blobs is damaged; restore the file from a backup")
        }
        names = stored[0] == 1 ? .keyed : .digests
        key = SymmetricKey(data: stored.dropFirst())
        nameKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("name".utf8), outputByteCount: 32)
    }

    /// A new key, as the database keeps it.
    static func newStored(_ names: BlobNames) -> [UInt8] {
        let key = SymmetricKey(size: .bits256)
        return [names == .keyed ? 1 : 0] + key.withUnsafeBytes { Array($0) }
    }

    /// What the file of a blob is called.
    func fileName(_ digest: BlobDigest) -> String {
        switch names {
        case .digests: digest.fileName(suffix: Self.suffix)
        case .keyed:
            BlobDigest(
                bytes: HMAC<SHA256>.authenticationCode(for: digest.bytes, using: nameKey)
                    .prefix(BlobDigest.length)
            ).map { $0.fileName(suffix: Self.suffix) } ?? digest.fileName
        }
    }

    /// How long the file of a blob is.
    static func storedLength(of length: Int) -> Int {
        let chunks = (length + chunk - 1) / chunk
        return header + length + chunks * tag + trailer
    }

    /// How long the blob is whose file has this length; nil if no blob's file has.
    static func length(ofStored size: Int) -> Int? {
        let body = size - header - trailer
        guard body >= 0 else { return nil }
        let (whole, rest) = body.quotientAndRemainder(dividingBy: chunk + tag)
        guard rest == 0 || rest > tag else { return nil }
        return whole * chunk + max(rest - tag, 0)
    }

    /// The beginning of a new file, and what seals its parts.
    func newFile() -> (header: [UInt8], parts: BlobParts) {
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<Self.nonceLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return (Self.magic + nonce, parts(nonce))
    }

    /// Whether a file that begins so is that of an encrypted blob.
    static func isHeader(_ bytes: some Swift.Collection<UInt8>) -> Bool {
        bytes.count == header && bytes.starts(with: magic)
    }

    /// What opens the parts of a file that begins so; nil if it is none.
    func parts(header: [UInt8]) -> BlobParts? {
        guard Self.isHeader(header) else { return nil }
        return parts(Array(header.dropFirst(Self.magic.count)))
    }

    private func parts(_ nonce: [UInt8]) -> BlobParts {
        BlobParts(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, salt: nonce, info: Array("blob".utf8), outputByteCount: 32))
    }
}

/// Seals and opens the parts of one file, each under its number.
struct BlobParts: Sendable {
    let key: SymmetricKey
    /// The number of the digest and length, so that a file that was cut is not taken for whole.
    static let trailer = UInt64.max

    func seal(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, nonce: Self.nonce(number))
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Nil if the bytes are not those that were sealed under this number.
    func open(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) -> Data? {
        guard bytes.count >= BlobCipher.tag else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropLast(BlobCipher.tag))
        let tag = UnsafeRawBufferPointer(rebasing: bytes.suffix(BlobCipher.tag))
        guard
            let box = try? AES.GCM.SealedBox(
                nonce: Self.nonce(number), ciphertext: text, tag: tag)
        else { return nil }
        return try? AES.GCM.open(box, using: key)
    }

    private static func nonce(_ number: UInt64) throws -> AES.GCM.Nonce {
        try AES.GCM.Nonce(
            data: [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }
}
