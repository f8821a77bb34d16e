import SampleData
import Testing

import KVToolCore

@Suite("A pattern of ids")
struct KeyPatternTests {
    @Test("is a text with * or ?, which a backslash escapes")
    func kinds() throws {
        for id in ["", "abc", #"\"#, #"a\b"#] {
            #expect(KeyPattern(id) == nil, "\(id)")
        }
        for (text, id) in [(#"a\*b"#, "a*b"), (#"a\?"#, "a?"), (#"a\\b"#, #"a\b"#)] {
            let plain = try #require(KeyPattern(text))
            #expect(plain.matches(id) && plain.prefix == id && !plain.matches("a" + id))
        }
        let escaped = try #require(KeyPattern(#"a\*b*"#))
        #expect(escaped.matches("a*bc") && !escaped.matches("aXbc"))
        #expect(escaped.prefix == "a*b")
        #expect(KeyPattern("é?日")?.matches("éx日") == true)
        #expect(KeyPattern("*")?.matches("") == true)
        #expect(KeyPattern("?")?.matches("") == false)
    }

    @Test("matches like a reference implementation")
    func naive() throws {
        let seed: UInt64 = 77
        var random = SeededGenerator(seed: seed)
        var matches = 0
        for _ in 0..<20_000 {
            let text = (0..<(1 + random.below(7))).map { _ in
                random.pick(["a", "b", "*", "?", "**"])
            }
            .joined()
            guard let pattern = KeyPattern(text) else { continue }
            let id = (0..<random.below(8)).map { _ in random.pick(["a", "b", "*"]) }.joined()
            let expected = Self.matches(Array(text)[...], Array(id)[...])
            #expect(pattern.matches(id) == expected, "\(text) \(id), seed \(seed)")
            if expected {
                matches += 1
                #expect(id.hasPrefix(pattern.prefix), "\(text) \(id), seed \(seed)")
            }
        }
        #expect(matches > 1000)
    }

    @Test("takes at most time proportional to the product of the lengths")
    func hostile() throws {
        let pattern = try #require(KeyPattern(String(repeating: "*a", count: 200) + "*b"))
        #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    }

    private static func matches(
        _ pattern: ArraySlice<Character>, _ id: ArraySlice<Character>
    ) -> Bool {
        guard let first = pattern.first else { return id.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" {
            return matches(rest, id) || !id.isEmpty && matches(pattern, id.dropFirst())
        }
        guard let next = id.first, first == "?" || first == next else { return false }
        return matches(rest, id.dropFirst())
    }
}
