import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("The search for a sequence in another")
struct ByteSearchTests {
    private func first(_ needle: [UInt8], in text: [UInt8]) -> Int? {
        needle.withUnsafeBytes { needle in
            text.withUnsafeBytes { ByteSearch.first(needle, in: $0) }
        }
    }

    @Test("finds the same first position as a naive search")
    func exhaustive() {
        var random = SeededGenerator(seed: 5)
        var found = 0
        for _ in 0..<20_000 {
            let text = (0..<random.below(24)).map { _ in UInt8(random.below(2)) }
            let needle = (0..<random.below(7)).map { _ in UInt8(random.below(2)) }
            let places = 0...max(text.count - needle.count, 0)
            let expected =
                needle.count > text.count
                ? nil : places.first { text[$0...].starts(with: needle) }
            #expect(first(needle, in: text) == expected, "\(needle) in \(text)")
            if expected != nil { found += 1 }
        }
        #expect(found > 5_000 && found < 19_000)
    }

    @Test("continues within a failed match: `aab` is found in `aaab`")
    func partialMatch() {
        #expect(first(Array("aab".utf8), in: Array("aaab".utf8)) == 1)
        #expect(first(Array("abab".utf8), in: Array("abaabab".utf8)) == 3)
    }

    @Test("takes linear time for text that nearly matches everywhere")
    func linear() {
        let text = [UInt8](repeating: 0x61, count: 1_000_000)
        let needle = [UInt8](repeating: 0x61, count: 400_000) + [0x62]
        let seconds = processorSeconds { #expect(first(needle, in: text) == nil) }
        // Trying each place would take 10^11 steps, minutes.
        #expect(seconds < 20)
    }
}
