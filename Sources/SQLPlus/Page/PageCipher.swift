internal import Crypto
internal import CryptoExtras
#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Encrypts and decrypts the pages of one file: AES-256-CBC, then HMAC-SHA512.
struct PageCipher: Sendable {
    let salt: FileSalt
    private let keys: PageKeys

    init(_ key: EncryptionKey, _ salt: FileSalt) throws {
        self.salt = salt
        keys = try key.pageKeys(salt)
    }

    /// Encrypts a page into a buffer of the same size. The reserved bytes of the plain page are not
    /// looked at.
    ///
    /// Throws `EncryptionError.cipherFailed`.
    func seal(
        _ page: UnsafeRawBufferPointer, number: UInt32, into sealed: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) {
        let start = Self.start(number)
        let end = page.count - PageLayout.reserve
        let vector = UnsafeMutableRawBufferPointer(
            rebasing: sealed[end..<end + PageLayout.vector])
        Self.fillRandomly(vector)
        do {
            let plain = UnsafeRawBufferPointer(rebasing: page[start..<end])
            let text = try AES._CBC.encrypt(
                plain, using: keys.cipher, iv: AES._CBC.IV(ivBytes: vector), noPadding: true)
            text.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: sealed[start..<end]))
        } catch {
            throw .cipherFailed
        }
        if start > 0 { sealed.copyBytes(from: salt.bytes) }
        let code = self.code(UnsafeRawBufferPointer(sealed), number)
        code.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(rebasing: sealed[(end + PageLayout.vector)...])
                .copyMemory(from: $0)
        }
    }

    /// Decrypts a page into a buffer of the same size; its reserved bytes become 0.
    ///
    /// - Returns: false if the page is not as somebody with the key wrote it under this number; the
    ///   buffer is then as it was.
    ///
    /// Throws `EncryptionError.cipherFailed`.
    func open(
        _ sealed: UnsafeRawBufferPointer, number: UInt32, into page: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> Bool {
        guard isAuthentic(sealed, number: number) else { return false }
        let start = Self.start(number)
        let end = sealed.count - PageLayout.reserve
        do {
            let vector = try AES._CBC.IV(ivBytes: sealed[end..<end + PageLayout.vector])
            let text = UnsafeRawBufferPointer(rebasing: sealed[start..<end])
            let plain = try AES._CBC.decrypt(
                text, using: keys.cipher, iv: vector, noPadding: true)
            plain.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: page[start..<end]))
        } catch {
            throw .cipherFailed
        }
        if start > 0 { page.copyBytes(from: PageLayout.magic) }
        UnsafeMutableRawBufferPointer(rebasing: page[end...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return true
    }

    /// Whether a page is as somebody with the key wrote it under this number.
    func isAuthentic(_ sealed: UnsafeRawBufferPointer, number: UInt32) -> Bool {
        let place = sealed.count - PageLayout.code
        return code(sealed, number) == UnsafeRawBufferPointer(rebasing: sealed[place...])
    }

    private func code(_ sealed: UnsafeRawBufferPointer, _ number: UInt32) -> HMAC<SHA512>.MAC {
        let covered = Self.start(number)..<sealed.count - PageLayout.code
        var code = keys.authentication
        code.update(data: UnsafeRawBufferPointer(rebasing: sealed[covered]))
        withUnsafeBytes(of: number.littleEndian) { code.update(data: $0) }
        return code.finalize()
    }

    /// The first page begins with the salt.
    private static func start(_ number: UInt32) -> Int { number == 1 ? FileSalt.length : 0 }

    private static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) {
        var generator = SystemRandomNumberGenerator()
        for place in stride(from: 0, to: bytes.count, by: 8) {
            bytes.storeBytes(of: generator.next(), toByteOffset: place, as: UInt64.self)
        }
    }
}
