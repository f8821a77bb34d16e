import SQLCore
import SampleData
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("Collations LCUnicode_…")
struct UnicodeCollationTests {
    @Test("are parsed from their names, and written to them")
    func names() {
        let cases: [(String, Bool, Bool, String)] = [
            ("LCUnicode____", true, true, ""), ("LCUnicode_C__", false, true, ""),
            ("LCUnicode__D_", true, false, ""), ("LCUnicode_CD_", false, false, ""),
            ("LCUnicode_C__se", false, true, "se"),
            ("LCUnicode_C__yue_Hans_CN", false, true, "yue_Hans_CN"),
        ]
        for (name, caseSensitive, diacriticSensitive, locale) in cases {
            let collation = UnicodeCollation(
                isCaseSensitive: caseSensitive, isDiacriticSensitive: diacriticSensitive,
                locale: locale)
            #expect(UnicodeCollation(name: name) == collation)
            #expect(collation.name == name)
        }
        let long = UnicodeCollation(name: "LCUnicode____" + String(repeating: "x", count: 500))
        #expect(long?.locale.utf8.count == 19)
    }

    @Test(
        "other names remain unknown",
        arguments: [
            "", "LCUnicode", "LCUnicode_", "LCUnicode__", "LCUnicode_C_", "LCUnicode_c__",
            "LCUnicode_D__", "LCUnicode_CC_", "lcunicode____", "UNICODE", "NOCASE2",
        ])
    func unknownNames(name: String) throws {
        #expect(UnicodeCollation(name: name) == nil)
        let context = try SQLContext()
        try Collations.register(in: context)
        #expect(throws: SQLError.self) {
            try context.selectValue(sql: "SELECT 'a' < 'b' COLLATE \"\(name)\"")
        }
    }

    @Test("are found as soon as SQL names them, and an index is built on them")
    func index() throws {
        let context = try SQLContext()
        try Collations.register(in: context)
        try context.exec(
            sql: """
                CREATE TABLE t (s TEXT);
                CREATE INDEX i ON t (s COLLATE LCUnicode_C__sv);
                INSERT INTO t VALUES ('ö'), ('Z'), ('ä'), ('a'), ('å'), ('B')
                """)
        let rows = try context.selectAll(sql: "SELECT s FROM t ORDER BY s COLLATE LCUnicode_C__sv")
        #expect(rows.compactMap { $0[0].textValue } == ["a", "B", "Z", "å", "ä", "ö"])
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("accept any locale: an unknown one has the root order")
    func unknownLocale() throws {
        let collator = try #require(UnicodeCollator.named("LCUnicode____no_such_place"))
        #expect(Self.compare(collator, "é", "f") < 0)
        #expect(Self.compare(collator, "é", "e") > 0)
    }

    static func compare(_ collator: UnicodeCollator, _ first: String, _ second: String) -> Int {
        var first = first
        var second = second
        return first.withUTF8 { first in
            second.withUTF8 {
                Int(collator.compare(UnsafeRawBufferPointer(first), UnsafeRawBufferPointer($0)))
            }
        }
    }
}
