import SampleData
import Testing

@testable import FleeceLite

@Suite("UTF-8 of documents")
struct UTF8ValidationTests {
    /// Bytes at the limits of what the first and the following bytes of a sequence may be.
    private static let edges: [UInt8] = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
        0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
    ]

    private static func isValid(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { UTF8Validation.firstInvalid(in: $0) } == nil
    }

    @Test("is recognized as Swift's library does, at any position of a sequence")
    func sequences() {
        var bytes: [UInt8] = [0, 0, 0, 0]
        for first in Self.edges {
            for second in Self.edges {
                for third in Self.edges {
                    for fourth in Self.edges {
                        (bytes[0], bytes[1], bytes[2], bytes[3]) = (first, second, third, fourth)
                        let expected = String(validating: bytes, as: UTF8.self) != nil
                        let isLast = Self.isValid(bytes)
                        let isFirst = Self.isValid(bytes + Array("a long text".utf8))
                        if isLast != expected || isFirst != expected {
                            Issue.record("\(bytes): \(isLast), \(isFirst), not \(expected)")
                        }
                    }
                }
            }
        }
    }

    @Test("a truncated sequence is found at its start, at any distance from the end")
    func cut() {
        for character in ["é", "–", "東", "😀", "\u{10FFFF}", "\u{D7FF}", "\u{E000}"] {
            let sequence = Array(character.utf8)
            for before in 0..<20 {
                let text = [UInt8](repeating: 0x61, count: before)
                #expect(Self.isValid(text + sequence))
                for count in 1..<sequence.count {
                    let bytes = text + sequence.prefix(count)
                    let found = bytes.withUnsafeBytes { UTF8Validation.firstInvalid(in: $0) }
                    #expect(found == before, "\(bytes)")
                }
            }
        }
    }

    @Test("random changes of strings are found as Swift's library does")
    func changes() {
        var random = SeededGenerator(for: "UTF-8")
        let texts = ["Zeile – naïve", "東京都, 大阪府", "😀 and a long plain text behind it", "éèêë"]
        for _ in 0..<20_000 {
            var bytes = Array(texts[random.below(texts.count)].utf8)
            for _ in 0...random.below(2) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            let expected = String(validating: bytes, as: UTF8.self) != nil
            if Self.isValid(bytes) != expected { Issue.record("\(bytes): not \(expected)") }
        }
    }
}
