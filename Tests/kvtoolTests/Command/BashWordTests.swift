import Testing

@testable import KVToolCommands

@Suite("Words of bash")
struct BashWordTests {
    @Test(
        "Quotes are removed, and nothing is expanded",
        arguments: [
            ("plain", "plain"), (#"a\ b"#, "a b"), ("'a $b'", "a $b"),
            (#""a \$b \c""#, #"a $b \c"#), (#"'it'\''s'"#, "it's"), ("a'b", "ab"),
            (#"$'it\'s'"#, "it's"), (#"a\"#, "a"), ("$(x)", "$(x)"), ("`x`", "`x`"),
            ("~/x", "~/x"), ("", ""),
        ])
    func text(_ raw: String, _ text: String) { #expect(BashWord(raw).text == text) }

    @Test(
        "A candidate replaces the end of a word",
        arguments: [
            ["a", "a", "a$(x)", "'a$(x)'"], ["", "", "it's", #"'it'\''s'"#],
            ["user:", "", "user:1", "1"], ["user:", "", "user:$x", "'$x'"],
            ["'a", "a", "a$b", "a$b"], ["'a", "a", "a'b", #"a'\''b"#],
            ["'a", "a", "a'", #"a'\'''"#], [#""a"#, "a", "a$b`c!", #"a\$b\`c"'!'"""#],
            [#""a"#, "a", #"a""#, #"a\"""#],
            [#"a\ "#, #"a\ "#, "a b", "'a b'"], ["", "", "~", "'~'"], ["b'a", "a", "ba c", "a c"],
            ["", "", "-x", "-x"], ["", "", "größe", "größe"], ["", "", "a b", "'a b'"],
        ])
    func replacement(_ words: [String]) {
        #expect(BashWord.replacements([words[2]], raw: words[0], part: words[1]) == [words[3]])
    }

    @Test("Several candidates are quoted alike; those that do not match are omitted")
    func several() {
        #expect(
            BashWord.replacements(["a$b", "abc", "b"], raw: "a", part: "a") == ["'a$b'", "'abc'"])
        #expect(BashWord.replacements(["a", "ab", "b"], raw: "a", part: "a") == ["a", "ab"])
        #expect(BashWord.replacements(["a"], raw: "$'a", part: "a") == [])
        #expect(BashWord.replacements(["ab"], raw: "ab", part: "c") == [])
    }
}
