import Foundation
import SampleData
import StorePlatform
import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "of RFC 4648's examples",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func examples(_ plain: String, _ text: String) {
        #expect(Base64.encoded(Array(plain.utf8)) == text)
        #expect(decoded(text) == Array(plain.utf8))
    }

    @Test("is what Foundation makes of random bytes, and leads back to them")
    func foundation() {
        let seed: UInt64 = 4648
        var random = SeededGenerator(seed: seed)
        for length in 0..<300 {
            let bytes = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let text = Base64.encoded(bytes)
            #expect(text == Data(bytes).base64EncodedString(), "\(bytes), seed \(seed)")
            #expect(decoded(text) == bytes, "\(bytes), seed \(seed)")
        }
    }

    @Test(
        "is not a string with other characters or of another length",
        arguments: ["A", "AA", "AAA", "A===", "====", "AA=A", "=AAA", "AA A", "AA-_", "AAA\u{E9}"])
    func refused(_ text: String) {
        #expect(decoded(text) == nil)
    }

    @Test("can be read without its padding, but for a single character of four")
    func unpadded() {
        #expect(lenient("Zm8") == Array("fo".utf8))
        #expect(lenient("Zg") == Array("f".utf8))
        #expect(lenient("Zm8=") == Array("fo".utf8))
        #expect(lenient("Zm9vY") == nil)
        #expect(lenient("Zm8*") == nil)
    }

    private func decoded(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { Base64.decoded($0) }
    }

    private func lenient(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        let isBase64 = Array(text.utf8).withUnsafeBytes { Base64.decode($0) { bytes.append($0) } }
        return isBase64 ? bytes : nil
    }
}
