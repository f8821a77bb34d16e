import Crypto
import CryptoExtras
import Foundation

/// What the encryption of pages costs by itself: swift-crypto called for pages that lie in memory.
struct PageCrypto {
    private static let size = 4096
    private static let reserve = 80

    private let key = SymmetricKey(size: .bits256)
    private let page = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// Encrypts and authenticates so many pages, each with a random vector.
    func seal(_ count: Int) throws -> Int {
        var sum = 0
        for number in 0..<count {
            let vector = AES._CBC.IV()
            let text = try AES._CBC.encrypt(
                page.prefix(Self.size - Self.reserve), using: key, iv: vector, noPadding: true)
            sum &+= Int(text[number % text.count])
            sum &+= code(text, vector, number)
        }
        return sum
    }

    /// Authenticates and decrypts so many pages.
    func open(_ count: Int) throws -> Int {
        let vector = AES._CBC.IV()
        let text = page.prefix(Self.size - Self.reserve)
        var sum = 0
        for number in 0..<count {
            sum &+= code(text, vector, number)
            let plain = try AES._CBC.decrypt(text, using: key, iv: vector, noPadding: true)
            sum &+= Int(plain[number % plain.count])
        }
        return sum
    }

    private func code(_ text: Data, _ vector: AES._CBC.IV, _ number: Int) -> Int {
        var code = HMAC<SHA512>(key: key)
        code.update(data: text)
        code.update(data: Array(vector))
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number)) { code.update(data: $0) }
        return code.finalize().reduce(0) { $0 &+ Int($1) }
    }
}
