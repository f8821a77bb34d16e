import FleeceLite
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("fl_like and contains")
struct CollatedTextTests {
    private let context: SQLContext

    init() throws {
        context = try SQLContext()
        try CollatedText.register(in: context)
        try QueryFunctions.register(in: context, FunctionContext(sharedKeys: SharedKeys()))
    }

    private func isTrue(_ function: String, _ arguments: String...) throws -> Bool {
        let marks = Array(repeating: "?", count: arguments.count).joined(separator: ", ")
        let value = try context.selectValue(
            sql: "SELECT \(function)(\(marks))", parameters: arguments.map { .text($0) })
        return value == .long(1)
    }

    @Test(
        "LIKE supports % for any string, _ for a character, and a backslash before them",
        arguments: [
            ("", "", true), ("", "%", true), ("", "_", false), ("abc", "abc", true),
            ("abc", "ABC", false), ("abc", "a%", true), ("abc", "%c", true), ("abc", "%b%", true),
            ("abc", "a_c", true), ("abc", "a_", false), ("abc", "abc_", false), ("é", "_", true),
            ("e\u{301}", "__", true), ("50%", "50\\%", true), ("50x", "50\\%", false),
            ("a_b", "a\\_b", true), ("axb", "a\\_b", false), ("a\\b", "a\\\\b", true),
            ("a\\", "a\\", true), ("abcabd", "%abd", true), ("aXbXc", "a%X%c", true),
            ("abc", "%%%", true), ("abc", "a%%c", true), ("ab", "a%b%c", false), ("😀x", "_x", true),
        ])
    func like(text: String, pattern: String, expected: Bool) throws {
        #expect(try isTrue("fl_like", text, pattern) == expected)
    }

    @Test("a collation determines equal letters, and marks belong to their letter")
    func collated() throws {
        #expect(try isTrue("fl_like", "Résumé", "re%", "LCUnicode_CD_"))
        #expect(try !isTrue("fl_like", "Résumé", "re%", "LCUnicode__D_"))
        #expect(try !isTrue("fl_like", "Résumé", "re%", "LCUnicode_C__"))
        #expect(try isTrue("fl_like", "re\u{301}sumé", "r_sum_", "LCUnicode____"))
        #expect(try isTrue("fl_like", "re\u{301}", "ré", "LCUnicode____"))
        #expect(try isTrue("fl_like", "МОСКВА", "моск%", "LCUnicode_C__"))
        #expect(try isTrue("fl_like", "ABC", "a_c", "NOCASE"))
        #expect(try !isTrue("fl_like", "É", "é", "NOCASE"))
        #expect(try isTrue("contains", "l’Hôtel", "hotel", "LCUnicode_CD_"))
        #expect(try !isTrue("contains", "l’Hôtel", "hotel", "LCUnicode_C__"))
        #expect(try isTrue("contains", "xaaab", "AAB", "NOCASE"))
    }

    @Test("contains finds bytes after a failed match; no string contains the empty string")
    func contains() throws {
        #expect(try isTrue("contains", "aaab", "aab"))
        #expect(try isTrue("contains", "Hello World", "World", "BINARY"))
        #expect(try !isTrue("contains", "abc", "B"))
        #expect(try !isTrue("contains", "abc", ""))
        #expect(try !isTrue("contains", "abc", "", "LCUnicode____"))
        #expect(try !isTrue("contains", "", "a"))
    }

    @Test("contains converts a number to a string; other values contain nothing")
    func parts() throws {
        for (arguments, expected) in [
            ("17, '7'", 1), ("7, 'a'", 0), ("'a1.5', 1.5", 1), ("'a', 1.5", 0), ("x'ff', 'a'", 0),
        ] {
            #expect(
                try context.selectValue(sql: "SELECT contains(\(arguments))")
                    == .long(Int64(expected)), "\(arguments)")
        }
    }

    @Test(
        "are missing for a missing argument, and null for one that is not a string",
        arguments: [
            ("fl_like", ["7, 'a'", "'a', 1.5", "x'', 'a'", "x'ff', x'ff', 'BINARY'"]),
            ("contains", ["x'', 'a'", "7, x''", "x'', x'ff', 'BINARY'"]),
        ])
    func otherTypes(function: String, ofNull: [String]) throws {
        for arguments in ["NULL, 'a'", "'a', NULL", "NULL, 7", "NULL, NULL, 'BINARY'"] {
            #expect(try context.selectValue(sql: "SELECT \(function)(\(arguments))") == .null)
        }
        for arguments in ofNull {
            #expect(
                try context.selectValue(sql: "SELECT hex(\(function)(\(arguments)))") == .text(""))
            #expect(
                try context.selectValue(sql: "SELECT typeof(\(function)(\(arguments)))")
                    == .text("blob"))
        }
        for name in ["'nope'", "NULL", "7", "''"] {
            #expect(throws: SQLError.self) {
                try context.selectValue(sql: "SELECT \(function)('a', 'a', \(name))")
            }
        }
    }

    @Test("follow a pattern and a collation that change from row to row")
    func changingArguments() throws {
        let rows = try context.selectAll(
            sql: """
                WITH p (pattern, collation) AS (VALUES ('a%', 'BINARY'), ('a%', 'NOCASE'),
                    ('b%', 'NOCASE'), ('%', 'BINARY'), ('a%', 'LCUnicode_C__'))
                SELECT fl_like('Abc', pattern, collation), fl_like('Abc', 'a%', collation) FROM p
                """)
        #expect(rows.map { $0.map(\.longValue) } == [[0, 0], [1, 1], [0, 1], [1, 0], [1, 1]])
    }

    @Test("do not take exponential time: many % in a long string")
    func manyWildcards() throws {
        let text = String(repeating: "a", count: 5_000)
        let pattern = String(repeating: "%a", count: 100) + "%b"
        let seconds = try processorSeconds {
            let isLike = try isTrue("fl_like", text, pattern)
            let isCollated = try isTrue("fl_like", text, pattern, "LCUnicode_CD_")
            #expect(!isLike && !isCollated)
        }
        #expect(seconds < 20)
    }

    @Test("accept any bytes")
    func invalidText() throws {
        for bytes in ["ff", "c3", "e282", "80", "00", "f8888080", "cc81", "65cc81cc81"] {
            for collation in ["BINARY", "NOCASE", "LCUnicode____", "LCUnicode_CD_"] {
                let text = "CAST(x'\(bytes)' AS TEXT)"
                #expect(
                    try context.selectValue(
                        sql: "SELECT contains(\(text), \(text), '\(collation)') "
                            + "AND fl_like(\(text), \(text), '\(collation)')") == .long(1),
                    "\(bytes) \(collation)")
            }
        }
    }
}
