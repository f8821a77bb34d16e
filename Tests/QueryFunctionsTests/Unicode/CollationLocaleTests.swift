import SQLCore
import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

/// The collations of all languages that have an order of their own.
@Suite("The order of a LCUnicode_… collation with a locale")
struct CollationLocaleTests {
    /// Those in which ASCII is compared without ICU, as LiteCore does: no other order is possible.
    private static let plain = [
        "", "en", "en_GB", "de", "fr", "fr_CA", "it", "nl", "pt", "es", "sv", "fi", "is", "pl",
        "sl",
        "ro", "vi", "ku", "ru", "uk", "be", "bg", "mk", "sr", "el", "he", "ar", "fa", "hi", "bn",
        "ta", "ka", "hy", "kk", "mn", "eo", "se", "smn", "tk", "wo", "bo", "km", "zu", "xx_such",
    ]
    /// Those that are as ICU has them, `^`, the grave accent and control characters, too.
    private static let large = ["zh", "zh_Hant", "ja", "ko", "my"]
    /// Those with digraphs of ASCII letters, or another order of them.
    private static let other = [
        "az", "br", "bs", "ceb", "cs", "cy", "da", "dsb", "ee", "et", "fil", "fo", "fy", "ha",
        "haw", "hr", "hsb", "hu", "ig", "kl", "lt", "lv", "mt", "nb", "nn", "no", "om", "sk", "sq",
        "sr_Latn", "th", "to", "tr", "uz", "yo", "en_US_POSIX", "es@collation=traditional",
        "de@colNumeric=yes", "sv@colCaseFirst=upper", "en-u-kn-true", "en-u-ka-shifted",
    ]

    private static let pieces = [
        "a", "A", "aa", "AA", "Aa", "b", "c", "ch", "Ch", "cH", "d", "dž", "dz", "dzs", "e", "f",
        "g", "gy", "h", "i", "I", "ı", "İ", "j", "k", "l", "lj", "ll", "l·", "n", "ng", "ny", "nj",
        "o", "q", "s", "sz", "š", "t", "u", "v", "w", "x", "y", "z", "Z", "ž", "å", "ä", "æ", "ö",
        "ø", "ñ", "é", "ß", "þ", "ł", "ђ", "Ж", "東", "あ", "ก", "เ", "\u{300}", "\u{308}",
        "\u{30a}", "\u{338}", "\u{1}", "\u{0}", "\u{b}", "\u{1b}", "\u{7f}", "\t", "\n", " ", "-",
        "_", "`", "^", "'", "<", "$", "—", "§", "1", "10", "9", "٣",
    ]

    private static func text(_ random: inout SeededGenerator) -> String {
        (0..<random.below(5)).map { _ in random.pick(pieces) }.joined()
    }

    private static func sign(
        _ first: String, _ second: String,
        _ compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int32
    ) -> Int {
        Array(first.utf8).withUnsafeBytes { first in
            Array(second.utf8).withUnsafeBytes { Int(compare(first, $0)) }
        }.signum()
    }

    private static func collations(_ locale: String) -> [UnicodeCollation] {
        [true, false].flatMap { isCaseSensitive in
            [true, false].map {
                UnicodeCollation(
                    isCaseSensitive: isCaseSensitive, isDiacriticSensitive: $0, locale: locale)
            }
        }
    }

    @Test("is total: all pairs of strings agree on one rank", arguments: plain + large + other)
    func order(locale: String) throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_124)
        let count = TestEnvironment.number("STORE_FUZZ_TEXTS", or: 40)
        print("CollationLocaleTests: \(count) texts in \(locale) from STORE_SEED=\(seed)")
        for collation in Self.collations(locale) {
            var random = SeededGenerator(seed: UInt64(seed))
            let collator = try #require(UnicodeCollator(collation))
            let texts = (0..<count).map { _ in Self.text(&random) }
            let signs = texts.map { one in
                texts.map { Self.sign(one, $0, collator.compare) }
            }
            let ranks = signs.map { row in row.count { $0 > 0 } }
            let keys = texts.map { text in
                Array(text.utf8).withUnsafeBytes { collator.key($0) }
            }
            var wrong: [String] = []
            for one in texts.indices {
                for other in texts.indices {
                    let sign = signs[one][other]
                    let isSound = sign == (ranks[one] - ranks[other]).signum()
                    let isEmpty = texts[one].isEmpty || texts[other].isEmpty
                    let hasKey = isEmpty || (keys[one] == keys[other]) == (sign == 0)
                    if isSound, hasKey { continue }
                    wrong.append("\(texts[one].debugDescription), \(texts[other].debugDescription)")
                }
            }
            #expect(wrong.isEmpty, "\(collation.name): \(wrong.prefix(3))")
        }
    }

    @Test("orders ASCII as LiteCore does unless the language has another order")
    func ascii() throws {
        var random = SeededGenerator(seed: 7)
        let all = (UInt8(0)...0x7F).map { String(UnicodeScalar($0)) }
        for (locales, reference) in [
            (Self.plain, ASCIICollation.all), (Self.large, ASCIICollation.printable),
        ] {
            for collation in locales.flatMap(Self.collations) {
                let collator = try #require(UnicodeCollator(collation))
                let isExpected = collator.ascii?.ranks == reference.ranks
                #expect(isExpected, "\(collation.name)")
                for _ in 0..<50 {
                    let texts = (0..<2).map { _ in
                        (0..<random.below(4)).map { _ in random.pick(all) }.joined()
                    }
                    let expected = Array(texts[0].utf8).withUnsafeBytes { first in
                        Array(texts[1].utf8).withUnsafeBytes {
                            reference.compare(
                                first, $0, caseSensitive: collation.isCaseSensitive)
                        }
                    }
                    guard let expected else { continue }
                    let slow = Self.sign(texts[0], texts[1], collator.compareSlowly)
                    #expect(slow == Int(expected).signum(), "\(collation.name): \(texts)")
                }
            }
        }
    }

    @Test("is the collator's where the language has digraphs, or another order of ASCII")
    func others() throws {
        for collation in Self.other.flatMap(Self.collations) {
            let collator = try #require(UnicodeCollator(collation))
            #expect(collator.ascii == nil, "\(collation.name)")
        }
    }

    @Test(
        "finds the same with and without an index, and verifying finds no errors",
        arguments: ["", "da", "cs", "hu", "et", "lt", "tr", "zh", "th"])
    func index(locale: String) throws {
        var random = SeededGenerator(seed: 11)
        let texts = (0..<60).map { _ in Self.text(&random) }
        let name = UnicodeCollation(locale: locale).name
        let context = try SQLContext()
        try Collations.register(in: context)
        try context.exec(sql: "CREATE TABLE t (s TEXT COLLATE \"\(name)\")")
        for text in texts {
            try context.exec(sql: "INSERT INTO t VALUES (?)", parameters: [.text(text)])
        }
        let counts = { () throws -> [[SQLValue]] in
            try texts.flatMap { text in
                try ["=", "<", ">="].map { comparison in
                    try context.selectAll(
                        sql: "SELECT count(*) FROM t WHERE s \(comparison) ?",
                        parameters: [.text(text)])[0]
                }
            }
        }
        let before = try counts()
        try context.exec(sql: "CREATE INDEX i ON t (s)")
        #expect(try counts() == before)
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }
}
