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
            let text = try Self.lend(page.part(start..<end)) {
                try AES._CBC.encrypt(
                    $0, using: keys.cipher, iv: AES._CBC.IV(ivBytes: vector), noPadding: true)
            }
            text.withUnsafeBytes { sealed.part(start..<end).copyMemory(from: $0) }
        } catch {
            throw .cipherFailed
        }
        if start > 0 { sealed.copyBytes(from: salt.bytes) }
        let code = self.code(UnsafeRawBufferPointer(sealed), number)
        code.withUnsafeBytes { sealed.part((end + PageLayout.vector)...).copyMemory(from: $0) }
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
            let plain = try Self.lend(sealed.part(start..<end)) {
                try AES._CBC.decrypt($0, using: keys.cipher, iv: vector, noPadding: true)
            }
            plain.withUnsafeBytes { page.part(start..<end).copyMemory(from: $0) }
        } catch {
            throw .cipherFailed
        }
        if start > 0 { page.copyBytes(from: PageLayout.magic) }
        page.part(end...).clear()
        return true
    }

    /// Lends bytes as the type that the ciphers take without copying them.
    private static func lend<T>(
        _ bytes: UnsafeRawBufferPointer, _ body: (Data) throws -> T
    ) rethrows -> T {
        guard let start = bytes.baseAddress else { return try body(Data()) }
        return try body(
            Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
                deallocator: .none))
    }

    /// Whether a page is as somebody with the key wrote it under this number.
    func isAuthentic(_ sealed: UnsafeRawBufferPointer, number: UInt32) -> Bool {
        let place = sealed.count - PageLayout.code
        return code(sealed, number).withUnsafeBytes { code in
            // All words are compared, so that the time says nothing of where they differ.
            var difference: UInt64 = 0
            for word in stride(from: 0, to: PageLayout.code, by: 8) {
                difference |=
                    code.loadUnaligned(fromByteOffset: word, as: UInt64.self)
                    ^ sealed.loadUnaligned(fromByteOffset: place + word, as: UInt64.self)
            }
            return difference == 0
        }
    }

    private func code(_ sealed: UnsafeRawBufferPointer, _ number: UInt32) -> HMAC<SHA512>.MAC {
        let covered = Self.start(number)..<sealed.count - PageLayout.code
        var code = keys.authentication
        code.update(data: sealed.part(covered))
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
