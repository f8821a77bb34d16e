import Testing

import FleeceLite

@Suite("JSON reader: valid JSON")
struct JSONReaderTests {
    @Test(
        "JSON is accepted with any blanks",
        arguments: [
            ("[]", []), ("{}", [:]), (" \t\r\n[ ]\n", []), ("[1 , 2]", [1, 2]),
            ("\n{ \"a\" :\t1 ,\r\n\"b\":{ } }", ["a": 1, "b": [:]]),
            ("[[],[[]],{}]", [[], [[]], [:]]), ("[true,false,null]", [true, false, nil]),
            (#"{"":""}"#, ["": ""]), ("[\"\u{7F}\"]", ["\u{7F}"]),
            ("[\"ü☠️𝄞\u{2028}\"]", ["ü☠️𝄞\u{2028}"]),
        ] as [(String, Tree)])
    func accepted(text: String, value: Tree) throws {
        #expect(try Tree(FleeceDocument(trusted: encoded(json: text)).root) == value)
    }

    @Test(
        "Escapes are replaced",
        arguments: [
            (#""\"\\\/""#, "\"\\/"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u00E9\u2620""#, "Aéé☠"), (#""\u0000""#, "\0"),
            (#""\uD834\uDD1E\ud834\udd1e""#, "𝄞𝄞"),
            (#""\uffff\ud7ff\ue000""#, "\u{FFFF}\u{D7FF}\u{E000}"),
            (#""\udbff\udfff""#, "\u{10FFFF}"), (#""a\tb\nc""#, "a\tb\nc"),
            (#""12345678\t12345678\\""#, "12345678\t12345678\\"), (#""ü\nü""#, "ü\nü"),
            (#""\\u0041""#, #"\u0041"#),
        ])
    func escapes(text: String, value: String) throws {
        #expect(
            try Tree(FleeceDocument(trusted: encoded(json: "[\(text)]")).root) == [.string(value)])
        let object = try FleeceDocument(trusted: encoded(json: "{\(text):1}"))
        #expect(Tree(object.root) == .dictionary([Tree.Pair(key: value, value: 1)]))
        #expect(object.root[value]?.int == 1)
    }

    @Test("An escape is found at any position in a long string", arguments: 0...40)
    func escapePlaces(place: Int) throws {
        for (escape, value) in [(#"\n"#, "\n"), (#"\""#, "\""), (#"\u00fc"#, "ü"), ("ü", "ü")] {
            let head = String(repeating: "h", count: place)
            let tail = String(repeating: "t", count: 200 - place)
            let document = try FleeceDocument(
                trusted: encoded(json: #"["\#(head)\#(escape)\#(tail)"]"#))
            #expect(document.root.array?[0].string == head + value + tail)
        }
    }

    /// Invalid JSON, and the offset of its error.
    static let misplaced: [(String, Int)] = [
        ("", 0), ("  ", 2), ("42", 0), (#""x""#, 0), ("null", 0), (" true", 1), ("]", 0),
        ("\u{FEFF}[]", 0), ("[", 1), ("{", 1), ("[1", 2), ("[1,", 3), (#"{"a""#, 4),
        (#"{"a":"#, 5), (#"{"a":1"#, 6), (#"{"a":1,"#, 7), ("[}", 1), ("[1}", 2), ("{]", 1),
        (#"{"a":1]"#, 6), ("[1,]", 3), (#"{"a":1,}"#, 7), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3),
        (#"{"a" 1}"#, 5), (#"{"a"::1}"#, 5), (#"{"a"}"#, 4), ("{a:1}", 1), ("{1:2}", 1),
        ("{null:1}", 1), ("{'a':1}", 1), ("['a']", 1), ("[1]x", 3), ("[] []", 3), ("[1]\0", 3),
        ("[\0]", 1), ("[1,/*c*/2]", 3), ("[1]//c", 3), ("[tru]", 1), ("[nul", 1), ("[True]", 1),
        ("[truefalse]", 5), ("[undefined]", 1), ("[NaN]", 1), ("[Infinity]", 1), ("[-Infinity]", 2),
    ]

    static let wrongStrings: [(String, Int)] = [
        (#"["a"#, 1), (#"["a\"#, 3), (#"["a\""#, 1), (#"["\x41"]"#, 2), (#"["\'"]"#, 2),
        (#"["\U0041"]"#, 2), ("[\"a\u{1}b\"]", 3), ("[\"a\nb\"]", 3), ("[\"\0\"]", 2),
        ("[\"a\\n\u{1F}\"]", 5), (#"["\ud800"]"#, 2), (#"["\ud800x"]"#, 2), (#"["\ud800\n"]"#, 2),
        (#"["\ud800\u0041"]"#, 2), (#"["\ud800\ud800"]"#, 2), (#"["\ud800\ue000"]"#, 2),
        (#"["\ud800\uffff"]"#, 2),
        (#"["ab\udc00"]"#, 4),
        (#"["\udc00\ud800"]"#, 2), (#"["\u12"#, 4), (#"["\u12G4"]"#, 4), (#"["\u+123"]"#, 4),
        (#"["\u００４１"]"#, 4), (#"{"a\x":1}"#, 3), (#"{"\ud800":1}"#, 2),
    ]

    static let wrongNumbers: [(String, Int)] = [
        ("[01]", 1), ("[-01]", 2), ("[00]", 1), ("[+1]", 1), ("[.5]", 1), ("[-.5]", 2), ("[1.]", 3),
        ("[-]", 2), ("[--1]", 2), ("[1e]", 3), ("[1e+]", 4), ("[1.e1]", 3), ("[1.5.5]", 4),
        ("[1e5.5]", 4), ("[0x10]", 2), ("[1_000]", 2), ("[1", 2), ("[1.", 3), ("[-", 2),
        ("[1E400]", 1), ("[0,-1e309]", 3), ("[1e99999999999999999999]", 1),
    ]

    @Test(
        "Invalid JSON is an error at its first wrong byte",
        arguments: misplaced + wrongStrings + wrongNumbers)
    func rejected(text: String, offset: Int) {
        expectError(at: offset, in: Array(text.utf8))
    }

    @Test(
        "Text that is not UTF-8 is an error at the first byte of the wrong sequence",
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE2, 0x82],
            [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9D, 0x84],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xC3, 0x28], [0xE2, 0x82, 0x28],
        ] as [[UInt8]])
    func notUTF8(wrong: [UInt8]) {
        for count in 0...20 {
            let text = Array(repeating: UInt8(ascii: "x"), count: count)
            expectError(at: 2 + count, in: Array("[\"".utf8) + text + wrong + Array("\"]".utf8))
            expectError(at: 2 + count, in: Array("{\"".utf8) + text + wrong + Array("\":1}".utf8))
            expectError(at: 2 + count, in: Array("[\"".utf8) + text + wrong + Array("\\n\"]".utf8))
            expectError(at: 4 + count, in: Array("[\"\\n".utf8) + text + wrong + Array("\"]".utf8))
        }
    }

    @Test("Every ASCII character stands for itself, is escaped or ends a string", arguments: 0...17)
    func everyCharacter(place: Int) throws {
        let head = String(repeating: "h", count: place)
        let tail = String(repeating: "t", count: 17 - place)
        for code in UInt8(0)..<0x80 where code != 0x22 && code != 0x5C {
            let letter = String(UnicodeScalar(code))
            let text = "[\"\(head)\(letter)\(tail)\"]"
            if code < 0x20 {
                expectError(at: 2 + place, in: Array(text.utf8))
            } else {
                let array = try FleeceDocument(trusted: encoded(json: text)).root.array
                #expect(array?[0].string == head + letter + tail, "\(code)")
            }
        }
    }

    @Test("Truncated JSON is an error at its end or before")
    func truncated() {
        let whole = Array(
            #"{"a":[1,-2.5e+10,"ü\n\ud834\udd1e",true,false,null],"b":{"c":[]}}"#.utf8)
        for count in 0..<whole.count {
            let error = jsonError(Array(whole[..<count]))
            #expect(error?.code == .jsonError, "\(count)")
            #expect(error?.offset.map { $0 <= count } == true, "\(count)")
        }
        #expect(jsonError(whole) == nil)
    }
}

extension JSONReaderTests {
    private func jsonError(_ text: [UInt8]) -> FleeceError? {
        do {
            _ = try encoded { encoder in
                _ = try text.withUnsafeBytes { try encoder.writeJSON($0, lifting: nil) }
            }
            return nil
        } catch {
            return error as? FleeceError
        }
    }

    private func expectError(at offset: Int, in text: [UInt8]) {
        let error = jsonError(text)
        let shown = String(decoding: text, as: UTF8.self)
        #expect(error?.code == .jsonError, "\(shown)")
        #expect(error?.offset == offset, "\(shown): \(error?.description ?? "no error")")
    }
}
