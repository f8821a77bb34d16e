import SampleData
import Testing

import FleeceLite

@Suite("Searching bytes for a pattern")
struct BytePatternTests {
    /// The same search, offset by offset.
    private static func offset(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= pattern.count, start <= bytes.count - pattern.count else { return nil }
        return (start...(bytes.count - pattern.count)).first {
            bytes[$0..<($0 + pattern.count)].elementsEqual(pattern)
        }
    }

    @Test("finds what a search offset by offset finds, from any offset on")
    func random() {
        var random = SeededGenerator(for: "BytePatternTests.random")
        var found = 0
        for _ in 0..<20_000 {
            // Few different bytes, so that nearly all of a pattern occurs often.
            let letters = 2 + random.below(3)
            let pattern = (0..<(2 + random.below(4))).map { _ in UInt8(random.below(letters)) }
            let bytes = (0..<random.below(70)).map { _ in UInt8(random.below(letters)) }
            let start = random.below(bytes.count + 3)
            let place = bytes.withUnsafeBytes { $0.offset(of: pattern, from: start) }
            #expect(place == Self.offset(of: pattern, in: bytes, from: start))
            if place != nil { found += 1 }
        }
        #expect(found > 1000)
    }

    @Test("finds a pattern at each offset, including the first and the last", arguments: 0..<70)
    func places(place: Int) {
        var bytes = [UInt8](repeating: UInt8(ascii: "@"), count: 75)
        let pattern = Array("@type".utf8)
        bytes.replaceSubrange(place..<(place + 5), with: pattern)
        #expect(bytes.withUnsafeBytes { $0.offset(of: pattern) } == place)
        #expect(bytes.withUnsafeBytes { $0.offset(of: pattern, from: place) } == place)
        #expect(bytes.withUnsafeBytes { $0.offset(of: pattern, from: place + 1) } == nil)
        let cut = bytes.prefix(place + 4)
        #expect(Array(cut).withUnsafeBytes { $0.offset(of: pattern) } == nil)
    }

    @Test("finds nothing in empty bytes, or after their end")
    func nothing() {
        let none = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(none.offset(of: [1, 2]) == nil)
        #expect([1, 2].withUnsafeBytes { $0.offset(of: [1, 2], from: 1000) } == nil)
        #expect([UInt8]([1, 2]).withUnsafeBytes { $0.offset(of: [1, 2], from: -5) } == 0)
    }
}
