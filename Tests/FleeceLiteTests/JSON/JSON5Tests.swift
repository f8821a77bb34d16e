import SampleData
import StoreTestSupport
import Testing

import FleeceLite

@Suite("JSON5")
struct JSON5Tests {
    @Test(
        "JSON5 is converted to equivalent JSON",
        arguments: [
            ("[]", "[]"), (" { } ", "{}"), ("[1,]", "[1]"), ("{a:1,}", #"{"a":1}"#),
            ("[[],{},[[]],]", "[[],{},[[]]]"),
            ("{a:{b:{},},c:[1,2]}", #"{"a":{"b":{}},"c":[1,2]}"#),
            ("// one\n[1 // two\r,/* three * / */2]//", "[1,2]"), ("/**/[/***/]/*/*/", "[]"),
            ("[1//a\u{2028},2//b\u{2029}]", "[1,2]"), ("['it','\"']", #"["it","\""]"#),
            (#"["'"]"#, #"["'"]"#), (#"['\'\"\\\/\a\q']"#, #"["'\"\\/aq"]"#),
            (#"['\b\f\n\r\t\v\0']"#, #"["\u0008\u000c\u000a\u000d\u0009\u000b\u0000"]"#),
            (#"['\x41\xe9\u00E9\ud834\udd1e']"#, #"["Aéé𝄞"]"#),
            ("['a\\\nb\\\r\nc\\\rd']", #"["abcd"]"#),
            ("['a\\\u{2028}b\\\u{2029}c\u{2028}']", "[\"abc\u{2028}\"]"),
            ("['\t\u{1}\u{7F}']", "[\"\\u0009\\u0001\u{7F}\"]"), (#"['\é']"#, #"["é"]"#),
            ("\u{FEFF}[\u{A0}\u{3000}\u{B}\u{C}\u{2009}null\u{2028}]\u{2029}", "[null]"),
            ("[true,false,null]", "[true,false,null]"), ("'alone'", #""alone""#), ("+5", "5"),
        ])
    func conversion(json5: String, json: String) throws {
        #expect(try JSONText(json5: json5).string == json)
    }

    @Test(
        "Keys need no quotes if they are identifiers",
        arguments: [
            ("a", "a"), ("_", "_"), ("$", "$"), ("$a$1_", "$a$1_"), ("null", "null"),
            ("Infinity", "Infinity"), ("ünïcode", "ünïcode"), ("名前", "名前"), ("𝒜", "𝒜"),
            (#"\u0061b\u0031"#, "ab1"), (#"a\u0300"#, "a\u{300}"), ("a\u{300}", "a\u{300}"),
            ("a٣‿", "a٣‿"), ("a\u{200D}b", "a\u{200D}b"), ("Ⅷ", "Ⅷ"), ("'two words'", "two words"),
            (#"\u{22}"#, nil), (#"\u0031"#, nil), (#"a\u0020"#, nil), (#"a\x41"#, nil),
            ("1", nil), ("1a", nil), ("a-b", nil), ("\u{300}", nil), ("☠", nil), ("", nil),
            ("a b", nil), ("#a", nil),
        ] as [(String, String?)])
    func keys(written: String, key: String?) {
        #expect((try? JSONText(json5: "{\(written):1}"))?.string == key.map { "{\"\($0)\":1}" })
        #expect((try? JSONText(json5: "{ \(written)\n: 1}"))?.string == key.map { "{\"\($0)\":1}" })
    }

    @Test(
        "Numbers have all forms of ECMAScript except octal ones",
        arguments: [
            ("0", "0"), ("-0", "-0"), ("+1", "1"), ("-1", "-1"), (".5", "0.5"), ("+.5", "0.5"),
            ("-.5", "-0.5"), ("5.", "5.0"), ("-5.e-3", "-5.0e-3"), (".5E+1", "0.5e+1"),
            ("1e9", "1e9"), ("0x0", "0"), ("0xfF", "255"), ("-0X10", "-16"), ("+0x1", "1"),
            ("0x00000000000000000000001", "1"), ("0xFFFFFFFFFFFFFFFF", "18446744073709551615"),
            ("0x10000000000000000", "1.8446744073709552e+19"), ("0e1", "0e1"), ("0.", "0.0"),
            ("12345678901234567890123", "12345678901234567890123"),
        ])
    func numbers(json5: String, json: String) throws {
        #expect(try JSONText(json5: "[\(json5),]").string == "[\(json)]")
    }

    @Test(
        "Invalid JSON5 is an error with its offset",
        arguments: [
            ("", 0), ("  ", 2), ("[", 1), ("{", 1), ("[1", 2), ("[1,", 3), ("[,]", 1), ("[1,,]", 3),
            ("{,}", 1), ("{a:1,,}", 5), ("[1 2]", 3), ("{a 1}", 3), ("{a}", 2), ("{a:}", 3),
            ("{a:1 b:2}", 5), ("[1}", 2), ("{a:1]", 4), ("[1]]", 3), ("[] 1", 3), ("/", 0),
            ("[/1]", 1),
            ("[1]/*", 3), ("[/*/]", 1), ("[01]", 1), ("[00]", 1), ("[-01]", 2), ("[.]", 2),
            ("[+]", 2),
            ("[-]", 2), ("[+-1]", 2), ("[- 1]", 2), ("[1e]", 3), ("[1e+]", 4), ("[.e1]", 2),
            ("[0x]", 3), ("[0xG]", 3), ("[0x1G]", 4), ("[1a]", 2), ("[1_000]", 2), ("[NaN]", 1),
            ("[-NaN]", 1), ("[Infinity]", 1), ("[+Infinity]", 1), ("[-Infinity]", 1), ("[Inf]", 1),
            ("[undefined]", 1), ("[nulls]", 5), ("[True]", 1), ("[tru", 1), ("['a]", 1),
            ("['a\n']", 3),
            ("['a\r']", 3), ("['\"]", 1), (#"['\1']"#, 2), (#"['\01']"#, 2), (#"['\x4']"#, 5),
            (#"['\u00g0']"#, 6), (#"['\ud834']"#, 2), (#"['\ud834\u0041']"#, 2),
            (#"['\udd1e']"#, 2),
            ("['\\", 3), ("[a]", 1), ("{1:2}", 1), (#"{\x41:1}"#, 1), (#"{\u0031:1}"#, 1),
            ("[\0]", 1), ("[1]\0", 3), ("['\0'", 4),
        ])
    func errors(text: String, offset: Int) {
        #expect(error(text)?.code == .jsonError, "\(text)")
        #expect(error(text)?.offset == offset, "\(text): \(error(text)?.description ?? "no error")")
    }

    @Test("Text that is not UTF-8 is an error")
    func malformedUTF8() {
        let texts: [[UInt8]] = [
            [0x5B, 0x22, 0xC3, 0x22, 0x5D], [0x7B, 0xE2, 0x80], [0x2F, 0x2F, 0xFF], [0xEF, 0xBB],
        ]
        for text in texts {
            #expect(code { _ = try text.withUnsafeBytes { try JSONText(json5: $0) } } == .jsonError)
        }
    }

    @Test("JSON5 has as many levels as JSON, regardless of the number of brackets")
    func depth() throws {
        let brackets = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
        #expect(try JSONText(json5: brackets(101)).string == brackets(101))
        #expect(error(brackets(102))?.offset == 101)
        #expect(error(String(repeating: "[", count: 1_000_000))?.offset == 101)
        #expect(error(String(repeating: "{a:", count: 1_000_000))?.offset == 303)
    }

    @Test("The encoder's errors have the offsets of the JSON5, not of the converted JSON")
    func encoderErrors() throws {
        let cases = [
            ("/* a comment */ 42", 16), (" 'text'", 1), ("[0xFF, 'a\\\nb', /**/ 1e400, 2]", 20),
            ("{/*a*/a: .5, b /**/ : -1e999}", 22), ("[+0xFFFFFFFF, 1", 15),
        ]
        for (text, offset) in cases {
            do {
                _ = try encoded { try $0.writeJSON5(text) }
                Issue.record("no error in \(text)")
            } catch {
                let error = try #require(error as? FleeceError)
                #expect(error.code == .jsonError, "\(text)")
                #expect(error.offset == offset, "\(text): \(error)")
            }
        }
    }

    @Test("The encoder writes the same as for JSON of the same value")
    func encoding() throws {
        let json5 = "{ // all of it\n a: [+1, .5, 0x7FF, 'it\\'s',], $b: null, }"
        #expect(
            try encoded { try $0.writeJSON5(json5) }
                == encoded(json: #"{"a":[1,0.5,2047,"it's"],"$b":null}"#))
        #expect(try encoded { try $0.writeJSON5("{a:[],}") } == encoded(json: #"{"a":[]}"#))
    }

    @Test("JSON is JSON5, and results in the same document")
    func strictJSON() throws {
        var random = RandomJSON(random: SeededGenerator(for: "JSON is JSON5"))
        for number in 0..<300 {
            let text = random.document(number)
            #expect(try encoded { try $0.writeJSON5(text) } == encoded(json: text), "\(number)")
        }
    }

    @Test("Changed or truncated JSON5 results in JSON or an error, never a trap")
    func corruption() throws {
        var random = SeededGenerator(for: "corrupt JSON5")
        let whole = Array(
            "/*é*/{a:[+1.5e3,-.5,0xfF,'\\x41\\u00e9\\\n\\v',],$ü:\"\\ud834\\udd1e\",// x\n'k':1,}"
                .utf8)
        let alphabet = Array("{}[],:'\"\\/*+-.0xeE1uaN\n\r é\u{2028}".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            var text = whole
            for _ in 0...random.below(3) {
                let place = random.below(text.count)
                switch random.below(3) {
                case 0: text[place] = random.pick(alphabet)
                case 1: text.insert(random.pick(alphabet), at: place)
                default: text.removeSubrange(place..<min(text.count, place + 1 + random.below(4)))
                }
            }
            if random.oneIn(4) { text.removeSubrange(random.below(text.count)...) }
            do {
                let json = try text.withUnsafeBytes { try JSONText(json5: $0) }
                accepted += 1
                expectStrict(json)
            } catch let error as FleeceError {
                #expect(error.code == .jsonError)
                #expect(error.offset.map { $0 <= text.count } == true)
            }
        }
        #expect(accepted > 500)
    }

    /// The converter's output is JSON, except for the range of numbers.
    private func expectStrict(_ json: JSONText) {
        do {
            _ = try encoded(json: "[\(json.string)]")
        } catch {
            #expect("\(error)".contains("range of a double"), "\(json.string)")
        }
    }

    private func error(_ text: String) -> FleeceError? {
        do {
            _ = try JSONText(json5: text)
            return nil
        } catch {
            return error as? FleeceError
        }
    }
}
