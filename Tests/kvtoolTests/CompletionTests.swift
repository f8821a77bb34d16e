import Foundation
import StoreTestSupport
import Testing

@testable import kvtool

@Suite("Completion of command lines")
struct CompletionTests {
    static let shells = ["bash", "zsh", "fish"]

    @Test("A script for each shell", arguments: shells)
    func scripts(_ shell: String) throws {
        #expect(try Kvtool.run(["completions", shell]).success().stdout.contains("kvtool"))
    }

    @Test("The scripts load", arguments: shells.filter { Command.path(of: $0) != nil })
    func loading(_ shell: String) throws {
        let folder = try TemporaryFolder()
        let path = folder("kvtool.\(shell)")
        try Kvtool.run(["completions", shell]).success().standardOutput
            .write(to: URL(fileURLWithPath: path))
        let program = try #require(Command.path(of: shell))
        #expect(try Command.run(program, ["-n", path]).status == 0)
        guard shell == "bash" else { return }
        let loaded = try Command.run(program, ["-c", "source '\(path)'; complete -p kvtool"])
        #expect(loaded.status == 0, "\(loaded)")
        #expect(loaded.stdout.hasSuffix("kvtool\n"))
    }

    @Test func idsAndCollectionsAreOffered() throws {
        let database = try SampleDatabase(people: 30)
        let ids = Completion.documents(["kvtool", "cat", database.path, "person-002"])
        #expect(ids == (20...29).map { "person-00\($0)" })
        #expect(Completion.collections(["ls", database.path]) == ["_default"])
        #expect(Completion.indexes(["rmindex", database.path]) == [])
        #expect(Completion.documents(["cat", "/no/such.cblite2", "x"]) == [])
        #expect(Completion.documents(["cat", "x"]) == [])
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
