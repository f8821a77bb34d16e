import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("Values of options that begin with a dash")
struct DashValuesTests {
    @Test("are bound to their option, if they are no options themselves")
    func bound() {
        for (arguments, expected) in [
            (["ls", "a", "--limit", "-1"], ["ls", "a", "--limit=-1"]),
            (["ls", "a", "--limit", "-12", "x"], ["ls", "a", "--limit=-12", "x"]),
            (["export", "a", "--id", "-3aW8Ve"], ["export", "a", "--id=-3aW8Ve"]),
            (["cat", "a", "--where", "-n > 3"], ["cat", "a", "--where=-n > 3"]),
            (["ls", "a", "--limit", "-l"], ["ls", "a", "--limit", "-l"]),
            (["ls", "a", "--limit", "--json"], ["ls", "a", "--limit", "--json"]),
            (["ls", "a", "--limit", "-"], ["ls", "a", "--limit", "-"]),
            (["ls", "a", "--limit"], ["ls", "a", "--limit"]),
            (["ls", "a", "--count", "-12"], ["ls", "a", "--count", "-12"]),
            (["generate", "--count", "-12"], ["generate", "--count=-12"]),
            (["query", "a", "--limit", "-p=1"], ["query", "a", "--limit", "-p=1"]),
            (["info", "a", "-vv"], ["info", "a", "-vv"]),
            (["rm", "--", "a", "--limit", "-1"], ["rm", "--", "a", "--limit", "-1"]),
            (["rm", "a", "--"], ["rm", "a", "--"]), ([], []),
        ] as [([String], [String])] {
            #expect(DashValues.bound(arguments) == expected)
        }
    }
}
