import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCommands

@Suite("Completion of command lines")
struct CompletionTests {
    static let shells = ["bash", "zsh", "fish"]

    /// Those that are there.
    static let present = shells.filter { shell in
        guard Command.path(of: shell) == nil else { return true }
        Command.reportMissing("there is no \(shell), whose completion is not tried")
        return false
    }

    @Test("A script for each shell", arguments: shells)
    func scripts(_ shell: String) throws {
        #expect(try Kvtool.run(["completions", shell]).success().stdout.contains("kvtool"))
    }

    @Test("The scripts can be read", arguments: present)
    func syntax(_ shell: String) throws {
        let directory = try TemporaryDirectory()
        let script = try CompletionScript(shell, in: directory)
        let program = try #require(Command.path(of: shell))
        #expect(try Command.run(program, ["-n", script.path]).status == 0)
    }

    @Test func idsAndCollectionsAreOffered() throws {
        let database = try SampleDatabase(people: 30)
        let ids = Completion.documents(["kvtool", "cat", database.path, "person-002"])
        #expect(ids == (20...29).map { "person-00\($0)" })
        #expect(Completion.collections(["ls", database.path]) == ["_default"])
        #expect(Completion.indexes(["rmindex", database.path]) == [])
        #expect(Completion.documents(["cat", "/no/such.cblite2", "x"]) == [])
        #expect(Completion.documents(["cat", "x"]) == [])
        // The last word of mv is a collection.
        try database.run("mkcoll", "hr.staff").success()
        #expect(
            Completion.documents(["kvtool", "mv", database.path, "person-0001", "h"])
                == ["_default", "hr.staff"])
        #expect(
            Completion.properties(["kvtool", "cat", database.path]).filter { $0.hasPrefix("a") }
                == ["active", "address", "age"])
    }

    @Test("The key is that of the arguments, in any form")
    func keys() throws {
        let sample = try EncryptedDatabase()
        let key = EncryptedDatabase.key
        // Tab does not report it.
        try sample.database.setPermissions(0o644, of: sample.keyFile)
        let said = [
            ["--key-file", sample.keyFile], ["--key-file=\(sample.keyFile)"],
            ["--key-file", "=", sample.keyFile], ["--key", "'\(key)'"], ["--key='\(key)'"],
        ]
        for words in said {
            let line = ["kvtool", "cat"] + words + [sample.path, "d"]
            #expect(Completion.documents(line) == ["doc"], "\(words)")
            let request = ["---completion", "cat", "--", "positional@1", "\(line.count - 1)", "1"]
            #expect(try Kvtool.run(request + line).success().lines == ["doc"], "\(words)")
        }
        let locked = try EncryptedDatabase()
        #expect(Completion.documents(["kvtool", "cat", locked.path, "d"]) == [])
        #expect(
            Completion.documents(["kvtool", "cat", locked.path, "--", "--key", key, "d"]) == [])
    }

    @Test("A shell inserts names from a database verbatim, and executes nothing")
    func quoting() {
        let words = ["a", "it's", "$(x)", #"b\c"#, "d:e", "f\ng", "h\u{9B}i"]
        #expect(Completion.offered(words, to: nil) == ["a", "it's", "$(x)", #"b\c"#, "d:e"])
        #expect(
            Completion.offered(words, to: .bash)
                == [":", "a", "it's", "$(x)", #"b\c"#, "d:e"])
        #expect(
            Completion.offered(words, to: .bash, part: "")
                == [":", "'a'", #"'it'\''s'"#, "'$(x)'", #"'b\c'"#, "'d:e'"])
        #expect(
            Completion.offered(words, to: .zsh) == ["a", "it's", "$(x)", #"b\\c"#, #"d\:e"#])
        #expect(Completion.offered(words, to: .fish) == ["a", "it's", "$(x)", #"b\c"#, "d:e"])
    }

    @Test func aLineIsCompletedToWhatAllHaveInCommon() {
        let several = LineCompletion(typed: "a", candidates: ["abc", "abd"])
        #expect(several.replaced == 1 && several.insertion == "ab" && several.list.isEmpty)
        let stuck = LineCompletion(typed: "ab", candidates: ["abc", "abd"])
        #expect(stuck.insertion == "ab" && stuck.list == ["abc", "abd"])
        #expect(LineCompletion(typed: "a", candidates: ["abc"]).insertion == "abc ")
        #expect(LineCompletion(typed: "a", candidates: ["a/"]).insertion == "a/")
        #expect(LineCompletion(typed: "a", candidates: []).insertion == "")
        let spaced = LineCompletion(
            typed: "a\\ ", candidates: ["a b"], quoted: ShellWords.quoted)
        #expect(spaced.replaced == 3 && spaced.insertion == "a\\ b ")
    }
}
