internal import Crypto
internal import CryptoExtras
internal import StorePlatform
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

    /// Encrypts a page into a buffer of the same size. The reserved bytes of the plaintext page are
    /// ignored.
    ///
    /// Throws `EncryptionError.cipherFailed`.
    func seal(
        _ page: UnsafeRawBufferPointer, number: UInt32, into sealed: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) {
        let start = Self.start(number)
        let end = page.count - PageLayout.reserve
        let iv = UnsafeMutableRawBufferPointer(
            rebasing: sealed[end..<end + PageLayout.ivLength])
        RandomBytes.fill(iv)
        do {
            let text = try Self.lend(page.part(start..<end)) {
                try AES._CBC.encrypt(
                    $0, using: keys.cipher, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
            }
            text.withUnsafeBytes { sealed.part(start..<end).copyMemory(from: $0) }
        } catch {
            throw .cipherFailed
        }
        if start > 0 { sealed.copyBytes(from: salt.bytes) }
        let code = self.code(in: sealed, number)
        code.withUnsafeBytes { sealed.part((end + PageLayout.ivLength)...).copyMemory(from: $0) }
    }

    /// Decrypts a page into a buffer of the same size; its reserved bytes become 0.
    ///
    /// - Parameter sealed: The encrypted page; it is modified temporarily and then restored.
    /// - Returns: False if the page was not written with the key under this page number, or was
    ///   changed; the buffer is then unchanged.
    ///
    /// Throws `EncryptionError.cipherFailed`.
    func open(
        _ sealed: UnsafeMutableRawBufferPointer, number: UInt32,
        into page: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> Bool {
        guard isAuthentic(sealed, number: number) else { return false }
        let start = Self.start(number)
        let end = sealed.count - PageLayout.reserve
        do {
            let iv = try AES._CBC.IV(ivBytes: sealed[end..<end + PageLayout.ivLength])
            let plain = try Self.lend(UnsafeRawBufferPointer(sealed).part(start..<end)) {
                try AES._CBC.decrypt($0, using: keys.cipher, iv: iv, noPadding: true)
            }
            plain.withUnsafeBytes { page.part(start..<end).copyMemory(from: $0) }
        } catch {
            throw .cipherFailed
        }
        if start > 0 { page.copyBytes(from: PageLayout.magic) }
        page.part(end...).clear()
        return true
    }

    /// Calls `body` with bytes as `Data`, which the ciphers accept without a copy.
    private static func lend<T>(
        _ bytes: UnsafeRawBufferPointer, _ body: (Data) throws -> T
    ) rethrows -> T {
        guard let start = bytes.baseAddress else { return try body(Data()) }
        return try body(
            Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
                deallocator: .none))
    }

    /// Whether a page was written with the key under this page number and is unchanged.
    ///
    /// - Parameter sealed: The encrypted page; it is modified temporarily and then restored.
    func isAuthentic(_ sealed: UnsafeMutableRawBufferPointer, number: UInt32) -> Bool {
        let position = sealed.count - PageLayout.code
        let start = sealed.loadUnaligned(fromByteOffset: position, as: UInt32.self)
        let code = self.code(in: sealed, number)
        sealed.storeBytes(of: start, toByteOffset: position, as: UInt32.self)
        return code.withUnsafeBytes { code in
            // All words are compared, so that the time does not reveal where they differ.
            var difference: UInt64 = 0
            for word in stride(from: 0, to: PageLayout.code, by: 8) {
                difference |=
                    code.loadUnaligned(fromByteOffset: word, as: UInt64.self)
                    ^ sealed.loadUnaligned(fromByteOffset: position + word, as: UInt64.self)
            }
            return difference == 0
        }
    }

    /// The HMAC of a page. It also covers the page number, which is stored temporarily in the
    /// location of the HMAC, directly after the covered bytes: one update costs less than two.
    private func code(
        in sealed: UnsafeMutableRawBufferPointer, _ number: UInt32
    ) -> HMAC<SHA512>.MAC {
        let end = sealed.count - PageLayout.code
        sealed.storeBytes(of: number.littleEndian, toByteOffset: end, as: UInt32.self)
        var code = keys.authentication
        code.update(data: UnsafeRawBufferPointer(sealed).part(Self.start(number)..<end + 4))
        return code.finalize()
    }

    /// The offset of the encrypted bytes: the first page begins with the salt.
    private static func start(_ number: UInt32) -> Int { number == 1 ? FileSalt.length : 0 }

}
