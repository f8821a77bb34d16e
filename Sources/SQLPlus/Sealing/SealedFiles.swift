internal import Crypto
internal import SQLCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Seals files, each with a key derived by HKDF-SHA256 from one key and the file's nonce.
struct SealedFiles: FileSealer {
    private let key: SymmetricKey
    private let codeKey: SymmetricKey

    init(key bytes: some Sequence<UInt8>) {
        key = SymmetricKey(data: Array(bytes))
        codeKey = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key, info: Array("name".utf8), outputByteCount: 32)
    }

    func code(for bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: codeKey))
    }

    func parts(nonce: [UInt8]) -> any FilePartSealer {
        SealedParts(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, salt: nonce, info: Array("blob".utf8), outputByteCount: 32))
    }
}

/// Seals the parts of a file with AES-256-GCM, with their numbers as nonces.
struct SealedParts: FilePartSealer {
    private static let tag = 16
    let key: SymmetricKey

    func seal(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, nonce: Self.nonce(number))
        return Array(box.ciphertext) + Array(box.tag)
    }

    func open(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) -> Data? {
        guard bytes.count >= Self.tag else { return nil }
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropLast(Self.tag))
        let tag = UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.tag))
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
