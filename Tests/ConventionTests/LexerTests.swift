import Testing

@Suite("The lexer separates code from comments and strings")
struct LexerTests {
    private func words(_ text: String) -> [String] { Lexer(text).tokens.map(\.text) }

    @Test(
        "comments yield no tokens",
        arguments: [
            "a // b", "a /* b */", "/* b /* c */ d */ a", "/** b */ a", "/// b\na", "a /* b",
            "/* \" */ a", "// \" \na",
        ])
    func comments(_ text: String) {
        #expect(words(text) == ["a"])
    }

    @Test(
        "a string is one token, whatever it contains",
        arguments: [
            #""b! { // }""#, #""\"b\\""#, ##"#"b " \ c"#"##, ###"##"b "# c"##"###, #""/* b""#,
            "\"\"\"\n  b \" \"\" c\n  \\\"\"\" d\n  \"\"\"", "#\"\"\"\n b \"\"\" c\n \"\"\"#",
            #""""#, ##"#""#"##, ##"#"""#"##,
        ])
    func strings(_ text: String) {
        let tokens = Lexer("f(\(text)) + z").tokens
        #expect(tokens.map(\.kind) == [.word, .sign, .literal, .sign, .sign, .word])
        #expect(tokens.last?.text == "z")
    }

    @Test func aLiteralKeepsItsTextUpToTheFirstInterpolation() {
        #expect(words(#""TODO: \(x) more""#) == ["TODO: ", "(", "x", ")"])
        #expect(words(#""plain""#) == ["plain"])
    }

    @Test(
        "code in an interpolation is code",
        arguments: [
            #""a \(b) c""#, #""a \(/* ) */ b)""#, ##"#"a \#(b) \(c)"#"##,
            "\"\"\"\n a \\(b) c\n \"\"\"",
        ])
    func interpolations(_ text: String) {
        let tokens = Lexer(text + " z").tokens
        #expect(tokens.map(\.kind) == [.literal, .sign, .word, .sign, .word])
        #expect(tokens.map(\.text).dropFirst() == ["(", "b", ")", "z"])
    }

    @Test func stringsNestInInterpolations() {
        #expect(
            words(#""\(a["k"] ?? "\(b)")" z"#) == [
                "", "(", "a", "[", "k", "]", "?", "?", "", "(", "b", ")", ")", "z",
            ])
    }

    @Test func anUnclosedStringEndsWithItsLine() {
        #expect(words("\"a\nb") == ["a", "b"])
    }

    @Test(
        "regular expressions are literals",
        arguments: [
            #"x = /a"b/ z"#, #"f(/a"\/b/) z"#, #"x = #/a"b/# z"#, "x = #/\n a\" /#\n z",
        ])
    func regularExpressions(_ text: String) {
        let tokens = Lexer(text).tokens
        #expect(tokens.filter { $0.kind == .literal }.count == 1)
        #expect(tokens.last?.text == "z")
    }

    @Test(
        "a division is not a regular expression",
        arguments: [
            "a / b / c", "a/b/c", "(a)/b/c", "a[0]/b/c", "2/b/c", "static func / (a: A, b: A)",
            "f(/)",
        ])
    func divisions(_ text: String) {
        #expect(!Lexer(text).tokens.contains { $0.kind == .literal })
    }

    @Test func linesAreCountedThroughEverything() {
        let text = "a\n/*\n*/ b \"\"\"\n  x\n  \"\"\" + c\n#/\n/# d // e\nf"
        let lines = Lexer(text).tokens.filter { $0.kind == .word }.map { "\($0.text)\($0.line)" }
        #expect(lines == ["a1", "b3", "c5", "d7", "f8"])
    }

    @Test func tokensKnowWhatStandsBeforeThem() {
        let tokens = Lexer("a b!\n/* */ c.d /* */!").tokens
        #expect(tokens.map(\.text) == ["a", "b", "!", "c", ".", "d", "!"])
        #expect(tokens.map(\.isGlued) == [false, false, true, false, true, true, false])
        #expect(
            tokens.map(\.isFirstOnLine) == [true, false, false, true, false, false, false])
    }

    @Test func theEndOfAMultilineStringIsNotTheBeginningOfALine() {
        let tokens = Lexer("x = \"\"\"\n  a\n  \"\"\".b").tokens
        #expect(tokens.last?.text == "b")
        #expect(tokens.filter(\.isFirstOnLine).map(\.text) == ["x"])
    }

    @Test func onlyTripleSlashCommentsOnTheirOwnLineAreDocumentation() {
        let text = """
            /// a
            // b
            //// c
            let d = 1  /// e
              /// f
            /*
            /// g
            */
            let h = #"/// i"#
            """
        #expect(Lexer(text).documentationLines == [1, 5])
    }
}
