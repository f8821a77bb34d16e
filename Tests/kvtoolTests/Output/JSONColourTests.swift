import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("JSON in colours")
struct JSONColourTests {
    private func painted(_ json: String) -> String {
        String(decoding: JSONColours.painted(Array(json.utf8)), as: UTF8.self)
            .replacing("\u{1B}[0m", with: ">").replacing("\u{1B}[34m", with: "<key ")
            .replacing("\u{1B}[32m", with: "<string ").replacing("\u{1B}[36m", with: "<number ")
            .replacing("\u{1B}[33m", with: "<word ")
    }

    @Test(
        "keys, strings, numbers and literals have different ones",
        arguments: [
            (#"{"a":"b"}"#, #"{<key "a">:<string "b">}"#),
            (
                #"{"a": [1, -2.5e3, true, null]}"#,
                #"{<key "a">: [<number 1>, <number -2.5e3>, <word true>, <word null>]}"#
            ),
            (#"{"a\"b":"c\\"}"#, #"{<key "a\"b">:<string "c\\">}"#),
            ("{a: \"é\"}", "{<key a>: <string \"é\">}"), ("\"open", "<string \"open>"),
            (#""a\"#, #"<string "a\>"#), ("", ""), (",\n", ",\n"),
        ])
    func colours(_ json: String, _ result: String) { #expect(painted(json) == result) }

    @Test("only at a terminal, unless --color specifies otherwise")
    func terminal() throws {
        let database = try SampleDatabase(lines: [#"{"_id":"a","n":1}"#])
        let key = "\u{1B}[34m\"n\"\u{1B}[0m: \u{1B}[36m1\u{1B}[0m"
        #expect(try PseudoTerminal(["cat", database.path, "a"]).end().output.contains(key))
        let row = key.replacing(": ", with: ":")
        let query = ["query", database.path, "SELECT n FROM _"]
        for form in ["--json", "--ndjson"] {
            #expect(try PseudoTerminal(query + [form]).end().output.contains(row))
            #expect(try Kvtool.run(query + [form]).success().stdout.contains(#""n":1"#))
        }
        let plain = try PseudoTerminal(query + ["--json", "--color", "never"]).end().output
        #expect(plain.contains(#""n":1"#))
    }
}
