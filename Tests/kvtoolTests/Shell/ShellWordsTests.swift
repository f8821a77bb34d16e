import Testing

@testable import KVToolCommands
import KVToolCore

@Suite("Words of the shell")
struct ShellWordsTests {
    @Test(
        "A line is split as in other shells",
        arguments: [
            ("", []), ("   \t ", []), ("ls", ["ls"]), ("  ls   -l ", ["ls", "-l"]),
            ("cat 'a b' \"c d\"", ["cat", "a b", "c d"]), (#"a\ b c\'d"#, ["a b", "c'd"]),
            (#"a'b c'"d e"f"#, ["ab cd ef"]), (#"'a"b' "c'd""#, ["a\"b", "c'd"]),
            (#"'a\'b'"#, ["a'b"]), (#""a\\b""#, ["a\\b"]), ("put '' x", ["put", "", "x"]),
            ("x ''", ["x", ""]), ("größe 日本", ["größe", "日本"]), ("a\u{A0}b", ["a\u{A0}b"]),
        ] as [(String, [String])])
    func split(_ line: String, _ words: [String]) throws {
        #expect(try ShellWords.split(line) == words)
    }

    @Test(
        "An incomplete line is an error",
        arguments: [
            ("a 'b", "the quote ' is not closed"), ("\"", "the quote \" is not closed"),
            ("a\\", "nothing follows the backslash at the end of the line"),
        ])
    func incomplete(_ line: String, _ message: String) {
        let error = #expect(throws: ToolError.self) { try ShellWords.split(line) }
        #expect(error?.message == message)
        #expect(error?.status == .usage)
    }

    @Test(
        "A quoted text is one word that stands for it",
        arguments: ["a", "", "a b", "it's", "\"", "\\", "a|b>c;", "日本 語"])
    func quoted(_ text: String) throws {
        #expect(try ShellWords.split(ShellWords.quoted(text)) == [text])
    }

    @Test func wordsHaveTheirRanges() {
        let words = ShellWords("cat  'a b").words
        #expect(words.map(\.range) == [0..<3, 5..<9])
        #expect(words.map(\.isQuoted) == [false, true])
        #expect(ShellWords("cat  'a b").problem == .openQuote("'"))
    }

    @Test(
        "A tilde at the head of a word is the home directory, unless it is quoted",
        arguments: [
            ("~/a", true), ("~", true), ("~/'a b'", true), (#"\~/a"#, false), ("'~/a'", false),
            ("~a", false), ("a~/", false),
        ])
    func home(_ line: String, _ isAtHome: Bool) {
        #expect(ShellWords(line).words.map(\.isAtHome) == [isAtHome])
    }

    @Test(
        "A path in the home directory is quoted so that it stays there",
        arguments: [
            ("~/", "~/"), ("~/a b", #"~/a\ b"#), ("~/~/a", #"~/\~/a"#), ("a b/", #"a\ b/"#),
        ])
    func quotedAtHome(_ path: String, _ word: String) {
        #expect(ShellWords.quotedAtHome(path) == word)
    }
}
