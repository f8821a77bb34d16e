import Testing

@testable import KVToolCore

@Suite("Text for the console")
struct TextTests {
    @Test(
        "of sizes",
        arguments: [
            (0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (1536, "1.5 KB"),
            (1_048_523, "1023.9 KB"), (1_048_560, "1.0 MB"), (1_048_576, "1.0 MB"),
            (10 << 30, "10.0 GB"), (5 << 40, "5.0 TB"), (3000 << 40, "3000.0 TB"),
        ])
    func size(_ bytes: Int, _ text: String) { #expect(Text.size(bytes) == text) }

    @Test(
        "of durations",
        arguments: [
            (0, "0 µs"), (0.0000124, "12 µs"), (0.0174, "17.4 ms"), (0.25, "250 ms"),
            (1.5, "1.5 s"), (9.94, "9.9 s"), (12.4, "12 s"), (59.4, "59 s"), (80, "1 min 20 s"),
            (200, "3 min 20 s"), (7500, "2 h 5 min"), (8_640_000, "long"), (.infinity, "long"),
            (.nan, "long"),
        ] as [(Double, String)])
    func duration(_ seconds: Double, _ text: String) {
        #expect(Text.duration(seconds: seconds) == text)
    }

    @Test("of strings, without control characters that affect a terminal")
    func line() {
        #expect(Text.line("é 日 😀 \"'") == "é 日 😀 \"'")
        #expect(Text.line("a\n\t\u{1B}[31m\u{0}\u{7F}") == #"a\n\t\u{1B}[31m\0\u{7F}"#)
        #expect(Text.line("a\u{202E}b\u{2066}c\u{200F}") == #"a\u{202E}b\u{2066}c\u{200F}"#)
        #expect(Text.line("\u{9B}31m") == #"\u{009B}31m"#)
    }

    @Test("of numbers and dates")
    func others() {
        #expect(Text.count(1, "row") == "1 row")
        #expect(Text.count(0, "row") == "0 rows")
        #expect(Text.date(milliseconds: 0) == "1970-01-01T00:00:00Z")
        #expect(Text.date(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(Text.date(milliseconds: 951_827_696_789) == "2000-02-29T12:34:56.789Z")
        #expect(Text.date(milliseconds: 253_402_300_799_999) == "9999-12-31T23:59:59.999Z")
        #expect(Text.date(milliseconds: -62_135_596_800_000) == "0001-01-01T00:00:00Z")
        #expect(Text.date(milliseconds: .max) == "9223372036854775807 ms")
    }

    @Test("suggesting a command by its edit distance")
    func distance() {
        for (first, second, distance) in [
            ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("query", "quer", 1),
            ("mkidnex", "mkindex", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("a", "b", 1),
        ] {
            #expect(EditDistance.between(first, second) == distance, "\(first) \(second)")
            #expect(EditDistance.between(second, first) == distance, "\(first) \(second)")
        }
    }
}
