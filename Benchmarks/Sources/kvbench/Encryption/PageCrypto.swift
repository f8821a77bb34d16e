import Crypto
import CryptoExtras
import Foundation

/// The cost of the encryption of pages alone: swift-crypto called for pages in memory.
struct PageCrypto {
    private static let size = 4096
    private static let reserve = 80

    private let key: SymmetricKey
    /// Initialized with its key, which is the same for all pages.
    private let authentication: HMAC<SHA512>
    private let vector = [UInt8](repeating: 9, count: 16)
    private let page = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    init() {
        key = SymmetricKey(size: .bits256)
        authentication = HMAC(key: key)
    }

    /// Encrypts and authenticates a number of pages, each with a random vector.
    func seal(_ count: Int) throws -> Int {
        var sum = 0
        for number in 0..<count {
            let vector = AES._CBC.IV()
            let text = try AES._CBC.encrypt(
                page.prefix(Self.size - Self.reserve), using: key, iv: vector, noPadding: true)
            sum &+= Int(text[number % text.count])
            sum &+= code(text, number)
        }
        return sum
    }

    /// Authenticates and decrypts a number of pages.
    func open(_ count: Int) throws -> Int {
        let vector = try AES._CBC.IV(ivBytes: vector)
        let text = page.prefix(Self.size - Self.reserve)
        var sum = 0
        for number in 0..<count {
            sum &+= code(text, number)
            let plain = try AES._CBC.decrypt(text, using: key, iv: vector, noPadding: true)
            sum &+= Int(plain[number % plain.count])
        }
        return sum
    }

    private func code(_ text: Data, _ number: Int) -> Int {
        var code = authentication
        code.update(data: text)
        code.update(data: vector)
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number)) { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Int($0[number % 64]) }
    }
}
