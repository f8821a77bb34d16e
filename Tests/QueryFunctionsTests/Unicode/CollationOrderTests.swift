import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// Whether the collations are orders at all: indexes need that.
///
/// LiteCore's are a mixture of two, one for ASCII and ICU's, which is not an order where the two
/// disagree. Ours are ICU's order, which has the places of LiteCore's for ASCII where it can.
@Suite("The order of a LCUnicode_… collation")
struct CollationOrderTests {
    private static let names = ["LCUnicode____", "LCUnicode_C__", "LCUnicode__D_", "LCUnicode_CD_"]

    /// Strings of printable ASCII, of letters of several scripts, and of invalid UTF-8.
    private static func text(_ random: inout SeededGenerator) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<random.below(6) {
            switch random.below(4) {
            case 0:
                text += Array(random.pick(["é", "É", "ß", "ж", "ñ", "東", "e\u{301}", "ﬁ"]).utf8)
            case 1: text.append(UInt8(random.pick([0x80, 0xc3, 0xe2, 0xff, 0x00, 0x01, 0x7f])))
            default:
                text += Array(
                    random.pick(["a", "A", "b", "B", "e", "E", "-", " ", "1", "^", "`", "—"]).utf8)
            }
        }
        return text
    }

    private static func sign(
        _ collator: UnicodeCollator, _ first: [UInt8], _ second: [UInt8]
    ) -> Int {
        first.withUnsafeBytes { first in
            second.withUnsafeBytes { Int(collator.compare(first, $0)) }
        }.signum()
    }

    @Test("is strict and weak for any bytes", arguments: names)
    func strictWeakOrder(name: String) throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_123)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 20_000)
        print("CollationOrderTests: \(count) triples from STORE_SEED=\(seed)")
        var random = SeededGenerator(seed: UInt64(seed))
        let collator = try #require(UnicodeCollator.named(name))
        for number in 0..<count {
            let texts = (0..<3).map { _ in Self.text(&random) }
            let first = Self.sign(collator, texts[0], texts[1])
            let second = Self.sign(collator, texts[1], texts[2])
            let both = Self.sign(collator, texts[0], texts[2])
            let isSound =
                first == -Self.sign(collator, texts[1], texts[0])
                && Self.sign(collator, texts[0], texts[0]) == 0
                // Where both steps go the same way, or one stays, the whole way does too.
                && (first * second < 0 || both == (first == 0 ? second : first))
            #expect(isSound, "triple \(number): \(texts) gives \(first), \(second), \(both)")
        }
    }

    @Test("agrees with the collator itself on ASCII")
    func asciiAgrees() throws {
        for name in Self.names {
            let collator = try #require(UnicodeCollator.named(name))
            let differences = Self.differences(collator)
            #expect(differences.isEmpty, "\(name): \(differences.prefix(3))")
        }
    }

    @Test("has ^ and ` before other symbols, as LiteCore, and before those that are not ASCII")
    func carets() throws {
        let collator = try #require(UnicodeCollator.named("LCUnicode____"))
        for sign in ["^", "`"] {
            #expect(UnicodeCollationTests.compare(collator, sign, "-") < 0)
            #expect(UnicodeCollationTests.compare(collator, "-", "—") < 0)
            #expect(UnicodeCollationTests.compare(collator, sign, "—") < 0)
        }
    }

    @Test("has `ch` of Czech and `aa` of Danish in their positions")
    func digraphs() throws {
        let czech = try #require(UnicodeCollator.named("LCUnicode____cs"))
        #expect(UnicodeCollationTests.compare(czech, "ciz", "cž") < 0)
        #expect(UnicodeCollationTests.compare(czech, "cž", "cha") < 0)
        #expect(UnicodeCollationTests.compare(czech, "ciz", "cha") < 0)
        #expect(UnicodeCollationTests.compare(czech, "cha", "i") < 0)
        let danish = try #require(UnicodeCollator.named("LCUnicode____da"))
        #expect(UnicodeCollationTests.compare(danish, "ab", "aé") < 0)
        #expect(UnicodeCollationTests.compare(danish, "aé", "aa") < 0)
        #expect(UnicodeCollationTests.compare(danish, "ab", "aa") < 0)
    }

    @Test("has control characters last among ASCII, as LiteCore, in any string")
    func controlCharacters() throws {
        let collator = try #require(UnicodeCollator.named("LCUnicode____"))
        #expect(UnicodeCollationTests.compare(collator, "b", "\u{1}a") < 0)
        #expect(UnicodeCollationTests.compare(collator, "\u{1}a", "\u{1}é") < 0)
        #expect(UnicodeCollationTests.compare(collator, "é", "\u{1}a") < 0)
        #expect(UnicodeCollationTests.compare(collator, "ab", "a\u{1}") < 0)
        #expect(UnicodeCollationTests.compare(collator, "\u{1}", "\u{2}") < 0)
    }

    /// Pairs of short ASCII strings on which the two differ.
    private static func differences(_ collator: UnicodeCollator) -> [(String, String)] {
        let signs = (UInt8(0)...0x7f).map { [$0] }
        let pairs = ["aB", "Ab", "a-b", "ab", "a b", "AB", "b", "B1", "b1"].map { Array($0.utf8) }
        let texts = signs + pairs
        var differences: [(String, String)] = []
        for first in texts {
            for second in texts {
                let fast = sign(collator, first, second)
                let slow = first.withUnsafeBytes { first in
                    second.withUnsafeBytes { Int(collator.compareSlowly(first, $0)) }
                }
                if fast != slow.signum() {
                    differences.append(
                        (
                            String(decoding: first, as: UTF8.self),
                            String(decoding: second, as: UTF8.self)
                        ))
                }
            }
        }
        return differences
    }
}
